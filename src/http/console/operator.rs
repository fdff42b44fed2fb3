//! `/api/operator`: what the operator reads through the tool service, and a live fetch, which asks a source and changes what is
//! stored, and is the one of them that leaves a row in the audit log (r041, r042).

mod context;
mod fetch_live;
mod schema;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] =
    &[context::ENDPOINT, schema::ENDPOINT, fetch_live::ENDPOINT];
