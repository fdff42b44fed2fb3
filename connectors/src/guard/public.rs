//! Requests to addresses that anybody may have named: nothing secret is attached, and none leads into the operator's own network.
//!
//! A name is looked up once, by the connection itself, and refused if any of its addresses is not public: a page elsewhere must not be
//! able to have this service ask its neighbours (SSRF). No redirect is followed.

use bytes::Bytes;
use reqwest::{Client, Url};
use tokio::time::timeout;

use super::JudgedAddress;
use super::http::{HttpAnswer, broken, client, read};
use super::resolver::{AddressReach, Diversions, Resolver};
use super::rule::forbidden;
use super::tls::Trust;
use crate::failure::SourceFailure;
use crate::limits::PUBLIC_REQUEST_DEADLINE;

/// Fetches what lies at public https addresses.
#[derive(Clone)]
pub struct PublicGuard {
    client: Client,
    names: Resolver,
}

impl PublicGuard {
    /// By these certificates. A diverted name leads where it is diverted to, whatever address that is.
    ///
    /// # Errors
    /// [`FailureKind::Unavailable`](crate::failure::FailureKind::Unavailable) when no client can be made of them.
    pub fn new(diversions: Diversions, trust: &Trust) -> Result<Self, SourceFailure> {
        let names = Resolver::new(diversions, AddressReach::PublicOnly);
        Ok(Self {
            client: client(names.clone(), trust)?,
            names,
        })
    }

    /// Fetches the document at `address`, of at most `bytes_max` bytes, within [`PUBLIC_REQUEST_DEADLINE`].
    ///
    /// # Errors
    /// When the address is not https on its own port, leads to no public address, or answers nothing that can be read. An answer of any
    /// status is none.
    pub async fn get(&self, address: &Url, bytes_max: usize) -> Result<HttpAnswer, SourceFailure> {
        let to = judge(address)?;
        let literal = self.names.judge_literal(to.host());
        literal.map_err(|_| forbidden("an address that is not public"))?;
        timeout(PUBLIC_REQUEST_DEADLINE, self.fetch(to, bytes_max))
            .await
            .unwrap_or_else(|_| Err(broken::not_in_time()))
    }

    async fn fetch(
        &self,
        to: JudgedAddress,
        bytes_max: usize,
    ) -> Result<HttpAnswer, SourceFailure> {
        let sent = self.client.get(to.url().clone()).body(Bytes::new()).send();
        let response = sent.await.map_err(|cause| broken::not_sent(&cause))?;
        read(to, response, bytes_max).await
    }
}

fn judge(address: &Url) -> Result<JudgedAddress, SourceFailure> {
    if address.scheme() != "https" || address.port().is_some() {
        return Err(forbidden("the address must be of https, on its own port"));
    }
    if !address.username().is_empty() || address.password().is_some() {
        return Err(forbidden("an address that holds a user or password"));
    }
    Ok(JudgedAddress::of_url(address.clone(), false))
}
