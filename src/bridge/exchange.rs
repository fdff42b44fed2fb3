//! The token endpoint: a code or a refresh token is exchanged for a pair of tokens. They are stored before they are given out, and
//! published before the answer; each leaves a row (r037). How refresh tokens are exchanged stands in `refresh`.

use std::sync::PoisonError;

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Digest, Ticket};
use sextant_actors::grants::IssuedAccess;
use sextant_actors::random;
use sha2::{Digest as _, Sha256};

use super::Bridge;
use super::codes::{Consent, PresentedCode};
use super::limits::SIGN_INS_PER_KEY_MAX;
use super::outcome::BridgeError;
use super::token_request::{CodeRequest, TokenFault, TokenRequest};
use super::tokens::{self, TokenPair};
use crate::exposure::PublicAddress;
use crate::store::bridge::sign_ins::{self, NewBridgeSignIn};

/// What a client is given.
pub(crate) struct IssuedPair {
    pub pair: TokenPair,
    /// How long the access token serves, in seconds.
    pub serves_s: i64,
}

pub(super) type Exchanged = Result<Result<IssuedPair, TokenFault>, BridgeError>;

impl Bridge {
    /// Exchanges what a client presents. What is refused leaves a row, within the cap.
    ///
    /// # Errors
    /// `Ok(Err)` is what is wrong with the request.
    pub(crate) async fn exchange(
        &self,
        request: Result<TokenRequest, TokenFault>,
        address: &PublicAddress,
    ) -> Exchanged {
        let exchanged = match request {
            Ok(request) => self.exchange_for_known(request, address).await?,
            Err(fault) => Err(fault),
        };
        if let Err(fault) = &exchanged {
            self.0.audit.record_bridge_refusal(fault.reason()).await;
        }
        Ok(exchanged)
    }

    async fn exchange_for_known(
        &self,
        request: TokenRequest,
        address: &PublicAddress,
    ) -> Exchanged {
        let _turn = self.0.turn.lock().await;
        let present = self.0.exposure.address();
        if !present.is_some_and(|present| present.is_same_place(address)) {
            return Ok(Err(TokenFault::InvalidTarget));
        }
        if request
            .resource()
            .is_some_and(|resource| !address.is_resource(resource))
        {
            return Ok(Err(TokenFault::InvalidTarget));
        }
        if !self.is_known(request.client_id()).await? {
            return Ok(Err(TokenFault::UnknownClient));
        }
        match request {
            TokenRequest::Code(request) => self.exchange_code(request).await,
            TokenRequest::Refresh(request) => self.exchange_refresh(request).await,
        }
    }

    async fn exchange_code(&self, request: CodeRequest) -> Exchanged {
        let sign_in = random::identifier().map_err(|_| BridgeError::NoRandomness)?;
        let now = self.0.clock.now();
        let presented = {
            let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
            codes.take(&tokens::digest(&request.code), sign_in, now)
        };
        let consent = match presented {
            PresentedCode::Good(consent) => consent,
            PresentedCode::Unknown => return Ok(Err(TokenFault::CodeRefused)),
            PresentedCode::Used(sign_in) => {
                let ended = sign_ins::end(&self.0.pool, sign_in).await?;
                self.cut_off(&ended, None).await;
                return Ok(Err(TokenFault::CodeRefused));
            }
        };
        if !is_of(&consent, &request) {
            return Ok(Err(TokenFault::CodeRefused));
        }
        // The key may have ended since it was shown.
        let Ok(ticket) = self.0.grants.resolve(&consent.key) else {
            return Ok(Err(TokenFault::CodeRefused));
        };
        let seed = tokens::seed().map_err(|_| BridgeError::NoRandomness)?;
        let pair = TokenPair::derive(sign_in, &seed, &request.code);
        let access = self.access(&pair, &ticket, now);
        let client = consent.request.client;
        let new = NewBridgeSignIn {
            id: sign_in,
            client_id: client.id.as_str().to_owned(),
            client_name: client.name.map(|name| name.to_string()),
            now,
            access,
            refresh: pair.refresh_digest(),
        };
        let made_room = sign_ins::create(&self.0.pool, &new, SIGN_INS_PER_KEY_MAX).await?;
        self.0.grants.withdraw_tokens(&made_room);
        self.0.grants.publish_tokens(&[access]);
        self.record(&ticket, "authorization_code", &new.client_id)
            .await;
        Ok(Ok(issued(pair, &access, now)))
    }

    /// The access token of a pair: it ends with its key at the latest.
    pub(super) fn access(
        &self,
        pair: &TokenPair,
        ticket: &Ticket,
        now: DateTime<Utc>,
    ) -> IssuedAccess {
        let expires_at = now + self.0.access_life;
        IssuedAccess {
            token: pair.access_digest(),
            key: ticket.digest,
            sign_in: pair.sign_in,
            expires_at: ticket
                .expires_at
                .map_or(expires_at, |end| end.min(expires_at)),
        }
    }

    /// Refuses the tokens of a sign-in that somebody else may have, and ends what was opened with them.
    pub(super) async fn cut_off(&self, tokens: &[Digest], agent: Option<AgentName>) {
        let of_token = |token| self.0.grants.resolve_bearer(token).ok();
        let agent = agent.or_else(|| tokens.iter().find_map(of_token).map(|ticket| ticket.agent));
        self.0.grants.withdraw_tokens(tokens);
        let Some(agent) = agent else { return };
        if self.0.grants.end_sessions_of(agent.clone()).await.is_err() {
            log::error!("the sessions of {agent} may live on after its sign-in ended");
        }
    }

    pub(super) async fn record(&self, ticket: &Ticket, grant: &'static str, client_id: &str) {
        let audit = &self.0.audit;
        audit
            .record_issued_token(&ticket.agent, grant, client_id)
            .await;
    }
}

/// Whether the code was given for what the client presents it with.
fn is_of(consent: &Consent, request: &CodeRequest) -> bool {
    let own = &consent.request;
    let challenge = random::base64url(&Sha256::digest(request.verifier.as_bytes()));
    own.client.id.as_str() == request.client_id
        && own.redirect.as_str() == request.redirect
        && challenge == own.challenge
}

pub(super) fn issued(pair: TokenPair, access: &IssuedAccess, now: DateTime<Utc>) -> IssuedPair {
    IssuedPair {
        pair,
        serves_s: (access.expires_at - now).num_seconds(),
    }
}
