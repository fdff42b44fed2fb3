//! The sample household: loaded for people who want to look around, and removed without a trace
//! (docs/operating.md#the-sample-household).
//!
//! Loading leaves an `ingest` row in the audit log for each connection, removing a `disconnect` row each (r038, r039).

mod household_slot;
mod load;
mod remove;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[load::ENDPOINT, remove::ENDPOINT];
