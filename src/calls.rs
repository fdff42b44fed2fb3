//! The tool service: the one path by which an agent's call reaches data. It implements the port `sextant_actors::ports::Desk`.
//!
//! ```text
//! tool + arguments -> decide (sector check, arguments) -> run -> Served {decision, outcome, sector, count, reply}
//! ```
//!
//! The sector check comes first, before any argument is looked at and before any SQL (r065, r066). MCP, the read
//! mirror and the operator's inspector all come through here; the record is written from what is returned. What an
//! agent may have under way at one time is bounded here as well (`clients`): reads that are not cheap, and bytes of
//! answers. No argument and no value of a row gets into a log or an error of this module.

pub(crate) mod arguments;
mod clients;
mod context;
mod decide;
mod target;
mod tool_service;
mod verdict;

mod actions;
mod describe_context;
mod fetch_live;
mod get_record;
mod get_schema;
mod query;

pub use clients::Clients;
pub use context::ToolServiceParts;
pub use decide::{Decided, decide};
pub use tool_service::ToolService;
