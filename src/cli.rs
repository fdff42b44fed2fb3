//! cli

pub mod push;
