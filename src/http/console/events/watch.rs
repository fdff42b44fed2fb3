//! The task that looks while somebody listens.

use std::time::Duration;

use actix_web::web;
use tokio::time::{Instant, sleep};

use super::console_event::ConsoleEvent;
use super::reading::Reading;
use super::streams::ChangeWatcher;
use crate::http::console::{Parts, status};
use crate::store;

/// The time between two looks, so that what comes in bursts is told twice a second at most.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The time between two looks at what needs the operator, which asks the database.
const ATTENTION_EVERY: Duration = Duration::from_secs(5);

/// Starts the task, if none runs. It ends when nobody listens any more.
pub(super) fn start_unless_running(parts: &web::Data<Parts>) {
    if let Some(watcher) = parts.events.try_watch() {
        actix_web::rt::spawn(watch(parts.clone(), watcher));
    }
}

async fn watch(parts: web::Data<Parts>, watcher: ChangeWatcher) {
    let mut reading = Reading::take(&parts).await;
    let mut attention = status::attention(&parts).await;
    let mut attended_at = Instant::now();
    while watcher.has_readers() {
        sleep(LOOK_EVERY).await;
        let now = Reading::take(&parts).await;
        for event in now.changes_since(&reading) {
            watcher.tell(event);
        }
        match now.rows_since(&reading) {
            0 => {}
            count => watcher.tell(audit(&parts, count).await),
        }
        reading = now;
        if attended_at.elapsed() >= ATTENTION_EVERY {
            let now = status::attention(&parts).await;
            if now != attention {
                watcher.tell(ConsoleEvent::Attention { count: now.len() });
            }
            (attention, attended_at) = (now, Instant::now());
        }
    }
}

/// That rows were committed, with the newest one's id if the database tells it.
async fn audit(parts: &Parts, count: u64) -> ConsoleEvent {
    let last_id = match store::audit_read::newest_id(&parts.pool).await {
        Ok(last_id) => last_id,
        Err(cause) => {
            log::debug!("the newest row of the audit log is not known: {cause}");
            None
        }
    };
    ConsoleEvent::Audit { count, last_id }
}
