//! A bounded number of slots for one kind of work. Waiting callers are served in the order of their calls.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The slots of one kind of work. Clones share them.
#[derive(Clone, Debug)]
pub struct Slots(Arc<Semaphore>);

/// One or more slots, released when this is dropped. The work itself owns it, since work may outlive its request.
#[derive(Debug)]
#[must_use]
pub struct Slot {
    /// Always `Some`: the semaphore is never closed.
    _permit: Option<OwnedSemaphorePermit>,
}

impl Slots {
    /// `max` slots, all of them free.
    pub fn new(max: usize) -> Self {
        Self(Arc::new(Semaphore::new(max)))
    }

    /// A slot, if one is free now.
    pub fn try_take(&self) -> Option<Slot> {
        let permit = Arc::clone(&self.0).try_acquire_owned().ok()?;
        Some(Slot {
            _permit: Some(permit),
        })
    }

    /// A slot, if one becomes free within `wait_max`.
    pub async fn take_within(&self, wait_max: Duration) -> Option<Slot> {
        timeout(wait_max, self.take(1)).await.ok()
    }

    /// `count` slots at once, without a time limit.
    pub async fn take(&self, count: u32) -> Slot {
        Slot {
            _permit: Arc::clone(&self.0).acquire_many_owned(count).await.ok(),
        }
    }

    /// Whether nobody owns a slot, waits for one or has a clone.
    pub(super) fn is_unused(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn there_are_no_more_than_its_slots_and_each_is_free_again_when_dropped() {
        let slots = Slots::new(2);
        let held = [slots.try_take().unwrap(), slots.try_take().unwrap()];
        assert!(slots.try_take().is_none());
        assert!(slots.take(1).now_or_never().is_none());
        let [first, second] = held;
        drop(first);
        assert!(slots.take(2).now_or_never().is_none());
        drop(second);
        assert!(slots.take(2).now_or_never().is_some());
        assert!(slots.is_unused());
    }

    #[test]
    fn whoever_asked_first_is_served_first() {
        let slots = Slots::new(1);
        let held = slots.try_take().unwrap();
        let mut first = Box::pin(slots.take(1));
        assert!(first.as_mut().now_or_never().is_none());
        drop(held);
        assert!(slots.try_take().is_none(), "it is the first one's already");
        assert!(first.now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_wait_that_is_too_long_ends_without_a_slot() {
        let slots = Slots::new(1);
        let _held = slots.try_take().unwrap();
        assert!(slots.take_within(Duration::ZERO).await.is_none());
    }
}
