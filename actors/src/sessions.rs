//! The sessions: every live thing of an agent is one actor with one gate, and one message ends them all.
//!
//! The registry alone opens sessions and ends them; a lease is a place in one, and on a session that is there it is taken by a read
//! of what the registry published. A gate closes before its session is told, so that
//! nothing computed under an old grant passes, however late an actor acknowledges.

mod activity;
mod gate;
mod handle;
mod identity;
mod lease;
mod published;
mod registry;
mod resumable;
mod sealed_id;
mod session;
mod table;

pub use gate::{CloseReason, Gate, GateClosed};
pub use handle::SessionsHandle;
pub use identity::{CallError, ClientInfo, Era, OpenError, SessionId, SessionSummary};
pub use lease::Lease;

pub(crate) use published::PublishedSessions;
pub(crate) use registry::SessionRegistry;
pub(crate) use session::SessionServices;
