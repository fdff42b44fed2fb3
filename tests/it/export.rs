//! `GET /api/export`: what is in a bundle, that it is of one moment, what cuts it short, and what other programs read in it.

mod bundle;
mod cut;
mod documents;
mod peer;
mod route;
mod snapshot;
