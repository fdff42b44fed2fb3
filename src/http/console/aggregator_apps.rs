//! The operator's own applications at aggregators, and the banks that are linked with them. Setting and removing one leaves a row in the audit
//! log (r039); its key is never told again.

mod act;
mod banks;
mod by_provider;
mod link;
mod list;
mod remove;
mod set;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    set::ENDPOINT,
    remove::ENDPOINT,
    banks::ENDPOINT,
    link::ENDPOINT,
];
