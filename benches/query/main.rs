//! How the cost of each kind of query grows with the number of rows (`cargo bench --profile dist --bench query`).
//!
//! ```text
//! kinds.rs  the queries      data.rs  rows, tenfold each time    figures.rs  the table of times
//! asked.rs  the agent port, and the same SQL over the same socket without anything else
//! ```
//!
//! The service runs in this process, on a private database with the default durability. It is filled with a thousand
//! rows, then ten thousand, and so on to a million (`-- 7` for ten). At each size every kind is run in turn, on the
//! service and on PostgreSQL alone as the same role, by one client in many rounds. That answers hold rows is
//! asserted, no time is.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
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
mod data;
mod figures;
mod kinds;

use std::path::Path;

use serde_json::json;
use sextant::app::App;

use asked::{Direct, Port};
use data::Data;
use figures::Figures;
use home::home;
use kinds::Kind;

/// Powers of ten: the first size, and the last by default.
const FIRST: u32 = 3;
const LAST: u32 = 6;
/// Rounds that are measured, and those before them that are not.
const ROUNDS: usize = 30;
const WARM_UP_ROUNDS: usize = 5;

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
    let port = Port::open(app).await;
    let mut data = Data::open(app, home).await;
    let direct = Direct::open(&data).await;
    let mut figures = Figures::default();
    for power in FIRST..=last() {
        let size = 10_usize.pow(power);
        data.grow_to(size).await;
        // A change cursor stays valid while rows are only read.
        let all = json!({"target": Kind::Changes.target(), "limit": 1});
        let since = port.member(Kind::Changes, &all, "change_cursor").await;
        data.change_some().await;
        for kind in Kind::ALL {
            let mut arguments = kind.arguments(&since);
            if kind == Kind::Page {
                let cursor = port.member(kind, &arguments, "next_cursor").await;
                let map = arguments.as_object_mut().unwrap();
                map.insert("cursor".to_owned(), cursor);
            }
            for round in 0..WARM_UP_ROUNDS + ROUNDS {
                let own = port.ask(kind, &arguments).await;
                let other = direct.ask(kind, &arguments).await;
                if round >= WARM_UP_ROUNDS {
                    figures.add(kind, size, own, other);
                }
            }
        }
        println!("{size} rows done");
    }
    println!("\n{}", figures.table());
}
