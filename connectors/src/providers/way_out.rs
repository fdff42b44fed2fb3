//! How a provider is reached: what its settings divert, and whose certificates are taken.

use reqwest::Url;

use crate::failure::SourceFailure;
use crate::guard::{AddressRule, Diversions, HttpGuard, StreamGuard, Trust};

/// The settings of one provider (`[providers.<id>]`).
#[derive(Clone, Debug, Default)]
pub struct WayOut {
    /// Names that lead to an address of the operator's choice.
    pub diversions: Diversions,
    /// Authorities beside those of the system, in PEM form.
    pub authorities: Option<String>,
    /// The legs of a sign-in, where they are not the provider's own.
    pub legs: SignInLegs,
}

/// Addresses that the operator has set in place of a provider's own: of a tenant, or of a server for tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignInLegs {
    /// Where the browser is sent.
    pub authorize: Option<Url>,
    /// Where tokens are issued.
    pub token: Option<Url>,
    /// Where they are ended.
    pub revoke: Option<Url>,
}

impl SignInLegs {
    /// What they are called in the settings.
    pub const NAMES: [&str; 3] = ["authorize", "token", "revoke"];

    /// Sets one of [`Self::NAMES`]; false if there is no such leg, or the text is no web address.
    pub fn set(&mut self, name: &str, address: &str) -> bool {
        let leg = match name {
            "authorize" => &mut self.authorize,
            "token" => &mut self.token,
            "revoke" => &mut self.revoke,
            _ => return false,
        };
        let parsed = Url::parse(address.trim()).ok();
        *leg = parsed.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        leg.is_some()
    }

    /// Those that are set, each with the host that it leads to.
    pub fn hosts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let legs = [&self.authorize, &self.token, &self.revoke];
        let named = Self::NAMES.into_iter().zip(legs);
        named.filter_map(|(name, leg)| Some((name, leg.as_ref()?.host_str()?)))
    }
}

impl WayOut {
    /// Requests by a rule; `own` is an authority that was entered with the sign-in.
    pub(super) fn http(
        &self,
        rule: AddressRule,
        own: Option<&str>,
    ) -> Result<HttpGuard, SourceFailure> {
        HttpGuard::new(rule, self.diversions.clone(), &self.trust(own)?)
    }

    /// Streams; `own` is an authority that was entered with the sign-in.
    pub(super) fn streams(&self, own: Option<&str>) -> Result<StreamGuard, SourceFailure> {
        Ok(StreamGuard::new(self.diversions.clone(), &self.trust(own)?))
    }

    /// The certificates that are taken.
    pub(super) fn trust(&self, own: Option<&str>) -> Result<Trust, SourceFailure> {
        let given = [self.authorities.as_deref(), own];
        let given: Vec<&str> = given.into_iter().flatten().collect();
        match given.is_empty() {
            true => Trust::system(),
            false => Trust::with_authorities(given.join("\n").as_bytes()),
        }
    }
}
