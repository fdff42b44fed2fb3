//! The integration tests: everything through real surfaces.

#[cfg(test)]
mod mcp;
