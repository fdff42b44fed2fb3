//! The ordered stop. Each step has a deadline, and the result says which steps did not end.

use std::future::Future;
use std::time::Duration;

use tokio::time::timeout;

use super::App;
use crate::db::Database;

/// How long one step may take.
const STEP_MAX: Duration = Duration::from_secs(10);

/// What a stop could not finish.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// Steps that did not end in time or failed.
    pub steps: Vec<&'static str>,
    /// Rows of the audit log that could not be written; 0 if that step did not end.
    pub rows: usize,
}

impl App {
    /// Stops everything in order.
    pub async fn stop(self) -> Unfinished {
        let mut unfinished = Unfinished::default();
        self.roll.abort();
        step(&mut unfinished, "sessions", self.tree.close_sessions()).await;
        step(&mut unfinished, "connections", self.tree.halt_connections()).await;
        self.events.end();
        step(&mut unfinished, "exports", self.exports.end()).await;
        step(&mut unfinished, "uploads", self.uploads.stop()).await;
        for server in [self.servers.console, self.servers.agents] {
            step(&mut unfinished, "servers", async {
                server.handle.stop(true).await;
                let _its_error_was_logged = server.task.await;
            })
            .await;
        }
        unfinished.rows = step(&mut unfinished, "record", self.tree.drain())
            .await
            .unwrap_or_default();
        step(&mut unfinished, "journal", self.tree.close_journal()).await;
        close(&mut unfinished, self.database).await;
        report(&unfinished);
        unfinished
    }
}

/// Stops the database of a service that did not start.
pub(super) async fn close_unused(database: Database) {
    let mut unfinished = Unfinished::default();
    close(&mut unfinished, database).await;
    report(&unfinished);
}

async fn close(unfinished: &mut Unfinished, database: Database) {
    if let Some(Err(error)) = step(unfinished, "database", database.stop()).await {
        log::error!("{error}");
        unfinished.steps.push("database");
    }
}

async fn step<T>(
    unfinished: &mut Unfinished,
    name: &'static str,
    work: impl Future<Output = T>,
) -> Option<T> {
    let done = timeout(STEP_MAX, work).await.ok();
    if done.is_none() {
        unfinished.steps.push(name);
    }
    done
}

fn report(unfinished: &Unfinished) {
    if unfinished.steps.is_empty() && unfinished.rows == 0 {
        log::info!("stopped; nothing was left behind");
    } else {
        log::warn!(
            "stopped; not finished: {:?}, rows of the record not written: {}",
            unfinished.steps,
            unfinished.rows
        );
    }
}
