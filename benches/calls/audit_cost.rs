//! What the audit log costs a call: services that differ only in where their audit rows go.
//!
//! Each is this program in a process of its own, on a database of its own with the same rows. They are measured in
//! turn, and each round begins with another one. A service is under load for as long as an audit row may wait for the
//! database before the clock starts, so that it writes as many rows as it makes meanwhile; afterwards it is left
//! alone until all its rows are written, before the next one's turn.

use std::time::Duration;

use tempfile::TempDir;

use super::anchors::{ANCHORS, Anchor};
use super::audit::{AuditTarget, SERVE};
use super::figures::Figures;
use super::fill::fill;
use super::home::home;
use super::load::{CLIENTS, CLIENTS_MAX};
use super::processor::{self, Postgres};
use super::server::Server;
use super::service::Service;

/// The queries: a page of rows, and a single one.
const ASKED: [&str; 2] = ["Q1", "Q4"];
/// Rounds; the table shows medians. Each service is first in a third of them.
const ROUNDS: usize = 9;
/// No row waits longer for the database.
const RUN_IN: Duration = Duration::from_millis(1200);

/// A service with its destination of audit rows.
struct Recorded {
    target: AuditTarget,
    server: Server,
    service: Service,
    _home: TempDir,
}

pub async fn measure() {
    let mut all = Vec::new();
    for target in AuditTarget::ALL {
        all.push(Recorded::start(target).await);
    }
    println!("load before: {}", processor::load());
    let figures = rounds(&mut all).await;
    let table = figures.table("record", &[AuditTarget::Dropped.name()]);
    println!("load after: {}\n\n{table}", processor::load());
    for each in &all {
        each.check().await;
    }
}

async fn rounds(all: &mut [Recorded]) -> Figures {
    let mut figures = Figures::default();
    for _ in 0..ROUNDS {
        for anchor in anchors() {
            for clients in CLIENTS {
                for each in &*all {
                    let cell = each.server.measure(anchor, clients, RUN_IN);
                    figures.add(cell.await);
                    each.service.wait_for_audit_rows().await;
                }
            }
        }
        all.rotate_left(1);
    }
    figures
}

fn anchors() -> impl Iterator<Item = &'static Anchor> {
    ANCHORS.iter().filter(|anchor| ASKED.contains(&anchor.name))
}

impl Recorded {
    async fn start(target: AuditTarget) -> Self {
        let home = home();
        let own = std::env::current_exe().unwrap();
        let service = Service::start(&own, &[SERVE, target.name()], home.path()).await;
        fill(&service).await;
        let server = Server {
            name: target.name().to_owned(),
            pid: service.pid(),
            postgres: Postgres::at(&service.cluster()),
            callers: service.stateless(CLIENTS_MAX).await,
        };
        Self {
            target,
            server,
            service,
            _home: home,
        }
    }

    /// Asserts that its audit rows went where they should.
    async fn check(&self) {
        let rows = self.service.audit_rows().await;
        let journaled = self.service.figure("sextant_audit_journaled_total").await;
        let late = self.service.figure("sextant_audit_unjournaled_total").await;
        let lost = self.service.figure("sextant_audit_dropped_total").await;
        assert_eq!(rows > 0, self.target != AuditTarget::Dropped);
        assert_eq!(journaled > 0.0, self.target == AuditTarget::Kept);
        assert_eq!(lost, 0.0);
        println!(
            "{}: {rows} rows, {journaled:.0} of them in the journal, {late:.0} not before their answer",
            self.target.name()
        );
    }
}
