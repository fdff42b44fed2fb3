//! How fast a store takes pushes, for every table that takes them (`cargo bench --profile dist --bench ingest -- [slopes|halves]
//! [SIZE…] [TABLE…]`).
//!
//! ```text
//! slopes.rs   requests of one size, one after another on a fresh store
//! halves.rs   one large push, the same in small ones, and as one statement of the database
//! ```
//!
//! The service is the binary with a private database of the default durability, the records are made from the catalogue. That
//! every record is stored is asserted, no time is.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/database.rs"]
mod database;
#[path = "../../tests/it/support/generated.rs"]
mod generated;
#[path = "../shared/home.rs"]
mod home;
#[path = "../../tests/it/support/http.rs"]
mod http;
#[path = "../shared/program.rs"]
mod program;
#[path = "../import/service.rs"]
#[expect(dead_code, reason = "files are pushed by another benchmark")]
mod service;

mod halves;
mod slopes;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::ops::Range;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sextant::catalog::{Kind, Table};
use sextant::ingest::limits::PushLimits;

use service::{Connection, Service};

/// Records of a request, where the command names none.
const SIZES: [u32; 2] = [1_000, 20_000];
/// The texts of a record that is to be short.
const SHORT_TEXTS: [&str; 3] = ["id", "subject", "full_name"];
/// What can be measured alone, by its file's name.
const PARTS: [&str; 2] = ["slopes", "halves"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named: BTreeSet<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| argument.contains('.'))
        .collect();
    let sizes: Vec<u32> = arguments
        .iter()
        .filter_map(|each| each.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() {
        SIZES.to_vec()
    } else {
        sizes
    };
    let tables = || {
        generated::pushable()
            .filter(|table| named.is_empty() || named.contains(table.target().as_str()))
    };
    let is_wanted = |part: &str| {
        let parts = arguments
            .iter()
            .filter(|each| PARTS.contains(&each.as_str()));
        parts.clone().count() == 0 || parts.clone().any(|each| each == part)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        if is_wanted("slopes") {
            println!("{}", slopes::HEAD);
            for table in tables() {
                for size in &sizes {
                    println!("{}", slopes::line(table, *size).await);
                }
            }
        }
        if is_wanted("halves") {
            let size = *sizes.iter().max().unwrap();
            println!("\n{}", halves::HEAD);
            for table in tables() {
                println!("{}", halves::line(table, size).await);
            }
        }
    });
}

/// A new connection for the table.
async fn connect(service: &Service, table: &Table) -> Connection {
    let target = table.target();
    let mut made = service
        .connections(&BTreeSet::from([target.as_str()]))
        .await;
    made.remove(0)
}

/// The records of these numbers as a body; where they are more than a push may have, [`short`] ones.
fn body(table: &Table, numbers: Range<u32>) -> Bytes {
    let body = body_of(
        numbers
            .clone()
            .map(|number| generated::record(table, number)),
    );
    body.unwrap_or_else(|| body_of(numbers.map(|number| short(table, number))).unwrap())
}

/// `None` where they are more than a push may have, or nearly: records of later numbers are longer.
fn body_of(records: impl Iterator<Item = Value>) -> Option<Bytes> {
    let (mut body, mut bytes) = (GzEncoder::new(Vec::new(), Compression::fast()), 0_u64);
    for record in records {
        let line = format!("{record}\n");
        body.write_all(line.as_bytes()).unwrap();
        bytes += u64::try_from(line.len()).unwrap();
    }
    let body = body.finish().unwrap();
    let bytes_max = PushLimits::default().body_bytes_max / 8 * 7;
    (bytes <= bytes_max).then(|| body.into())
}

/// A record without its parts, lists and optional texts, but for those that say what it is.
fn short(table: &Table, number: u32) -> Value {
    let mut record = generated::record(table, number);
    let is_short = |name: &str| {
        table.field(name).is_some_and(|field| {
            let is_long = matches!(field.kind, Kind::Text | Kind::Json | Kind::TextList);
            field.required || field.is_kind || !is_long
        })
    };
    let members = record.as_object_mut().unwrap();
    members.retain(|name, _| SHORT_TEXTS.contains(&name.as_str()) || is_short(name));
    record
}
