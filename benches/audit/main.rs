//! How the time to read the audit log grows with its length (`cargo bench --profile dist --bench audit`).
//!
//! ```text
//! fill.sql  the audit log    asked.rs  the requests to it    figures.rs  the table of times
//! ```
//!
//! The service runs in this process, on a private database with the default durability. Its audit log is filled with
//! a hundred thousand rows over years, then a million (`-- 7` for ten), with the triggers in place and the statistics
//! of an analysis. At each size every page is requested from the Console port in many rounds, and up to a million
//! rows are read whole as CSV. The contents of answers are asserted, no time is.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/database.rs"]
mod database;
#[path = "../shared/home.rs"]
mod home;
#[path = "../../tests/it/support/http.rs"]
mod http;
#[path = "../shared/in_process.rs"]
mod in_process;

mod asked;
mod figures;

use std::path::Path;

use sextant::app::App;
use tokio_postgres::Client;

use asked::{Console, Kind};
use figures::Figures;
use home::home;

/// Powers of ten: the first size, and the last by default.
const FIRST: u32 = 5;
const LAST: u32 = 6;
/// Rows that one statement adds.
const ROWS_AT_ONCE: u64 = 1_000_000;
/// The longest audit log that is read whole.
const CSV_ROWS_MAX: u64 = 1_000_000;
/// Rounds that are measured, and those before them that are not.
const ROUNDS: usize = 20;
const WARM_UP_ROUNDS: usize = 2;
const FILL: &str = include_str!("fill.sql");

fn main() {
    let home = home();
    let config = in_process::config(home.path());
    let measure = async |app: &App| measure(app, home.path()).await;
    in_process::measured(config, |ports| ports, measure);
}

/// The last power of ten: the argument that is a number.
fn last() -> u32 {
    let mut words = std::env::args().skip(1);
    words.find_map(|word| word.parse().ok()).unwrap_or(LAST)
}

async fn measure(app: &App, home: &Path) {
    let database = database::connect(home, "sextant").await;
    let mut figures = Figures::default();
    let mut rows = 0;
    for power in FIRST..=last() {
        let size = 10_u64.pow(power);
        grow(&database, rows, size).await;
        rows = size;
        let console = Console::at(app, size).await;
        for kind in Kind::ALL {
            for round in 0..WARM_UP_ROUNDS + ROUNDS {
                let lasted = console.ask(kind).await;
                if round >= WARM_UP_ROUNDS {
                    figures.add(kind, size, lasted);
                }
            }
        }
        if size > CSV_ROWS_MAX {
            continue;
        }
        let csv = console.csv().await;
        println!(
            "{size} rows as CSV: {} MB in {:.1} s; the service's memory rose by at most {} MB",
            csv.bytes / 1_000_000,
            csv.lasted.as_secs_f64(),
            csv.grown_bytes / 1_000_000
        );
    }
    println!("\n{}", figures.table());
}

/// Adds rows until there are `size`.
async fn grow(database: &Client, mut rows: u64, size: u64) {
    while rows < size {
        let last = size.min(rows + ROWS_AT_ONCE);
        let fill = FILL
            .replace("{first}", &(rows + 1).to_string())
            .replace("{last}", &last.to_string());
        database.batch_execute(&fill).await.unwrap();
        rows = last;
    }
    database
        .batch_execute("VACUUM ANALYZE audit_log, audit_hourly")
        .await
        .unwrap();
    database.batch_execute("CHECKPOINT").await.ok();
}
