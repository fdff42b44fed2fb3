//! query

pub mod compile_erase;
