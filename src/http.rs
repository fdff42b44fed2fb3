//! The surfaces. Each mounts its own routes; what they share of HTTP stands beside them, and none imports another.
//!
//! | what | where |
//! |---|---|
//! | surfaces | [`console`] (the operator), [`ingest`] (devices), [`read_mirror`] and [`mcp`] (agents), [`bridge`] (agents elsewhere that sign in) |
//! | both servers | [`server`]: the ports, their limits, what each carries |
//! | connections | [`wire`]: the TCP connections under both servers, and which bytes of answers each still holds |
//! | routes as data | [`endpoint`]: a row mounts, lists and describes a route; [`schema`], [`tool_requests`], [`tool_answers`]: what is asked and answered there; [`manual`]: the page and the OpenAPI document made of the rows |
//! | access | [`host_check`], [`agent_key`]; [`admission`]: from an agent's key to its session, over MCP and the mirror |
//! | checks | [`arrival`]: where the doctor's nonces arrive, on the agent port |
//! | reading a request | [`request`]: a body or query string as the type that its handler takes; [`query_string`], [`arguments`], [`body`], [`sector_name`] |
//! | answering | [`code`]: the one table from error to status; [`problem`]: a refusal as the caller reads it; [`tool_result`]: a tool's reply over plain HTTP; [`gated_body`]: an agent's answer, behind its session's gate; [`headers`], [`head_requests`] |

pub mod admission;
pub mod agent_key;
pub(crate) mod arguments;
pub(crate) mod arrival;
pub(crate) mod body;
pub(crate) mod bridge;
pub mod code;
pub mod console;
pub mod endpoint;
pub mod gated_body;
pub(crate) mod head_requests;
pub(crate) mod headers;
pub mod host_check;
pub(crate) mod ingest;
pub(crate) mod manual;
pub mod mcp;
pub(crate) mod problem;
pub(crate) mod query_string;
pub mod read_mirror;
pub(crate) mod request;
pub(crate) mod schema;
pub(crate) mod sector_name;
pub mod server;
pub(crate) mod tool_answers;
pub(crate) mod tool_requests;
pub(crate) mod tool_result;
pub mod wire;
