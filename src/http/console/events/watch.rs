//! The task that looks while somebody listens.

use std::time::Duration;

use actix_web::web;
use tokio::time::{Instant, sleep};

use super::console_event::ConsoleEvent;
use super::reading::Reading;
use super::streams::ChangeWatcher;
use crate::http::console::Parts;
use crate::http::console::status::{self, OperatorNeeds};
use crate::store;

/// The time between two looks, so that what comes in bursts is told twice a second at most.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The time between two looks at what needs the operator, which asks the database.
const ATTENTION_EVERY: Duration = Duration::from_secs(5);

/// Starts the task, if none runs: what changes after this returns is told. It ends when nobody listens any more.
pub(super) async fn start_unless_running(parts: &web::Data<Parts>) {
    if let Some(watcher) = parts.events.try_watch() {
        let begun = LastSeen::take(parts).await;
        actix_web::rt::spawn(watch(parts.clone(), watcher, begun));
    }
}

/// What was seen last, and when what needs the operator was.
struct LastSeen {
    reading: Reading,
    needs: OperatorNeeds,
    attended_at: Instant,
}

impl LastSeen {
    async fn take(parts: &Parts) -> Self {
        Self {
            reading: Reading::take(parts).await,
            needs: status::needs(parts).await,
            attended_at: Instant::now(),
        }
    }
}

async fn watch(parts: web::Data<Parts>, watcher: ChangeWatcher, begun: LastSeen) {
    let mut last = look_while_heard(&parts, watcher, begun).await;
    // Whoever opened a stream while the last look ended has found the place taken.
    while let Some(watcher) = parts.events.try_watch_again() {
        last = look_while_heard(&parts, watcher, last).await;
    }
}

/// Looks until nobody listens; the last look.
async fn look_while_heard(parts: &Parts, watcher: ChangeWatcher, mut last: LastSeen) -> LastSeen {
    while watcher.has_readers() {
        sleep(LOOK_EVERY).await;
        let now = Reading::take(parts).await;
        for event in now.changes_since(&last.reading) {
            watcher.tell(event);
        }
        match now.rows_since(&last.reading) {
            0 => {}
            count => watcher.tell(audit(parts, count).await),
        }
        last.reading = now;
        if last.attended_at.elapsed() >= ATTENTION_EVERY {
            let now = status::needs(parts).await;
            for event in changes(&last.needs, &now) {
                watcher.tell(event);
            }
            (last.needs, last.attended_at) = (now, Instant::now());
        }
    }
    last
}

/// What needs the operator other than before.
fn changes(before: &OperatorNeeds, now: &OperatorNeeds) -> Vec<ConsoleEvent> {
    let count = now.attention.len();
    let attention =
        (now.attention != before.attention).then_some(ConsoleEvent::Attention { count });
    let open = now.duplicates_open;
    let duplicates = (open != before.duplicates_open).then_some(ConsoleEvent::Duplicates { open });
    attention.into_iter().chain(duplicates).collect()
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
