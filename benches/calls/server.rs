//! A server of MCP, and its measurements under a load.

use std::time::Duration;

use super::anchors::Anchor;
use super::figures::Cell;
use super::load::{self, Caller};
use super::processor::{self, Postgres};

/// How long each measurement lasts.
pub const CELL: Duration = Duration::from_secs(2);

pub struct Server {
    pub name: String,
    pub pid: i32,
    pub postgres: Postgres,
    pub callers: Vec<Caller>,
}

impl Server {
    /// Measures this many clients, after they have run for `run_in`.
    pub async fn measure(&self, anchor: &Anchor, clients: usize, run_in: Duration) -> Cell {
        let callers = self.callers.get(..clients).unwrap();
        let mut connections = load::connect(callers, anchor).await;
        load::run(&mut connections, run_in).await;
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
