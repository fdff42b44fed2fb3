//! How long a light agent waits, alone and beside an agent that takes as much as it can (`cargo bench --profile dist
//! --bench neighbours`).
//!
//! ```text
//! light.rs    the agent that is measured    attack.rs  the other agent, one entry an attack
//! data.rs     bookings and long mails
//! ```
//!
//! The service runs in this process, on a private database with the default durability. The light agent requests a
//! page, a record and a count in turn over the agent port; first alone, then beside each attack, which goes on for as
//! long as it is measured. That the light agent is answered is asserted, no time is. `-- 3000` sets how many
//! milliseconds are measured for each line.

#![expect(
    clippy::unwrap_used,
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

mod attack;
mod data;
mod light;

use std::path::Path;
use std::time::Duration;

use sextant::app::App;

use attack::Attack;
use home::home;
use light::Light;

/// How long each line is measured.
const MEASURED_MS: u64 = 10_000;

fn main() {
    let home = home();
    let config = in_process::config(home.path());
    let measure = async |app: &App| measure(app, home.path()).await;
    in_process::measured(config, |ports| ports, measure);
}

/// The time for each line: the argument that is a number.
fn measured() -> Duration {
    let mut words = std::env::args().skip(1);
    let given = words.find_map(|word| word.parse().ok());
    Duration::from_millis(given.unwrap_or(MEASURED_MS))
}

async fn measure(app: &App, home: &Path) {
    data::fill(app, home).await;
    let light = Light::open(app).await;
    // The first answers of a service are not measured.
    light.asks_for(measured() / 4).await;
    println!("| beside | asked | p50 ms | p99 ms | slowest ms | × alone, p99 |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let alone = light.asks_for(measured()).await;
    alone.print("nobody", &alone);
    for attack in Attack::ALL {
        let under_way = attack.begin(app).await;
        let beside = light.asks_for(measured()).await;
        beside.print(attack.name(), &alone);
        under_way.end(app).await;
    }
}
