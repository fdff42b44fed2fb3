//! The terms that every room uses: sectors, agents, keys, grants, calls. Plain values, no actor, no I/O.

mod agent;
mod call;
mod connection;
mod escaped_text;
mod grant;
mod key;
mod sector;
mod text;
mod ticket;
mod tool;
mod user;

pub use agent::{AgentName, InvalidAgentName};
pub use call::{AnswerHold, Call, Caller, Decision, Obstacle, Outcome, Reply, Served};
pub use connection::{ConnectionState, KnownConnection, PUSH};
pub use escaped_text::{EscapedText, TextPosition};
pub use grant::{Grant, KeyRefusal};
pub use key::{AgentKey, Digest, IngestSecret};
pub use sector::{Sector, SectorSet, UnknownSector};
pub use text::{CleanText, TRUNCATED};
pub use ticket::{PresentedAs, Ticket};
pub use tool::{Tool, UnknownTool};
pub use user::OPERATOR;

pub(crate) use text::without_nul;
