//! The providers of connections: what may deliver data. Whoever creates or restores a connection checks against this list.

/// A device that pushes.
pub const PUSH: &str = "push";

/// Every provider.
pub const ALL: &[&str] = &[PUSH];
