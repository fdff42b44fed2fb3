//! Ends many sessions at one time: all gates are closed first, then what waits for them is woken, on the threads where it waits.
//!
//! A wake from another thread stands behind everything that a thread wakes by itself. Each client that has read the end of its stream
//! makes work there, so the last of many streams would wait for what all others do after their end. A message to the thread wakes all
//! of them in a row.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::ThreadId;

use actix_rt::ArbiterHandle;

use super::session::LiveSession;
use super::{CloseReason, Gate};

/// Sessions whose gates are closed. They are woken and settled when this is dropped, at the latest.
pub(super) struct ClosedSessions {
    sessions: Vec<Arc<LiveSession>>,
    ended: usize,
}

impl ClosedSessions {
    /// Closes all gates, and only then begins to wake what waits for them. Nothing of these sessions passes any more.
    pub(super) fn close(sessions: Vec<Arc<LiveSession>>, reason: CloseReason) -> Self {
        let is_first = |live: &&Arc<LiveSession>| live.gate.shut(reason);
        let ended = sessions.iter().filter(is_first).count();
        let closed = Self { sessions, ended };
        closed.wake();
        closed
    }

    /// How many of the gates were open.
    pub(super) const fn ended(&self) -> usize {
        self.ended
    }

    pub(super) fn sessions(&self) -> &[Arc<LiveSession>] {
        &self.sessions
    }

    fn wake(&self) {
        let mut threads: HashMap<ThreadId, (ArbiterHandle, Wakes)> = HashMap::new();
        for live in &self.sessions {
            let Some(thread) = live.gate.waiting_thread() else {
                live.gate.wake();
                continue;
            };
            let (_, wakes) = threads
                .entry(thread.id)
                .or_insert_with(|| (thread.arbiter, Wakes::default()));
            wakes.0.push(live.gate.clone());
        }
        for (thread, wakes) in threads.into_values() {
            // A thread that has ended drops it here.
            thread.spawn_fn(move || drop(wakes));
        }
    }
}

impl Drop for ClosedSessions {
    fn drop(&mut self) {
        for live in &self.sessions {
            live.gate.wake();
            live.gate.settle();
        }
    }
}

/// Gates whose waiters are woken when this is dropped, wherever that is.
#[derive(Default)]
struct Wakes(Vec<Gate>);

impl Drop for Wakes {
    fn drop(&mut self) {
        self.0.iter().for_each(Gate::wake);
    }
}
