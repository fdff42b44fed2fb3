use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::SetOnce;

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
    closed: SetOnce<CloseReason>,
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
        let _held = self
            .0
            .passing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
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
        *self.0.closed.wait().await
    }

    /// Closes it for good; false when it was closed already, and then the first reason stays. When this returns nothing passes any
    /// more, nor is anything still passing.
    pub(crate) fn close(&self, reason: CloseReason) -> bool {
        let _held = self
            .0
            .passing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.0.closed.set(reason).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
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
}
