//! What a `tools/call` costs: beside PostgreSQL alone, and beside the tool that a person would take instead
//! (`cargo bench --bench calls`).
//!
//! ```text
//! anchors.rs  the questions, as arguments and as the SQL that our compiler makes of them
//! data.rs     the rows they are asked of            service.rs  the program itself, on its own database
//! wire.rs     one HTTP/1.1 connection               load.rs     many of them, asking as fast as they are answered
//! pgbench.rs  the same SQL without anything else    toolbox.rs  the same SQL behind MCP Toolbox for Databases
//! processor.rs  who used the processor              figures.rs  rounds to the table
//! deciding.rs   what the grant's and the arguments' check and the compiler cost of it
//! ```
//!
//! Every server reads the same rows as the same role through the same Unix socket of one PostgreSQL. In each round every
//! anchor is asked by 1, 8 and 32 clients, of one server after the other, so that what else the machine does falls on all
//! of them. The path of another build's program may be given (`-- PATH`): it is measured in the same run, on the same rows
//! in a database of its own. That answers are right is asserted before a clock starts, no time is.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/home.rs"]
mod home;
#[path = "../shared/program.rs"]
mod program;

mod anchors;
mod data;
mod deciding;
mod figures;
mod load;
mod pgbench;
mod processor;
mod service;
mod toolbox;
mod wire;

use std::path::Path;
use std::time::Duration;

use anchors::{ANCHORS, Anchor};
use figures::{Cell, Figures};
use load::Caller;
use pgbench::Pgbench;
use processor::Postgres;

use service::Service;
use toolbox::Toolbox;

/// Rounds that are taken; the medians count.
const ROUNDS: usize = 3;
/// How many ask at once.
const CLIENTS: [usize; 3] = [1, 8, 32];
const CLIENTS_MAX: usize = 32;
/// How long each is measured.
const CELL: Duration = Duration::from_secs(2);

/// Whoever answers over MCP.
struct Server {
    name: String,
    pid: i32,
    postgres: Postgres,
    callers: Vec<Caller>,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(measure());
}

async fn measure() {
    println!("{}", deciding::table());
    let home = home::home();
    let own = Path::new(env!("CARGO_BIN_EXE_sextant"));
    let service = Service::start(own, home.path()).await;
    data::fill(&service).await;
    let mut servers = Vec::from(eras(&service, "sextant").await);
    let other_home = home::home();
    let other = other(other_home.path()).await;
    if let Some(other) = &other {
        servers.extend(eras(other, "other").await);
    }
    let toolbox = Toolbox::start(home.path(), &service.socket()).await;
    match &toolbox {
        None => println!("without MCP Toolbox: `sh benches/calls/install.sh` brings it"),
        Some(toolbox) => servers.push(Server {
            name: "toolbox".to_owned(),
            pid: toolbox.pid(),
            postgres: Postgres::at(&service.cluster()),
            callers: toolbox.callers(CLIENTS_MAX),
        }),
    }
    let pgbench = Pgbench::new(home.path(), &service);
    println!("load before: {}", processor::load());
    let figures = rounds(&pgbench, &servers).await;
    println!("load after: {}\n\n{}", processor::load(), figures.table());
}

/// Another build's program, if its path was given: with the same rows in a database of its own.
async fn other(home: &Path) -> Option<Service> {
    let program = std::env::args()
        .skip(1)
        .find(|word| !word.starts_with("--"))?;
    let other = Service::start(Path::new(&program), home).await;
    data::fill(&other).await;
    Some(other)
}

/// A service as the clients of both eras meet it.
async fn eras(service: &Service, name: &str) -> [Server; 2] {
    let server = |era: &str, callers| Server {
        name: format!("{name}, {era}"),
        pid: service.pid(),
        postgres: Postgres::at(&service.cluster()),
        callers,
    };
    [
        server("session", service.sessions(CLIENTS_MAX).await),
        server("stateless", service.stateless(CLIENTS_MAX).await),
    ]
}

async fn rounds(pgbench: &Pgbench, servers: &[Server]) -> Figures {
    let mut figures = Figures::default();
    for _ in 0..ROUNDS {
        for anchor in &ANCHORS {
            for clients in CLIENTS {
                figures.add(pgbench.measure(anchor, clients, CELL).await);
                for server in servers {
                    figures.add(server.measure(anchor, clients).await);
                }
            }
        }
    }
    figures
}

impl Server {
    async fn measure(&self, anchor: &Anchor, clients: usize) -> Cell {
        let callers = self.callers.get(..clients).unwrap();
        let mut connections = load::connect(callers, anchor).await;
        let before = (self.postgres.used(), processor::used(self.pid));
        let run = load::run(&mut connections, CELL).await;
        Cell {
            anchor: anchor.name,
            clients,
            server: self.name.clone(),
            postgres: self.postgres.used() - before.0,
            served: processor::used(self.pid) - before.1,
            run,
        }
    }
}
