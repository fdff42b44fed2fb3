//! An address that a rule has judged: the only thing that can be connected to.

use reqwest::Url;

/// Where a request or a stream may go. Only a rule makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedAddress {
    url: Url,
    is_plain: bool,
}

impl JudgedAddress {
    pub(super) fn of_url(url: Url, is_plain: bool) -> Self {
        Self { url, is_plain }
    }

    /// The address, without a user or password.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Whether the connection goes without TLS.
    pub(super) const fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// The host as a name or an address, an IPv6 one without its brackets.
    pub(super) fn host(&self) -> &str {
        let host = self.url.host_str().unwrap_or_default();
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// The port that is connected to.
    pub(super) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or_default()
    }
}
