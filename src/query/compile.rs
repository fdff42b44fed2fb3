//! The only place outside `sql/` where SQL is made. Identifiers come from the catalogue, values are always bound.

pub mod erase;
pub mod write;
