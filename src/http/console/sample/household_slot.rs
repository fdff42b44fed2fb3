use std::time::Duration;

use crate::capacity::Slot;
use crate::http::console::Parts;
use crate::http::problem::{Code, Problem};

/// How long a request waits for those before it.
const WAIT_MAX: Duration = Duration::from_secs(180);

/// Waits for the one slot that loading and removing share, so that they happen one after the other, in the order in which they were
/// requested: a removal that ran beside a load would find nothing yet. Held until all of an act is done: stored, published and in the
/// audit log.
///
/// # Errors
/// When the acts before take longer than the wait.
pub(super) async fn take_slot(parts: &Parts) -> Result<Slot, Problem> {
    let slot = parts.sample_slot.take_within(WAIT_MAX).await;
    slot.ok_or_else(|| {
        Problem::new(
            Code::Unavailable,
            "the sample household is still being loaded or removed; nothing was changed, ask again later",
        )
    })
}
