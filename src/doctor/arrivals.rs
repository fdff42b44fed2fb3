//! Nonces that are on their way: sent out by the doctor, expected at the agent port.

use std::sync::{Arc, Mutex, PoisonError};

/// Where on the agent port they arrive: below this path.
pub(crate) const ARRIVAL_PATH: &str = "/.well-known/sextant/";

/// The nonce that is expected now, if one is; clones share it. One check is under way at a time, so there is never a second one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals(Arc<Mutex<Option<ExpectedNonce>>>);

#[derive(Debug)]
struct ExpectedNonce {
    nonce: String,
    arrived: Option<ArrivedBy>,
}

/// By which name a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrivedBy {
    PublicName,
    /// A name of this computer.
    OwnName,
}

impl Arrivals {
    /// Takes note of a nonce; whether it is the one that is expected.
    pub(crate) fn note(&self, nonce: &str, by: ArrivedBy) -> bool {
        let mut expected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = expected.as_mut().filter(|expected| expected.nonce == nonce);
        match own {
            Some(expected) => {
                expected.arrived = Some(by);
                true
            }
            None => false,
        }
    }

    pub(super) fn announce(&self, nonce: &str) {
        let mut expected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *expected = Some(ExpectedNonce {
            nonce: nonce.to_owned(),
            arrived: None,
        });
    }

    /// By which name it has arrived; it is expected no more.
    pub(super) fn take(&self) -> Option<ArrivedBy> {
        let mut expected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        expected.take()?.arrived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_nonce_that_is_expected_arrives_and_only_once() {
        let arrivals = Arrivals::default();
        assert!(!arrivals.note("a", ArrivedBy::PublicName));
        arrivals.announce("a");
        assert!(!arrivals.note("b", ArrivedBy::PublicName));
        assert!(arrivals.clone().note("a", ArrivedBy::OwnName));
        assert_eq!(arrivals.take(), Some(ArrivedBy::OwnName));
        assert!(!arrivals.note("a", ArrivedBy::PublicName));
        assert_eq!(arrivals.take(), None);
    }
}
