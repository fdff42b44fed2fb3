//! The guard.
