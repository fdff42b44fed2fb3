//! The surfaces.

pub mod console;
pub mod ingest;
pub mod mcp;
pub mod problem;
