//! What a client asks the person for: a code for a redirect address, bound to a challenge (RFC 7636) and to this service (RFC 8707).

use serde::{Deserialize, Serialize};

use super::client::{BridgeClient, ClientName, RedirectAddress};
use super::limits::STATE_BYTES_MAX;
use super::parameters::OAuthParameters;
use crate::exposure::PublicAddress;

/// The length of a challenge: base64url of a SHA-256 (RFC 7636 §4.2).
const CHALLENGE_BYTES: usize = 43;

/// A request that may be put before a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignInRequest {
    pub client: BridgeClient,
    pub redirect: RedirectAddress,
    pub state: Option<String>,
    pub challenge: String,
}

/// The same as a form carries it, sealed.
#[derive(Deserialize, Serialize)]
pub(super) struct CarriedRequest {
    pub client_id: String,
    pub client_name: Option<String>,
    pub redirect: String,
    pub state: Option<String>,
    pub challenge: String,
}

/// Why a request cannot be put before a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SignInFault {
    /// Nobody knows where the answer belongs: it is told to the person alone.
    Unanswerable(Unanswerable),
    /// The client is told at its redirect address.
    Refused(Box<RefusedRequest>),
}

/// What the client is told, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefusedRequest {
    pub redirect: RedirectAddress,
    pub state: Option<String>,
    /// The code of RFC 6749 §4.1.2.1 or RFC 8707 §2.
    pub error: &'static str,
    pub about: &'static str,
}

/// Why nobody may be sent back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswerable {
    /// A parameter stands twice, or is longer than any.
    Malformed,
    /// No such client, or none any more.
    UnknownClient,
    /// The document of the client cannot be had now.
    DocumentUnavailable,
    /// The redirect address is none of the client's.
    OtherAddress,
}

/// What of a request names its client.
pub(crate) struct AskingClient {
    pub client_id: String,
    redirect: Option<String>,
    state: Option<String>,
    rest: OAuthParameters,
}

impl AskingClient {
    /// Reads the query of the sign-in page.
    ///
    /// # Errors
    /// [`Unanswerable::Malformed`] or [`Unanswerable::UnknownClient`].
    pub(crate) fn read(mut parameters: OAuthParameters) -> Result<Self, Unanswerable> {
        let client_id = parameters.take("client_id");
        Ok(Self {
            client_id: client_id.ok_or(Unanswerable::UnknownClient)?,
            redirect: parameters.take("redirect_uri"),
            state: parameters.take("state"),
            rest: parameters,
        })
    }

    /// The whole request, now that the client is known.
    ///
    /// # Errors
    /// [`SignInFault`].
    pub(crate) fn of_client(
        mut self,
        client: BridgeClient,
        address: &PublicAddress,
    ) -> Result<SignInRequest, SignInFault> {
        let asked = self.redirect.as_deref();
        let redirect = client
            .redirects
            .iter()
            .find(|own| Some(own.as_str()) == asked);
        let redirect = redirect.ok_or(SignInFault::Unanswerable(Unanswerable::OtherAddress))?;
        let redirect = redirect.clone();
        let state = self.state.take();
        match self.challenge(address, state.as_deref()) {
            Ok(challenge) => Ok(SignInRequest {
                client,
                redirect,
                state,
                challenge,
            }),
            Err((error, about)) => Err(SignInFault::Refused(Box::new(RefusedRequest {
                redirect,
                // One that is too long is not sent back.
                state: state.filter(|state| state.len() <= STATE_BYTES_MAX),
                error,
                about,
            }))),
        }
    }

    /// The challenge, if all else is as it must be.
    fn challenge(
        &mut self,
        address: &PublicAddress,
        state: Option<&str>,
    ) -> Result<String, (&'static str, &'static str)> {
        let invalid = |about| ("invalid_request", about);
        if state.is_some_and(|state| state.len() > STATE_BYTES_MAX) {
            return Err(invalid("the state is too long"));
        }
        match self.rest.take("response_type").as_deref() {
            Some("code") => {}
            Some(_) => return Err(("unsupported_response_type", "only code is served")),
            None => return Err(invalid("response_type is missing: send code")),
        }
        if self.rest.take("code_challenge_method").as_deref() != Some("S256") {
            return Err(invalid(
                "send a code_challenge with code_challenge_method S256",
            ));
        }
        let challenge = self
            .rest
            .take("code_challenge")
            .filter(|text| is_challenge(text));
        let challenge = challenge.ok_or(invalid("code_challenge is no SHA-256 in base64url"))?;
        let resource = self.rest.take("resource");
        if resource.is_some_and(|resource| !address.is_resource(&resource)) {
            return Err(("invalid_target", "the resource is not this service"));
        }
        Ok(challenge)
    }
}

fn is_challenge(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    text.len() == CHALLENGE_BYTES && text.bytes().all(is_letter)
}

impl SignInRequest {
    pub(super) fn carried(&self) -> CarriedRequest {
        CarriedRequest {
            client_id: self.client.id.as_str().to_owned(),
            client_name: self.client.name.as_ref().map(ToString::to_string),
            redirect: self.redirect.as_str().to_owned(),
            state: self.state.clone(),
            challenge: self.challenge.clone(),
        }
    }
}

impl CarriedRequest {
    /// The request as it was sealed; `None` if this program did not seal it.
    pub(super) fn restored(self) -> Option<SignInRequest> {
        let redirect = RedirectAddress::parse(&self.redirect)?;
        Some(SignInRequest {
            client: BridgeClient {
                id: super::client::ClientId::parse(&self.client_id)?,
                name: self.client_name.as_deref().and_then(ClientName::clean),
                redirects: vec![redirect.clone()],
            },
            redirect,
            state: self.state,
            challenge: self.challenge,
        })
    }
}

#[cfg(test)]
mod tests;
