//! What may stand behind a connection: the one list that whoever makes or takes in a connection reads.

/// A device that pushes.
pub const PUSH: &str = "push";

/// Every provider there is.
pub const ALL: &[&str] = &[PUSH];
