//! Loading and removing the sample take turns, in the order in which they were asked for: a removal that came while a load
//! was under way would find nothing yet, and the load would go on behind it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::timeout;

use crate::http::problem::{Code, Problem};

/// How long one waits for those before it.
const WAIT_MAX: Duration = Duration::from_secs(180);

/// Whose turn it is.
#[derive(Clone, Debug, Default)]
pub struct Turns(Arc<Mutex<()>>);

/// Held until all of an act is done: stored, published and recorded.
#[must_use]
pub struct Turn {
    _until_dropped: OwnedMutexGuard<()>,
}

impl Turns {
    /// # Errors
    /// When those before it do not end.
    pub async fn wait(&self) -> Result<Turn, Problem> {
        let free = timeout(WAIT_MAX, Arc::clone(&self.0).lock_owned()).await;
        free.map(|free| Turn {
            _until_dropped: free,
        })
        .map_err(|_too_long| {
            Problem::new(
                Code::Unavailable,
                "the sample household is still being loaded or removed; nothing was changed, ask again later",
            )
        })
    }
}
