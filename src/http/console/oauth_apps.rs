//! The operator's own apps at providers where a person consents. Setting and removing one leaves no row in the audit log; its secret is
//! never told again.

mod list;
mod remove;
mod set;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[list::ENDPOINT, set::ENDPOINT, remove::ENDPOINT];
