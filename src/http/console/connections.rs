//! Connections (docs/pushing.md#connections): made for pushes, shown with their last pushes, paused, resumed, removed, given a new
//! secret, read now.
//!
//! Pause, resume, disconnect and sync now leave a row in the audit log each, also when they fail (r039, r048); the rest leaves none
//! (r041).
//! Whatever is changed is published before the answer, so that a push after it meets the new state.

mod act;
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
    pause::ENDPOINT,
    resume::ENDPOINT,
    disconnect::ENDPOINT,
    rotate_secret::ENDPOINT,
    sync_now::ENDPOINT,
    restart::ENDPOINT,
    pushes::ENDPOINT,
    tables::ENDPOINT,
];
