//! The messages of one push that are a file each. A folder of them is to them what a mailbox is to those in it: two of one
//! Message-ID that differ in their text (what was sent, and what a list made of it) are two, and stay so at each push. Two
//! without one that say the same are copies, and one.

use std::sync::{Arc, Mutex, PoisonError};

use crate::entry::identity::Identities;

/// Which ids have been given out in this push.
#[derive(Debug, Clone, Default)]
pub(crate) struct Singles(Arc<Mutex<Identities>>);

impl Singles {
    /// Lets the next message be named among those before it.
    pub(crate) fn with_identities<T>(&self, name: impl FnOnce(&mut Identities) -> T) -> T {
        let mut identities = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        identities.begin_file();
        name(&mut identities)
    }
}
