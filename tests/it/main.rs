//! The integration tests: everything through real surfaces.

mod mcp;
