//! The sessions: whatever serves an agent is a session, an actor with one gate, and one message ends all of an agent's. A call is no
//! message: it runs in its caller's future on a place of its session, which acknowledges its end when it has every place back.
//!
//! The registry alone opens sessions and ends them. A lease is the right to call through one; on a live session it is taken by a read
//! of what the registry published. A gate closes before its session is told, so that nothing computed under an old grant passes,
//! however late it acknowledges.

mod activity;
mod closing;
mod gate;
mod handle;
mod identity;
mod kill;
mod lease;
mod opening;
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
