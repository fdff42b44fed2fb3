//! The surfaces. Each mounts its own routes; what they share about HTTP stands beside them, and none imports another.

pub mod agent_key;
pub mod answers;
pub mod arguments;
pub mod asked;
pub mod body;
pub mod console;
pub mod cut_off;
pub mod endpoint;
pub mod head_requests;
pub mod headers;
pub mod host_check;
pub mod host_name;
pub mod ingest;
pub mod manual;
pub mod mcp;
pub mod problem;
pub mod query_string;
pub mod read_mirror;
pub mod schema;
pub mod served;
pub mod server;
