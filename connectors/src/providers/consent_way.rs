//! What every provider has at which a person consents: the legs of a sign-in, and requests with its tokens.

use std::sync::Arc;

use reqwest::Url;

use super::WayOut;
use crate::bearer::{AccessTokens, BearerClient};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{AddressRule, Domain, Plaintext};
use crate::oauth::{OAuthAddresses, TokenEndpoint};

/// The ways to one provider.
pub(super) struct ConsentWay {
    way_out: WayOut,
    addresses: OAuthAddresses,
    /// Where its data is.
    hosts: &'static [&'static str],
}

impl ConsentWay {
    /// The provider's own addresses, unless the settings have others.
    ///
    /// # Errors
    /// When one of its own is no address.
    pub(super) fn new(
        way_out: WayOut,
        [authorize, token]: [&str; 2],
        revoke: Option<&str>,
        hosts: &'static [&'static str],
    ) -> Result<Self, SourceFailure> {
        let legs = way_out.legs.clone();
        let leg = |set: Option<Url>, own: &str| match set {
            Some(set) => Ok(set),
            None => Url::parse(own).map_err(|_| no_address()),
        };
        let addresses = OAuthAddresses {
            authorize: leg(legs.authorize, authorize)?,
            token: leg(legs.token, token)?,
            revoke: revoke.map(|own| leg(legs.revoke, own)).transpose()?,
        };
        Ok(Self {
            way_out,
            addresses,
            hosts,
        })
    }

    pub(super) const fn addresses(&self) -> &OAuthAddresses {
        &self.addresses
    }

    /// Requests for its data.
    pub(super) fn client(
        &self,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<BearerClient, SourceFailure> {
        let hosts = self.hosts.iter().filter_map(|host| Domain::parse(host));
        let rule = AddressRule::of_domains(hosts);
        Ok(BearerClient::new(self.way_out.http(rule, None)?, tokens))
    }

    /// Where tokens are issued. Each address leads to its own host alone; one that the operator has set may be without TLS in the own
    /// network.
    pub(super) fn token_endpoint(&self) -> Result<TokenEndpoint, SourceFailure> {
        let legs = &self.way_out.legs;
        TokenEndpoint::new(&self.addresses, |address| {
            let mut set = legs.token.iter().chain(&legs.revoke);
            let plaintext = match set.any(|set| set == address) {
                true => Plaintext::ToPrivateAddresses,
                false => Plaintext::Refused,
            };
            let rule = AddressRule::of_typed(address, plaintext)?;
            self.way_out.http(rule, None)
        })
    }
}

fn no_address() -> SourceFailure {
    SourceFailure::new(FailureKind::ForbiddenAddress, "the address is none")
}
