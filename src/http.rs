//! The surfaces. Each mounts its own routes; what they share about HTTP stands beside them, and none imports another.

pub mod body;
pub mod console;
pub mod head_requests;
pub mod headers;
pub mod host_check;
pub mod host_name;
pub mod ingest;
pub mod mcp;
pub mod problem;
pub mod query_string;
pub mod server;
