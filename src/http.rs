//! The surfaces. Each mounts its own routes; what they share about HTTP stands beside them, and none imports another.
//!
//! | what | where |
//! |---|---|
//! | surfaces | [`console`] (the operator), [`ingest`] (devices), [`read_mirror`] and [`mcp`] (agents) |
//! | both servers | [`server`]: the ports, their limits, what each carries |
//! | connections | [`wire`]: what stands under both servers, and what each connection still holds of an answer |
//! | routes as data | [`endpoint`]: a row mounts, lists and describes a route; [`schema`], [`asked`], [`answers`]: what is asked and answered there; [`manual`]: the page and the OpenAPI document made of the rows |
//! | who may ask | [`host_check`], [`agent_key`]; [`admission`]: from an agent's key to its session, over MCP and the mirror |
//! | reading a request | [`request`]: a body or query string as the type that its handler takes; [`query_string`], [`arguments`], [`body`], [`sector_name`] |
//! | answering | [`problem`]: the one table from error to status; [`served`]: a tool's reply over plain HTTP; [`gated_body`]: an agent's answer, behind its session's gate; [`headers`], [`head_requests`] |

pub mod admission;
pub mod agent_key;
pub(crate) mod answers;
pub(crate) mod arguments;
pub(crate) mod asked;
pub(crate) mod body;
pub mod console;
pub mod endpoint;
pub mod gated_body;
pub(crate) mod head_requests;
pub(crate) mod headers;
pub mod host_check;
pub(crate) mod ingest;
pub(crate) mod manual;
pub mod mcp;
pub mod problem;
pub(crate) mod query_string;
pub mod read_mirror;
pub(crate) mod request;
pub(crate) mod schema;
pub(crate) mod sector_name;
pub(crate) mod served;
pub mod server;
pub mod wire;
