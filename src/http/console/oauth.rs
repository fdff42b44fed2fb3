//! Sign-ins in a browser: to the provider's page and back (docs/operating.md#signing-in-at-a-provider). None leaves a row in the audit log.
//!
//! The provider sends the browser back to `localhost`, so that is where the page begins; a cookie binds the browser that began.

mod browser;
mod by_provider;
mod callback;
mod ended;
mod paste;
mod returning;
mod start;

use crate::http::endpoint::Endpoint;

pub(super) use self::browser::BrowserMark;
pub(super) use self::by_provider::consented;
pub(super) use self::ended::make_known;
pub(super) use self::start::{StartedConsent, require_localhost};

pub(super) const ENDPOINTS: &[Endpoint] = &[start::ENDPOINT, paste::ENDPOINT, callback::ENDPOINT];
