//! First syncs by the program itself from real servers (`cargo bench --profile dist --bench sync -- [mail|dav|many] [MAILS]`).
//!
//! ```text
//! first.rs        a mailbox; a calendar and an address book, beside mbsync and vdirsyncer
//! many.rs         two hundred connections at once     beside.rs  what others wait meanwhile
//! elsewhere.rs    servers that stand back, as if they were on another machine
//! radicale.rs     the server of calendars and contacts, its data made by chance from a seed
//! mails.rs        the mails, so too                   seeded.rs  that chance
//! service.rs      the program                         usage.rs   processor time, memory, threads
//! other_tools.rs  the tools it is compared with (`benches/sync/install.sh`)
//! ```
//!
//! The service is the binary with a private database of the default durability. That all is stored is asserted, no time is.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/database.rs"]
mod database;
#[path = "../../connectors/tests/it/imap/dovecot.rs"]
#[expect(dead_code, reason = "the connectors' tests use the rest")]
mod dovecot;
#[path = "../../tests/it/support/generated.rs"]
#[expect(dead_code, reason = "another benchmark uses the rest")]
mod generated;
#[path = "../shared/home.rs"]
mod home;
#[path = "../../tests/it/support/http.rs"]
mod http;
#[path = "../shared/program.rs"]
mod program;

mod beside;
mod elsewhere;
mod first;
mod mails;
mod many;
mod other_tools;
mod radicale;
mod seeded;
mod service;
mod support;
mod usage;

use chrono::{DateTime, Utc};

/// Mails, where the command names no number.
const MAILS: u64 = 50_000;
/// What can be measured alone.
const PARTS: [&str; 3] = ["mail", "dav", "many"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = arguments.iter().find_map(|each| each.parse().ok());
    let named = arguments.iter().map(String::as_str);
    let named: Vec<&str> = named.filter(|each| PARTS.contains(each)).collect();
    let is_wanted = |part| named.is_empty() || named.contains(&part);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        if is_wanted("dav") {
            first::dav().await;
        }
        if is_wanted("mail") {
            first::mail(count.unwrap_or(MAILS)).await;
        }
        if is_wanted("many") {
            many::measure().await;
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "mails are of the last days")]
fn now() -> DateTime<Utc> {
    Utc::now()
}
