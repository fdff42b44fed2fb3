//! What a `tools/call` costs: compared with PostgreSQL alone, and with the tool that a person would use instead
//! (`cargo bench --profile dist --bench calls`); and what the audit log adds to it (`cargo bench --profile dist --bench calls -- audit`).
//!
//! ```text
//! anchors.rs  the queries, as arguments and as the SQL that our compiler makes of them
//! fill.rs     the rows they read (data.rs)          service.rs  the program itself, on its own database
//! wire.rs     one HTTP/1.1 connection               load.rs     many of them, each with a call always in flight
//! pgbench.rs  the same SQL without anything else    toolbox.rs  the same SQL behind MCP Toolbox for Databases
//! server.rs   a server that is measured             processor.rs  processor time by process
//! figures.rs  the table of rounds                   selection.rs  which rounds, anchors, clients and programs
//! deciding.rs   what checking the grant and the arguments and compiling the SQL take of it
//! audit_cost.rs  services that differ in where their audit rows go (audit.rs), beside each other
//! ```
//!
//! Every server reads the same rows as the same role through the same Unix socket of one PostgreSQL. In each round every
//! anchor is run by 1, 8 and 32 clients, on one server after the other, so that other load of the machine falls on all
//! of them. Paths of other builds' programs may be given: they are measured in the same run, on the same rows in databases of
//! their own. `--rounds=9`, `--anchors=Q1,Q4`, `--clients=8,32` and `--servers=stateless` bound what is measured
//! (selection.rs). Answers are
//! checked before a clock starts; no time is asserted.

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
#[path = "../shared/program.rs"]
mod program;

mod anchors;
mod audit;
mod audit_cost;
mod data;
mod deciding;
mod figures;
mod fill;
mod load;
mod pgbench;
mod processor;
mod selection;
mod server;
mod service;
mod toolbox;
mod wire;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use audit::{AuditTarget, SERVE};
use figures::Figures;
use load::CLIENTS_MAX;
use pgbench::Pgbench;
use processor::Postgres;
use selection::Selection;
use server::{CELL, Server};
use service::Service;
use tempfile::TempDir;
use toolbox::Toolbox;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let words = std::env::args().skip(1).filter(|word| word != "--bench");
    let words: Vec<String> = words.collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [SERVE, target, "--data-dir", data] => {
            return AuditTarget::named(target).serve(Path::new(data));
        }
        ["audit"] => block_on(audit_cost::measure()),
        _ => block_on(measure(&Selection::read(&words))),
    }
    ExitCode::SUCCESS
}

fn block_on(measure: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(measure);
}

async fn measure(selected: &Selection) {
    println!("{}", deciding::table());
    let own = PathBuf::from(env!("CARGO_BIN_EXE_sextant"));
    let (home, service) = filled(&own).await;
    let mut servers = clients_of(&service, "sextant").await;
    // With the same rows in databases of their own.
    let mut others = Vec::new();
    for program in &selected.programs {
        let other = filled(program).await;
        let name = program.file_name().unwrap().to_string_lossy();
        servers.extend(clients_of(&other.1, &name).await);
        others.push(other);
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
    servers.retain(|server| selected.has_server(&server.name));
    let pgbench = Pgbench::new(home.path(), &service);
    println!("load before: {}", processor::load());
    let figures = rounds(selected, &pgbench, &servers).await;
    let table = figures.table("server", &["pgbench", "toolbox"]);
    println!("load after: {}\n\n{table}", processor::load());
}

/// A program that serves the rows, and the folder of its database.
async fn filled(program: &Path) -> (TempDir, Service) {
    let home = home::home();
    let service = Service::start(program, &[], home.path()).await;
    fill::fill(&service).await;
    (home, service)
}

/// A service as seen by the clients of one agent, in both eras, and by as many agents as there are clients.
async fn clients_of(service: &Service, name: &str) -> Vec<Server> {
    let server = |whose: &str, callers| Server {
        name: format!("{name}, {whose}"),
        pid: service.pid(),
        postgres: Postgres::at(&service.cluster()),
        callers,
    };
    vec![
        server("session", service.sessions(CLIENTS_MAX).await),
        server("stateless", service.stateless(CLIENTS_MAX).await),
        server("an agent each", service.agents(CLIENTS_MAX).await),
    ]
}

async fn rounds(selected: &Selection, pgbench: &Pgbench, servers: &[Server]) -> Figures {
    let mut figures = Figures::default();
    for _ in 0..selected.rounds {
        for anchor in &selected.anchors {
            for clients in &selected.clients {
                figures.add(pgbench.measure(anchor, *clients, CELL).await);
                for server in servers {
                    figures.add(server.measure(anchor, *clients, Duration::ZERO).await);
                }
            }
        }
    }
    figures
}
