//! The grants: who may call, with what, since when. One writer, a published snapshot, and a kill for every edit.
//!
//! Resolving a key is a read of the snapshot: no message, no database. Every edit commits, publishes under a new epoch, ends the
//! agent's sessions, and only then answers. An agent whose stored grant is in doubt is refused until it has been read again.

mod actor;
mod book;
mod claim;
mod editor;
mod handle;
mod words;

pub use handle::GrantsHandle;
pub use words::{EditError, Edited, Ticket};

pub(crate) use actor::Grants;
pub(crate) use book::Book;
