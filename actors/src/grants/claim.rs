use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const WAITING: u8 = 0;
const BEGUN: u8 = 1;
const WITHDRAWN: u8 = 2;

/// Shared by an edit and its sender: decides once whether the edit begins or is withdrawn. A sender without an answer that withdraws in
/// time knows that nothing was done and nothing will be.
#[derive(Clone, Debug, Default)]
pub(super) struct Claim(Arc<AtomicU8>);

impl Claim {
    /// The worker begins; false when the sender has withdrawn.
    pub(super) fn begin(&self) -> bool {
        self.decide(BEGUN)
    }

    /// The sender withdraws; false when the work has begun.
    pub(super) fn withdraw(&self) -> bool {
        self.decide(WITHDRAWN)
    }

    fn decide(&self, wanted: u8) -> bool {
        self.0
            .compare_exchange(WAITING, wanted, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_comes_first_decides() {
        let begun = Claim::default();
        assert!(begun.begin() && !begun.withdraw());
        let withdrawn = Claim::default();
        assert!(withdrawn.withdraw() && !withdrawn.begin());
    }
}
