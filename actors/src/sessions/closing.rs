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

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use actix_rt::{Arbiter, System};

    use super::*;
    use crate::sessions::table::tests::live;

    /// Begins to wait for this gate on an arbiter, and goes on elsewhere.
    fn begin_to_wait(arbiter: &Arbiter, gate: Gate) -> impl Future<Output = CloseReason> + use<> {
        let (hand_over, waiting) = std::sync::mpsc::channel();
        arbiter.spawn_fn(move || {
            let mut closed = Box::pin(async move { gate.closed().await });
            let polled = closed
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending());
            hand_over.send(closed).unwrap();
        });
        waiting.recv().unwrap()
    }

    #[test]
    fn what_waits_is_woken_wherever_it_is_and_whatever_became_of_its_thread() {
        System::new().block_on(async {
            let (running, ended) = (Arbiter::new(), Arbiter::new());
            let sessions = ["a", "b", "c"].map(|id| live(id, "amy", 1));
            let [a, b, c] = sessions.each_ref().map(|live| live.gate.clone());
            let on_running = begin_to_wait(&running, a);
            let on_ended = begin_to_wait(&ended, b);
            ended.stop();
            ended.join().unwrap();
            let closed = ClosedSessions::close(sessions.to_vec(), CloseReason::GrantChanged);
            assert_eq!(closed.ended(), 3);
            let reason = CloseReason::GrantChanged;
            assert_eq!((on_running.await, on_ended.await), (reason, reason));
            let mut settled = pin!(c.settled());
            let mut now = Context::from_waker(Waker::noop());
            assert!(settled.as_mut().poll(&mut now).is_pending());
            drop(closed);
            assert!(settled.as_mut().poll(&mut now).is_ready());
            running.stop();
        });
    }
}
