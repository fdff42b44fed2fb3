//! Parses the next batch of a push while the database stores the one before.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::ingest::batches::Batch;
use crate::ingest::prepare::Prepared;
use crate::ingest::problem::Unreadable;

/// Batches that are parsed ahead of the database.
const BATCHES_AHEAD_MAX: usize = 1;

/// The batches of the spool, in the order of the push.
pub(super) type BatchesAhead = mpsc::Receiver<Result<Batch, Unreadable>>;

/// Reads the spool on a thread for blocking work. A batch is read only when the channel has room for it: a batch may be as large
/// as the largest record, so no further one is held in memory.
pub(super) fn read_ahead(prepared: Arc<Prepared>) -> (BatchesAhead, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(BATCHES_AHEAD_MAX);
    let runtime = Handle::current();
    let reader = spawn_blocking(move || match prepared.batches() {
        Ok(mut batches) => {
            while let Ok(room) = runtime.block_on(sender.reserve()) {
                let Some(batch) = batches.next() else { break };
                room.send(batch);
            }
        }
        Err(cause) => {
            let _the_transaction_has_ended = sender.blocking_send(Err(Unreadable::Spool(cause)));
        }
    });
    (receiver, reader)
}
