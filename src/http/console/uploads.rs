//! Files that are dropped into the page (docs/operating.md#files-in-the-page): a job, one request a file, then a check and a run.

mod act;
mod begin;
mod by_id;
mod create;
mod list;
mod receive;
mod refusals;
mod remove;
mod show;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    create::ENDPOINT,
    show::ENDPOINT,
    receive::ENDPOINT,
    begin::CHECK,
    begin::RUN,
    act::CANCEL,
    refusals::ENDPOINT,
    remove::ENDPOINT,
];
