//! Ids for the messages of one push that are a file each. They share one set of ids, as the messages of an mbox do: two with
//! one Message-ID and different text (the message sent, and the copy that a list changed) stay two records at every push. Two
//! without a Message-ID and with the same content are copies, stored once.

use std::sync::{Arc, Mutex, PoisonError};

use crate::entry::identity::Identities;

/// Which ids have been given out in this push.
#[derive(Debug, Clone, Default)]
pub(crate) struct Singles(Arc<Mutex<Identities>>);

impl Singles {
    /// Runs `use_ids` with the ids given out so far in this push.
    pub(crate) fn with_identities<T>(&self, use_ids: impl FnOnce(&mut Identities) -> T) -> T {
        let mut identities = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        identities.begin_file();
        use_ids(&mut identities)
    }
}
