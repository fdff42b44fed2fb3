//! Requests to the token endpoint. None is ever repeated here.

use bytes::Bytes;
use form_urlencoded::Serializer;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Url};

use super::answer::IssuedTokens;
use super::app::{ClientApp, OAuthAddresses};
use super::pkce::PkceVerifier;
use super::refusal;
use super::token_failure::TokenFailure;
use crate::failure::SourceFailure;
use crate::guard::{HttpAnswer, HttpGuard, HttpRequest};
use crate::limits::TOKEN_ANSWER_BYTES_MAX;
use crate::secret::SourceSecret;

/// Where a provider issues tokens, and ends them.
#[derive(Clone)]
pub struct TokenEndpoint {
    token: GuardedAddress,
    revoke: Option<GuardedAddress>,
}

#[derive(Clone)]
struct GuardedAddress {
    guard: HttpGuard,
    address: Url,
}

impl TokenEndpoint {
    /// Requests to these addresses, each by a guard that is made for it.
    ///
    /// # Errors
    /// Those of `guard`.
    pub fn new(
        addresses: &OAuthAddresses,
        guard: impl Fn(&Url) -> Result<HttpGuard, SourceFailure>,
    ) -> Result<Self, SourceFailure> {
        let guarded = |address: &Url| {
            guard(address).map(|guard| GuardedAddress {
                guard,
                address: address.clone(),
            })
        };
        Ok(Self {
            token: guarded(&addresses.token)?,
            revoke: addresses.revoke.as_ref().map(guarded).transpose()?,
        })
    }

    /// Tokens for the code that a browser brought back (RFC 6749 §4.1.3).
    ///
    /// # Errors
    /// Why there are none.
    pub async fn exchange(
        &self,
        app: &ClientApp,
        code: &SourceSecret,
        redirect_uri: &str,
        verifier: Option<&PkceVerifier>,
    ) -> Result<IssuedTokens, TokenFailure> {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code.reveal()),
            ("redirect_uri", redirect_uri),
        ];
        fields.extend(verifier.map(|verifier| ("code_verifier", verifier.reveal())));
        self.issue(app, fields).await
    }

    /// Tokens for a refresh token (RFC 6749 §6). Some providers give the next refresh token only if `scope` is asked for again.
    ///
    /// # Errors
    /// Why there are none.
    pub async fn refresh(
        &self,
        app: &ClientApp,
        refresh_token: &SourceSecret,
        scope: Option<&str>,
    ) -> Result<IssuedTokens, TokenFailure> {
        let mut fields = vec![
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token.reveal()),
        ];
        fields.extend(scope.map(|scope| ("scope", scope)));
        self.issue(app, fields).await
    }

    /// Ends a token and the consent behind it (RFC 7009); false where the provider has no place for it.
    ///
    /// # Errors
    /// When it does not answer, or with another status than success.
    pub async fn revoke(&self, token: &SourceSecret) -> Result<bool, SourceFailure> {
        let Some(revoke) = &self.revoke else {
            return Ok(false);
        };
        let fields = [("token", token.reveal())];
        let answer = revoke.post(&fields).await?;
        match answer.status.is_success() {
            true => Ok(true),
            false => Err(refusal::failure_of(&answer, &fields)),
        }
    }

    async fn issue(
        &self,
        app: &ClientApp,
        mut fields: Vec<(&str, &str)>,
    ) -> Result<IssuedTokens, TokenFailure> {
        fields.push(("client_id", &app.id));
        fields.push(("client_secret", app.secret.reveal()));
        let answer = self.token.post(&fields).await;
        let answer = answer.map_err(|failure| match failure.is_unsent {
            true => TokenFailure::Passing(failure),
            false => TokenFailure::Unanswered(failure),
        })?;
        let issued = answer
            .status
            .is_success()
            .then(|| IssuedTokens::parse(&answer.body));
        issued
            .flatten()
            .ok_or_else(|| refusal::of_answer(&answer, &fields))
    }
}

impl GuardedAddress {
    async fn post(&self, fields: &[(&str, &str)]) -> Result<HttpAnswer, SourceFailure> {
        let to = self.guard.rule().judge(&self.address)?;
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        let json = HeaderValue::from_static("application/json");
        let request = HttpRequest {
            method: Method::POST,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, form), (ACCEPT, json)]),
            body: Bytes::from(Serializer::new(String::new()).extend_pairs(fields).finish()),
            answer_bytes_max: TOKEN_ANSWER_BYTES_MAX,
        };
        self.guard.send(&to, &request).await
    }
}
