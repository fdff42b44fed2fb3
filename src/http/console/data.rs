//! The data inspector (docs/operating.md#asking-as-the-operator): a query and a record, as an agent with all six sectors gets them.
//! Neither leaves a row in the audit log (r041, r109).

mod query;
mod sector_in_path;
mod show;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[query::ENDPOINT, show::ENDPOINT];
