//! The service's actors (docs/operating.md#health): their state, read from the status board, so that no actor is asked and one that hangs
//! is shown too; and the restart of one.

mod list;
mod restart;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[list::ENDPOINT, restart::ENDPOINT];
