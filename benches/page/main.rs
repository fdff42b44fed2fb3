//! How long a person waits for each screen of the Console on a large store (`cargo bench --profile dist --bench page`).
//!
//! ```text
//! store.rs    a large store: agents and connections by their routes, rows by fill.sql and audit.sql
//! screens.rs  the screens, each with what shows its own data and with its main control
//! watch.js    what looks at the page, in the page
//! harness.rs  the browser of tests/console       support.rs  what the browser needs
//! figures.rs  the table of times
//! ```
//!
//! The service runs in this process, on a private database with the default durability, and Chromium beside it. In each
//! of five rounds every screen is opened anew: *rows* is the time from the beginning of the navigation until its own
//! data are painted, *control* the time from a press of its main control until what that brings is painted, both by the
//! page's own clock. A control is pressed as soon as it is there, also while the screen still reads. No time is
//! asserted; a screen without its data, and a complaint of the browser, end the program. `-- 20000` stores that many
//! records instead of a million, and a tenth as many rows of the audit log.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/database.rs"]
mod database;
#[path = "../shared/home.rs"]
mod home;
#[path = "../shared/in_process.rs"]
mod in_process;

mod figures;
mod harness;
mod screens;
mod store;
mod support;

use std::path::Path;

use sextant::app::App;

use figures::Figures;
use harness::Page;
use home::home;
use store::Store;
use support::users::helper_argument;
use support::watchdog::{WATCHDOG, watch};

/// Records that are stored.
const RECORDS: usize = 1_000_000;
const ROUNDS: usize = 5;

fn main() {
    // The browser's watchdog is this program once more.
    if watch(helper_argument(WATCHDOG)) {
        return;
    }
    let home = home();
    let config = in_process::config(home.path());
    let measure = async |app: &App| measure(app, home.path()).await;
    in_process::measured(config, |ports| ports, measure);
}

/// How many records are stored: the argument that is a number.
fn records() -> usize {
    let mut words = std::env::args().skip(1);
    let given = words.find_map(|word| word.parse().ok());
    given.unwrap_or(RECORDS)
}

async fn measure(app: &App, home: &Path) {
    let base = format!("http://{}", app.console);
    let store = Store::fill(&base, home, records()).await;
    let page = Page::start(&base).await;
    let mut figures = Figures::default();
    for _round in 0..ROUNDS {
        for screen in screens::all(&store) {
            figures.add(screen.name, page.measure(&screen).await);
        }
    }
    println!("{} records\n\n{}", store.records, figures.table());
    page.end().await;
}
