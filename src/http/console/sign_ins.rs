//! Sign-ins: one credential each, with the connections that live by it (r129). They are made with their first connection, and go with
//! their last.
//!
//! A revocation leaves a row in the audit log (r039); entering a credential again leaves none.

mod by_id;
mod complete;
mod credentials;
mod entered_fields;
mod key;
mod list;
mod problem;
mod revocation_view;
mod revoke;
mod show;
mod sign_in_view;

use crate::http::endpoint::Endpoint;

pub(super) use self::by_id::{publish_all, read_now};
pub(super) use self::entered_fields::EnteredFields;
pub(super) use self::revocation_view::RevocationView;
pub(super) use self::sign_in_view::SignInView;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    show::ENDPOINT,
    complete::ENDPOINT,
    revoke::ENDPOINT,
    credentials::ENDPOINT,
    key::ENDPOINT,
];
