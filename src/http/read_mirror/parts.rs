//! What the routes of the read mirror work with.

use sextant_actors::grants::GrantsHandle;
use sextant_actors::sessions::SessionsHandle;

use crate::capacity::{Quota, Quotas, Resource};
use crate::http::admission::Admission;

/// Requests that one agent may have under way.
const REQUESTS_PER_AGENT_MAX: usize = 32;

/// What the routes work with, shared by all of them.
#[derive(Clone)]
pub struct MirrorParts {
    /// Identifies and admits the caller.
    pub(super) admission: Admission,
    /// Limits the requests that one agent has under way.
    pub(super) requests: Quota,
}

impl MirrorParts {
    /// The parts; what an agent holds of the mirror is counted in `quotas`.
    pub fn new(grants: GrantsHandle, sessions: SessionsHandle, quotas: &Quotas) -> Self {
        Self {
            admission: Admission::of_keys(grants, sessions),
            requests: quotas.limit(Resource::Requests, REQUESTS_PER_AGENT_MAX),
        }
    }
}
