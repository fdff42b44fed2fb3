//! The sign-in page's acts: a request is put before a person, who shows a key, and the client gets a code for it.

use std::sync::PoisonError;

use sextant_actors::domain::{AgentName, Digest, KeyRefusal, SectorSet};

use super::codes::Consent;
use super::form::SignInForm;
use super::outcome::BridgeError;
use super::parameters::OAuthParameters;
use super::sign_in_request::{AskingClient, SignInFault, SignInRequest, Unanswerable};
use super::{Bridge, tokens};
use crate::exposure::PublicAddress;

/// The audit log's words for what is refused there (r035).
const UNKNOWN_CLIENT: &str = "authorize: unknown client";
const DOCUMENT_UNAVAILABLE: &str = "authorize: client document unavailable";
const OTHER_ADDRESS: &str = "authorize: mismatching address";
const MALFORMED: &str = "authorize: malformed request";
const REFUSED: &str = "authorize: request refused";
const STALE_FORM: &str = "authorize: stale form";

/// What a key opens, as a person is shown it before they allow anything.
#[derive(Clone, Debug)]
pub(crate) struct ShownKey {
    pub agent: AgentName,
    pub sectors: SectorSet,
    pub digest: Digest,
}

/// Why a key that was shown does not sign in (r036).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyFault {
    /// It is unknown, revoked or expired.
    Refused(KeyRefusal),
    /// It never expires.
    NoExpiry,
}

impl Bridge {
    /// Reads a request of a client for the sign-in page. What is refused leaves a row, within the cap.
    ///
    /// # Errors
    /// `Ok(Err)` is what is wrong with the request.
    pub(crate) async fn ask(
        &self,
        parameters: Result<OAuthParameters, Unanswerable>,
        address: &PublicAddress,
    ) -> Result<Result<SignInRequest, SignInFault>, BridgeError> {
        let judged = self.judge(parameters, address).await?;
        if let Err(fault) = &judged {
            self.0.audit.record_bridge_refusal(reason_of(fault)).await;
        }
        Ok(judged)
    }

    async fn judge(
        &self,
        parameters: Result<OAuthParameters, Unanswerable>,
        address: &PublicAddress,
    ) -> Result<Result<SignInRequest, SignInFault>, BridgeError> {
        let asking = match parameters.and_then(AskingClient::read) {
            Ok(asking) => asking,
            Err(unanswerable) => return Ok(Err(SignInFault::Unanswerable(unanswerable))),
        };
        let client = self.find_client(&asking.client_id).await?;
        Ok(match client {
            Ok(client) => asking.of_client(client, address),
            Err(unanswerable) => Err(SignInFault::Unanswerable(unanswerable)),
        })
    }

    /// The hidden field of a form for this request.
    ///
    /// # Errors
    /// [`BridgeError::NoRandomness`].
    pub(crate) fn seal_form(
        &self,
        request: &SignInRequest,
        key: Option<&Digest>,
    ) -> Result<String, BridgeError> {
        let sealed = self.0.forms.seal(request, key, self.0.clock.now());
        sealed.ok_or(BridgeError::NoRandomness)
    }

    /// The form that came back; `None` leaves a row, within the cap.
    pub(crate) async fn open_form(&self, text: &str) -> Option<SignInForm> {
        match self.0.forms.open(text, self.0.clock.now()) {
            Ok(form) => Some(form),
            Err(_) => {
                self.0.audit.record_bridge_refusal(STALE_FORM).await;
                None
            }
        }
    }

    /// What the key opens that a person shows. One that is refused always leaves a row (r036).
    ///
    /// # Errors
    /// [`KeyFault`].
    pub(crate) async fn show_key(&self, digest: Digest) -> Result<ShownKey, KeyFault> {
        let audit = &self.0.audit;
        let ticket = match self.0.grants.resolve(&digest) {
            Ok(ticket) => ticket,
            Err(refusal) => {
                audit.record_key_refused_at_sign_in().await;
                return Err(KeyFault::Refused(refusal));
            }
        };
        if ticket.expires_at.is_none() {
            audit.record_key_without_end(&ticket.agent).await;
            return Err(KeyFault::NoExpiry);
        }
        Ok(ShownKey {
            agent: ticket.agent,
            sectors: ticket.sectors,
            digest,
        })
    }

    /// A code for the client, now that a person has allowed it with this key.
    ///
    /// # Errors
    /// [`BridgeError::Full`] or [`BridgeError::NoRandomness`].
    pub(crate) fn allow(
        &self,
        request: SignInRequest,
        shown: &ShownKey,
    ) -> Result<String, BridgeError> {
        let code = tokens::code().map_err(|_| BridgeError::NoRandomness)?;
        let consent = Consent {
            request,
            key: shown.digest,
        };
        let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
        match codes.keep(tokens::digest(&code), consent, self.0.clock.now()) {
            true => Ok(code),
            false => Err(BridgeError::Full),
        }
    }
}

const fn reason_of(fault: &SignInFault) -> &'static str {
    match fault {
        SignInFault::Unanswerable(Unanswerable::UnknownClient) => UNKNOWN_CLIENT,
        SignInFault::Unanswerable(Unanswerable::DocumentUnavailable) => DOCUMENT_UNAVAILABLE,
        SignInFault::Unanswerable(Unanswerable::OtherAddress) => OTHER_ADDRESS,
        SignInFault::Unanswerable(Unanswerable::Malformed) => MALFORMED,
        SignInFault::Refused(_) => REFUSED,
    }
}
