//! `GET /api/export`: what a bundle contains, that it is one snapshot, what cuts it short, and what other programs
//! read in it.

mod bundle;
mod cut;
mod documents;
mod peer;
mod route;
mod snapshot;
