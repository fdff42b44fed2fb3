//! Requests that carry the access token of a sign-in (RFC 6750).
//!
//! Who holds a token asks for it anew with each request: it is renewed elsewhere, by the one who may. A token that a source does not
//! take leads to one renewal and one repetition, never more.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode, Url};

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{HttpAnswer, HttpGuard, HttpRequest, JudgedAddress};
use crate::limits::ANSWER_BYTES_MAX;
use crate::secret::SourceSecret;

/// Where the access token of a sign-in comes from.
#[async_trait]
pub trait AccessTokens: Send + Sync {
    /// A token that is valid as far as anybody here knows.
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure>;

    /// The source did not take `refused`: another one.
    ///
    /// # Errors
    /// [`FailureKind::CredentialRefused`] when there is no other.
    async fn replace(&self, refused: &SourceSecret) -> Result<SourceSecret, SourceFailure>;
}

/// Asks as one person who has consented.
#[derive(Clone)]
pub struct BearerClient {
    guard: HttpGuard,
    tokens: Arc<dyn AccessTokens>,
}

impl BearerClient {
    /// Requests by a guard, with the tokens of one sign-in.
    pub const fn new(guard: HttpGuard, tokens: Arc<dyn AccessTokens>) -> Self {
        Self { guard, tokens }
    }

    /// Asks for JSON at an address of this program's own making, or one that an answer named: it is judged before a token goes along.
    ///
    /// # Errors
    /// When the address is forbidden, there is no token, or nothing answers. An answer of any status is none.
    pub async fn get(
        &self,
        address: &Url,
        headers: HeaderMap,
    ) -> Result<HttpAnswer, SourceFailure> {
        self.send(Method::GET, address, headers).await
    }

    /// The same by `DELETE`: by it some providers end a consent.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn delete(&self, address: &Url) -> Result<HttpAnswer, SourceFailure> {
        self.send(Method::DELETE, address, HeaderMap::new()).await
    }

    async fn send(
        &self,
        method: Method,
        address: &Url,
        headers: HeaderMap,
    ) -> Result<HttpAnswer, SourceFailure> {
        let to = self.guard.rule().judge(address)?;
        let request = HttpRequest {
            method,
            headers,
            body: Bytes::new(),
            answer_bytes_max: ANSWER_BYTES_MAX,
        };
        let token = self.tokens.access_token().await?;
        let answer = self.send_once(&to, request.clone(), &token).await?;
        if answer.status != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        let token = self.tokens.replace(&token).await?;
        self.send_once(&to, request, &token).await
    }

    async fn send_once(
        &self,
        to: &JudgedAddress,
        mut request: HttpRequest,
        token: &SourceSecret,
    ) -> Result<HttpAnswer, SourceFailure> {
        let bearer = HeaderValue::try_from(format!("Bearer {}", token.reveal()));
        let mut bearer = bearer.map_err(|_| {
            let message = "the access token cannot be sent";
            SourceFailure::new(FailureKind::CredentialRefused, message)
        })?;
        bearer.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, bearer);
        let json = HeaderValue::from_static("application/json");
        request.headers.entry(ACCEPT).or_insert(json);
        self.guard.send(to, &request).await
    }
}
