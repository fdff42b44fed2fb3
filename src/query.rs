//! query

pub mod compile;
