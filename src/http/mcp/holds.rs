//! What is held for the answer to one request, from the call that made it, inside rmcp, to the body that hands it over, outside.

use std::sync::{Arc, Mutex, PoisonError};

use sextant_actors::domain::Hold;

/// The way from a call to its body.
#[derive(Clone)]
pub struct Holds(Arc<Mutex<State>>);

enum State {
    /// The body may still be handed over.
    Under(Vec<Hold>),
    /// It has been, or was given up: nothing is held for it any more.
    Over,
}

/// The body's end of it: what is held is given back when this is dropped.
pub struct Held(Holds);

impl Holds {
    /// For one request: its end for the body, and that for the call.
    pub fn of_request() -> (Held, Holds) {
        let holds = Holds(Arc::new(Mutex::new(State::Under(Vec::new()))));
        (Held(holds.clone()), holds)
    }

    /// Holds `hold` until the body is over.
    pub fn keep(&self, hold: Hold) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Under(held) = &mut *state {
            held.push(hold);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = State::Over;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_ends_with_the_body_wherever_the_call_is() {
        let (body, call) = Holds::of_request();
        let (early, late) = (Arc::new(()), Arc::new(()));
        call.keep(Hold::of(early.clone()));
        assert_eq!(Arc::strong_count(&early), 2);
        drop(body);
        assert_eq!(Arc::strong_count(&early), 1);
        call.keep(Hold::of(late.clone()));
        assert_eq!(Arc::strong_count(&late), 1);
    }
}
