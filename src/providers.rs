//! The providers of connections: what may deliver data. Whoever creates or restores a connection checks against this list.

/// A device that pushes.
pub(crate) use sextant_actors::domain::PUSH;

/// Every provider.
pub(crate) const ALL: &[&str] = &[PUSH];
