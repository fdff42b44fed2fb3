//! The invariants of ARCHITECTURE.md, most of them about absence, checked against the sources.
//!
//! Each rule is a pure function over [`source::Source`]s that lists what breaks it; beside it stand a test of the
//! project and one of bad samples, so that no rule can pass by seeing nothing.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a rule that cannot read the project fails, as a test should"
)]

mod actors;
mod circles;
mod citations;
mod dist;
mod emptiness;
mod exports;
mod layers;
mod licences;
mod packages;
mod packaging;
mod papers;
mod routes;
mod scan;
mod shape;
mod singles;
mod skips;
mod source;
mod sql;
mod statuses;
mod tables;
mod type_names;
mod vendored;
mod visibility;
mod walls;
