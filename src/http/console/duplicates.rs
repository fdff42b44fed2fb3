//! Accounts that may be one (r124): the questions, and the operator's answers, each with its row in the audit log (r039).

mod answer;
mod list;
mod pair_view;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[list::ENDPOINT, answer::CONFIRM, answer::UNCONFIRM];
