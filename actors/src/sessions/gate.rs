use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

use actix_rt::{Arbiter, ArbiterHandle};
use tokio::sync::{Notify, SetOnce};

/// Why a session's gate was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The grant was edited, revoked or removed, or its deadline has passed.
    GrantChanged,
    /// The client ended it.
    Ended,
    /// Idle too long, or the oldest idle one made room.
    Idle,
    /// The service stops, or the session's actor crashed.
    Stopped,
}

/// Refused by a closed gate: nothing computed under the old grant may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateClosed(pub CloseReason);

#[derive(Default)]
struct GateState {
    /// Locked while bytes are handed over, and while the gate is closed.
    passing: Mutex<()>,
    closed: OnceLock<CloseReason>,
    /// Wakes what waits until it is closed.
    woken: Notify,
    /// Set after that.
    settled: SetOnce<()>,
    /// Where something began to wait last.
    waiting: Mutex<Option<WaitingThread>>,
}

/// A thread on which something waits for a gate.
#[derive(Clone)]
pub(super) struct WaitingThread {
    pub(super) id: ThreadId,
    pub(super) arbiter: ArbiterHandle,
}

/// Decides whether bytes of a session may leave. Shared by the session and everything that hands out its bytes; once closed it never
/// opens again.
#[derive(Clone, Default)]
pub struct Gate(Arc<GateState>);

impl Gate {
    /// Runs `hand_over` while the gate is held open; closing waits until it has returned. It must be short and must not come back to
    /// this gate: one chunk of a body, no more.
    ///
    /// # Errors
    /// When the gate is closed; `hand_over` is then dropped without being run.
    pub fn pass<T>(&self, hand_over: impl FnOnce() -> T) -> Result<T, GateClosed> {
        let _held = lock(&self.0.passing);
        match self.state() {
            Some(reason) => Err(GateClosed(reason)),
            None => Ok(hand_over()),
        }
    }

    /// Why it is closed, if it is.
    pub fn state(&self) -> Option<CloseReason> {
        self.0.closed.get().copied()
    }

    /// Waits until it is closed.
    pub async fn closed(&self) -> CloseReason {
        // From here on it is woken, also by a wake before it waits.
        let woken = self.0.woken.notified();
        if let Some(reason) = self.state() {
            return reason;
        }
        self.note_waiting();
        woken.await;
        // Only a closed gate wakes.
        self.state().unwrap_or(CloseReason::Stopped)
    }

    /// Waits until it is closed and all that waits in [`Gate::closed`] was woken: for what need not be done before the last bytes leave.
    pub async fn settled(&self) {
        self.0.settled.wait().await;
    }

    /// Closes it for good; false when it was closed already, and then the first reason stays. When this returns nothing passes any
    /// more, nor is anything still passing.
    pub(crate) fn close(&self, reason: CloseReason) -> bool {
        let is_first = self.shut(reason);
        if is_first {
            self.wake();
            self.settle();
        }
        is_first
    }

    /// The same, but what waits for it goes on waiting: whoever shuts it wakes and settles it.
    pub(super) fn shut(&self, reason: CloseReason) -> bool {
        let _held = lock(&self.0.passing);
        self.0.closed.set(reason).is_ok()
    }

    /// Wakes what waits until it is closed.
    pub(super) fn wake(&self) {
        self.0.woken.notify_waiters();
    }

    /// Wakes what waits until it is settled.
    pub(super) fn settle(&self) {
        // Settled twice is settled.
        let _twice = self.0.settled.set(());
    }

    /// Where something began to wait last; `None` outside of actix.
    pub(super) fn waiting_thread(&self) -> Option<WaitingThread> {
        lock(&self.0.waiting).clone()
    }

    fn note_waiting(&self) {
        let id = thread::current().id();
        let mut waiting = lock(&self.0.waiting);
        if waiting.as_ref().is_none_or(|known| known.id != id) {
            *waiting = Arbiter::try_current().map(|arbiter| WaitingThread { id, arbiter });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
    use std::task::{Context, Poll, Waker};
    use std::thread;

    use super::*;

    #[test]
    fn r504_closing_waits_until_what_is_passing_has_passed() {
        let gate = Gate::default();
        let passed = AtomicBool::new(false);
        let (entered, inside) = mpsc::channel();
        let (go_on, held) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let (gate, passed) = (&gate, &passed);
            scope.spawn(move || {
                gate.pass(|| {
                    entered.send(()).unwrap();
                    held.recv().unwrap();
                    passed.store(true, Ordering::SeqCst);
                })
            });
            inside.recv().unwrap();
            let closing = scope.spawn(|| {
                let first = gate.close(CloseReason::GrantChanged);
                (first, passed.load(Ordering::SeqCst))
            });
            go_on.send(()).unwrap();
            assert_eq!(closing.join().unwrap(), (true, true));
        });
        let mut bytes = 0;
        let closed = GateClosed(CloseReason::GrantChanged);
        assert_eq!(gate.pass(|| bytes += 1), Err(closed));
        assert_eq!(bytes, 0);
    }

    #[test]
    fn a_closed_gate_never_opens_again_and_keeps_its_first_reason() {
        let gate = Gate::default();
        assert_eq!((gate.state(), gate.pass(|| 1)), (None, Ok(1)));
        assert!(gate.close(CloseReason::Ended));
        assert!(!gate.close(CloseReason::Stopped));
        assert_eq!(gate.state(), Some(CloseReason::Ended));
    }

    #[test]
    fn what_waits_for_a_gate_that_is_shut_is_woken_and_then_settled() {
        let gate = Gate::default();
        let mut now = Context::from_waker(Waker::noop());
        let (mut closed, mut settled) = (pin!(gate.closed()), pin!(gate.settled()));
        assert!(closed.as_mut().poll(&mut now).is_pending());
        assert!(gate.shut(CloseReason::GrantChanged));
        let refused = GateClosed(CloseReason::GrantChanged);
        assert_eq!(gate.pass(|| ()), Err(refused), "before anything is woken");
        assert!(closed.as_mut().poll(&mut now).is_pending());
        gate.wake();
        let reason = Poll::Ready(CloseReason::GrantChanged);
        assert_eq!(closed.as_mut().poll(&mut now), reason);
        assert!(!gate.close(CloseReason::Stopped));
        let is_settled = settled.as_mut().poll(&mut now).is_ready();
        assert!(!is_settled, "whoever shut it settles it");
        gate.settle();
        assert!(settled.as_mut().poll(&mut now).is_ready());
    }
}
