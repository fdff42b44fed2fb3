//! The sessions: every live thing of an agent is one actor with one gate, and one message ends them all.

mod gate;
mod handle;

pub use gate::{CloseReason, Gate, GateClosed};
pub use handle::{
    CallError, ClientInfo, Era, Lease, OpenError, SessionId, SessionSummary, SessionsHandle,
};
