//! Connections (docs/pushing.md#connections, docs/operating.md#connections): made, shown with their last pushes or runs, paused,
//! resumed, removed, given a new secret, an interval, a window; read now, and their actors restarted.
//!
//! Pause, resume, disconnect, sync now and a new interval leave a row in the audit log each, also when they fail (r039, r048); the
//! rest leaves none (r041).
//! Whatever is changed is published before the answer, so that a push after it meets the new state.

mod act;
mod action_domains;
mod amend;
mod by_id;
mod connection_view;
mod create;
mod disconnect;
mod list;
mod not_begun;
mod pause;
mod publish;
mod pushes;
mod restart;
mod resume;
mod rotate_secret;
mod runs;
mod show;
mod sync_now;
mod tables;

use crate::http::endpoint::Endpoint;

pub(super) use self::by_id::not_found;
pub(super) use self::connection_view::{ConnectionList, ConnectionView};
pub(super) use self::publish::publish;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    create::ENDPOINT,
    show::ENDPOINT,
    amend::ENDPOINT,
    pause::ENDPOINT,
    resume::ENDPOINT,
    disconnect::ENDPOINT,
    rotate_secret::ENDPOINT,
    sync_now::ENDPOINT,
    restart::ENDPOINT,
    pushes::ENDPOINT,
    runs::ENDPOINT,
    action_domains::SHOW,
    action_domains::SET,
    tables::ENDPOINT,
];
