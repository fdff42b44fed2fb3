//! The first steps of a new service (docs/operating.md#first-steps). They are derived from what is there; only their dismissal is
//! stored. Neither route leaves a row in the audit log.

mod complete;
mod show;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[show::ENDPOINT, complete::ENDPOINT];
