//! The grants: who may call, with what, since when. One writer, a published snapshot, and a kill for every edit.
//!
//! Resolving a key is a read of the snapshot: no message, no database. Every edit commits, publishes under a new epoch, ends the
//! agent's sessions, and only then answers. An agent whose stored grant is in doubt is refused until it has been read again.

mod actor;
mod claim;
mod edit;
mod editor;
mod end_sessions;
mod handle;
mod revoke_all;

pub use edit::{AllRevoked, EditError, Edited};
pub use handle::GrantsHandle;

pub use crate::issued_tokens::IssuedAccess;

pub(crate) use actor::GrantsActor;
