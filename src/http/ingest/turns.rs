//! Who waits for whom: bodies arrive side by side, and only whole ones take one of the few turns to be read and stored.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::http::problem::Code;
use crate::ingest::limits::{LARGE_BODY_BYTES, PUSHES_AT_ONCE_MAX};

use super::answer::Failure;

/// The places and turns of all pushes.
#[derive(Clone)]
pub struct Turns {
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

/// Held while a body arrives, and until it has its turn.
#[must_use]
pub struct Place {
    _until_dropped: OwnedSemaphorePermit,
}

/// Held until the work is done, by the work itself: it may outlast the request.
#[must_use]
pub struct Turn {
    _until_dropped: OwnedSemaphorePermit,
}

impl Turns {
    pub fn new(bodies_at_once_max: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(bodies_at_once_max)),
            turns: Arc::new(Semaphore::new(PUSHES_AT_ONCE_MAX)),
        }
    }

    /// A place for a body to arrive.
    pub async fn place(&self, wait_max: Duration) -> Result<Place, Failure> {
        let free = timeout(wait_max, Arc::clone(&self.places).acquire_owned()).await;
        match free {
            Ok(Ok(free)) => Ok(Place {
                _until_dropped: free,
            }),
            Ok(Err(_)) | Err(_) => Err(busy()),
        }
    }

    /// A turn for a body of this many bytes that has arrived; its place is free for another then. A large one takes the room
    /// of two, since it may hold the largest records.
    pub async fn turn(&self, place: Place, body_bytes: u64) -> Result<Turn, Failure> {
        let room = if body_bytes > LARGE_BODY_BYTES { 2 } else { 1 };
        let turn = Arc::clone(&self.turns).acquire_many_owned(room).await;
        drop(place);
        turn.map(|free| Turn {
            _until_dropped: free,
        })
        .map_err(|_closed| busy())
    }
}

fn busy() -> Failure {
    Failure::new(
        Code::Unavailable,
        "too many pushes are under way; nothing was stored, send the push again later",
    )
}
