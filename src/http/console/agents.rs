//! Agents and their grants (docs/operating.md#agents). None of these acts leaves a row in the audit log (r041).
//!
//! Knows the grants only through their handle, which commits an edit and ends the agent's sessions before it answers (r067).

mod agent_view;
mod amend;
mod by_name;
mod create;
mod fresh_key;
mod grant_fields;
mod list;
mod preview;
mod remove;
mod revoke;
mod revoke_all;
mod rotate;
mod sessions_ended;
mod show;
mod snippets;
mod warnings;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    create::ENDPOINT,
    show::ENDPOINT,
    amend::ENDPOINT,
    remove::ENDPOINT,
    rotate::ENDPOINT,
    revoke::ENDPOINT,
    revoke_all::ENDPOINT,
    snippets::ENDPOINT,
    preview::ENDPOINT,
];
