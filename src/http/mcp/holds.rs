//! What the call of one request, inside rmcp, leaves for its answer, outside: what is held until the body has been handed over, and
//! whether the call was turned away, since as much is under way already as may be.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::domain::AnswerHold;

/// The way from a call to its body.
#[derive(Clone)]
pub(super) struct CallHolds(Arc<Mutex<State>>);

enum State {
    /// The body may still be handed over.
    Under {
        held: Vec<AnswerHold>,
        is_turned_away: bool,
    },
    /// It has been, or was given up: nothing is held for it any more.
    Over,
}

/// The body's end of it: what is held is given back when this is dropped.
pub(super) struct BodyHold(CallHolds);

impl CallHolds {
    /// For one request: its end for the body, and that for the call.
    pub(super) fn of_request() -> (BodyHold, CallHolds) {
        let holds = CallHolds(Arc::new(Mutex::new(State::Under {
            held: Vec::new(),
            is_turned_away: false,
        })));
        (BodyHold(holds.clone()), holds)
    }

    /// Holds `hold` until the body is over.
    pub(super) fn keep(&self, hold: AnswerHold) {
        if let State::Under { held, .. } = &mut *self.lock() {
            held.push(hold);
        }
    }

    /// The call was turned away.
    pub(super) fn turn_away(&self) {
        if let State::Under { is_turned_away, .. } = &mut *self.lock() {
            *is_turned_away = true;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyHold {
    /// Whether the call was turned away.
    pub(super) fn is_turned_away(&self) -> bool {
        matches!(
            &*self.0.lock(),
            State::Under {
                is_turned_away: true,
                ..
            }
        )
    }
}

impl Drop for BodyHold {
    fn drop(&mut self) {
        *self.0.lock() = State::Over;
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
