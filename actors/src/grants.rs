//! The grants: who may call, with what, since when. One writer, a published snapshot, and a kill for every edit.

mod handle;

pub use handle::{EditError, Edited, GrantsHandle, Ticket};
