//! Remote access: the address by which agents elsewhere reach the agent port. Setting and clearing it leaves a row in the audit log (r039).

mod act;
mod check;
mod clear;
mod set;
mod show;
mod view;

use crate::http::endpoint::Endpoint;

pub(super) use self::check::LastCheck;
pub(super) use self::view::ExposureMode;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    show::ENDPOINT,
    set::ENDPOINT,
    clear::ENDPOINT,
    check::ENDPOINT,
];
