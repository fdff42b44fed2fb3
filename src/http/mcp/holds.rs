//! What the call of a request, which runs inside rmcp, passes to the body of its answer, outside: the quota that its answer holds
//! until the body is sent, and whether the call was turned away because a quota is used up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::domain::AnswerHold;

/// The call's end: takes what the body is to hold.
#[derive(Clone)]
pub(super) struct CallHolds(Arc<Mutex<HoldState>>);

enum HoldState {
    /// The body is still to be sent, or being sent.
    Open {
        held: Vec<AnswerHold>,
        is_turned_away: bool,
    },
    /// The body was sent or dropped; nothing more is held for it.
    Closed,
}

/// The body's end: what is held is given back when this is dropped.
pub(super) struct BodyHold(CallHolds);

impl CallHolds {
    /// The two ends for one request.
    pub(super) fn of_request() -> (BodyHold, CallHolds) {
        let holds = CallHolds(Arc::new(Mutex::new(HoldState::Open {
            held: Vec::new(),
            is_turned_away: false,
        })));
        (BodyHold(holds.clone()), holds)
    }

    /// Holds `hold` until the body is sent or dropped.
    pub(super) fn keep(&self, hold: AnswerHold) {
        if let HoldState::Open { held, .. } = &mut *self.lock() {
            held.push(hold);
        }
    }

    /// Marks the call as turned away.
    pub(super) fn turn_away(&self) {
        if let HoldState::Open { is_turned_away, .. } = &mut *self.lock() {
            *is_turned_away = true;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HoldState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyHold {
    /// Whether the call was turned away.
    pub(super) fn is_turned_away(&self) -> bool {
        matches!(
            &*self.0.lock(),
            HoldState::Open {
                is_turned_away: true,
                ..
            }
        )
    }
}

impl Drop for BodyHold {
    fn drop(&mut self) {
        *self.0.lock() = HoldState::Closed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_ends_with_the_body_wherever_the_call_is() {
        let (body, call) = CallHolds::of_request();
        let (early, late) = (Arc::new(()), Arc::new(()));
        call.keep(AnswerHold::of(early.clone()));
        assert_eq!(Arc::strong_count(&early), 2);
        drop(body);
        assert_eq!(Arc::strong_count(&early), 1);
        call.keep(AnswerHold::of(late.clone()));
        assert_eq!(Arc::strong_count(&late), 1);
    }
}
