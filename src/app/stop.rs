//! The ordered stop. Each step has a deadline, and says what it left behind.

use std::future::Future;
use std::time::Duration;

use tokio::time::timeout;

use super::App;
use crate::db::Database;

/// How long one step may take.
const STEP_MAX: Duration = Duration::from_secs(10);

/// What a stop could not finish.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Steps that did not end in time or failed.
    pub steps: Vec<&'static str>,
    /// Rows of the record that could not be written.
    pub rows: usize,
}

impl App {
    /// Stops everything in order.
    pub async fn stop(self) -> Left {
        let mut left = Left::default();
        self.roll.abort();
        step(&mut left, "sessions", self.tree.close_sessions()).await;
        step(&mut left, "connections", self.tree.halt_connections()).await;
        step(&mut left, "exports", self.exports.end()).await;
        for door in [self.doors.console, self.doors.agents] {
            step(&mut left, "servers", async {
                door.handle.stop(true).await;
                let _its_error_was_logged = door.task.await;
            })
            .await;
        }
        left.rows = step(&mut left, "record", self.tree.drain())
            .await
            .unwrap_or_default();
        step(&mut left, "journal", self.tree.close_journal()).await;
        close(&mut left, self.database).await;
        report(&left);
        left
    }
}

/// Stops the database of a service that did not come to be.
pub(super) async fn close_unused(database: Database) {
    let mut left = Left::default();
    close(&mut left, database).await;
    report(&left);
}

async fn close(left: &mut Left, database: Database) {
    if let Some(Err(error)) = step(left, "database", database.stop()).await {
        log::error!("{error}");
        left.steps.push("database");
    }
}

async fn step<T>(left: &mut Left, name: &'static str, work: impl Future<Output = T>) -> Option<T> {
    let done = timeout(STEP_MAX, work).await.ok();
    if done.is_none() {
        left.steps.push(name);
    }
    done
}

fn report(left: &Left) {
    if left.steps.is_empty() && left.rows == 0 {
        log::info!("stopped; nothing was left behind");
    } else {
        log::warn!(
            "stopped; not finished: {:?}, rows of the record not written: {}",
            left.steps,
            left.rows
        );
    }
}
