//! Requests of HTTP. Redirects are followed one at a time, each judged like the first address; method and body stay themselves,
//! since `PROPFIND` and `REPORT` are no `GET` after a redirect either.

mod body;
pub(super) mod broken;

use std::sync::Arc;

use bytes::Bytes;
use reqwest::dns::Resolve;
use reqwest::header::{CONTENT_ENCODING, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Client, Method, Response, StatusCode, redirect};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use self::broken::not_sent;
use super::destination::JudgedAddress;
use super::resolver::{AddressReach, Diversions, Resolver};
use super::rule::AddressRule;
use super::tls::Trust;
use crate::failure::{FailureKind, RetryAfter, SourceFailure};
use crate::limits::{CONNECT_DEADLINE, REDIRECTS_MAX, REQUEST_DEADLINE};

/// What sources are told of who asks.
const USER_AGENT: &str = concat!("sextant/", env!("CARGO_PKG_VERSION"));

/// Sends the requests of one sign-in.
#[derive(Clone)]
pub struct HttpGuard {
    client: Client,
    /// Whose names lead to the own network alone.
    plain_client: Client,
    plain_names: Resolver,
    rule: AddressRule,
    /// Requests that may be under way at one time, of all that share it; `None` for as many as there are.
    turns: Option<Arc<Semaphore>>,
}

/// One request. Headers that hold a secret are marked sensitive by whoever makes them.
#[derive(Clone, Debug)]
pub struct HttpRequest {
    /// `GET`, `PROPFIND`, …
    pub method: Method,
    /// What goes with it to every address it is redirected to.
    pub headers: HeaderMap,
    /// Kept through redirects.
    pub body: Bytes,
    /// The longest answer that is read, in bytes.
    pub answer_bytes_max: usize,
}

/// An answer, whatever its status.
#[derive(Clone, Debug)]
pub struct HttpAnswer {
    /// The address that answered, after all redirects: what an `href` in it is relative to.
    pub from: JudgedAddress,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

impl HttpAnswer {
    /// What an answer without success says.
    pub fn failure(&self) -> SourceFailure {
        let said = String::from_utf8_lossy(&self.body);
        // A page for people says nothing here.
        let said = if said.trim_start().starts_with('<') {
            ""
        } else {
            &said
        };
        SourceFailure::of_status(self.status.as_u16(), self.retry_after(), said)
    }

    fn retry_after(&self) -> Option<RetryAfter> {
        let header = self.headers.get(RETRY_AFTER)?.to_str().ok()?;
        RetryAfter::parse(header)
    }
}

impl HttpGuard {
    /// Requests by this rule, these names and certificates. Neither proxies nor cookies nor compressed answers.
    ///
    /// # Errors
    /// [`FailureKind::Unavailable`] when no client can be made of them.
    pub fn new(
        rule: AddressRule,
        diversions: Diversions,
        trust: &Trust,
    ) -> Result<Self, SourceFailure> {
        let names = Resolver::new(diversions, AddressReach::Everywhere);
        let plain_names = names.reaching(AddressReach::OwnNetwork);
        Ok(Self {
            client: client(names, trust)?,
            plain_client: client(plain_names.clone(), trust)?,
            plain_names,
            rule,
            turns: None,
        })
    }

    /// The same, with its requests taking turns with those of whoever shares `turns`.
    pub fn in_turns(self, turns: Arc<Semaphore>) -> Self {
        Self {
            turns: Some(turns),
            ..self
        }
    }

    /// The rule, for addresses that an answer names.
    pub const fn rule(&self) -> &AddressRule {
        &self.rule
    }

    /// Sends a request and reads its whole answer, within [`REQUEST_DEADLINE`].
    ///
    /// # Errors
    /// When nothing answers, a redirect leads where nothing may be sent, or the answer is too long. An answer of any status is none.
    pub async fn send(
        &self,
        to: &JudgedAddress,
        request: &HttpRequest,
    ) -> Result<HttpAnswer, SourceFailure> {
        // A turn that is never closed is always given.
        let _turn = match &self.turns {
            Some(turns) => turns.acquire().await.ok(),
            None => None,
        };
        timeout(REQUEST_DEADLINE, self.follow(to, request))
            .await
            .unwrap_or_else(|_| Err(broken::not_in_time()))
    }

    async fn follow(
        &self,
        to: &JudgedAddress,
        request: &HttpRequest,
    ) -> Result<HttpAnswer, SourceFailure> {
        let mut to = to.clone();
        for hop in 0..=REDIRECTS_MAX {
            let sent = self.send_once(&to, request).await;
            let response = sent.map_err(|failure| SourceFailure {
                // Whoever redirected has read the request.
                is_unsent: failure.is_unsent && hop == 0,
                ..failure
            })?;
            match self.redirected(&to, &response)? {
                Some(next) => to = next,
                None => return read(to, response, request.answer_bytes_max).await,
            }
        }
        let message = format!("the source redirected more than {REDIRECTS_MAX} times");
        Err(SourceFailure::new(FailureKind::Malformed, message))
    }

    async fn send_once(
        &self,
        to: &JudgedAddress,
        request: &HttpRequest,
    ) -> Result<Response, SourceFailure> {
        let client = if to.is_plain() {
            let judged = self.plain_names.judge_literal(to.host());
            judged.map_err(|cause| super::stream::not_connected(&cause).unsent())?;
            &self.plain_client
        } else {
            &self.client
        };
        client
            .request(request.method.clone(), to.url().clone())
            .headers(request.headers.clone())
            .body(request.body.clone())
            .send()
            .await
            .map_err(|cause| not_sent(&cause))
    }

    /// Where a redirect leads, judged; `None` for an answer that is none.
    fn redirected(
        &self,
        from: &JudgedAddress,
        response: &Response,
    ) -> Result<Option<JudgedAddress>, SourceFailure> {
        if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let location = response.headers().get(LOCATION);
        let location = location.and_then(|header| header.to_str().ok());
        let next = location.and_then(|location| from.url().join(location).ok());
        let next = next.ok_or_else(|| {
            let message = "the source redirected without saying where to";
            SourceFailure::new(FailureKind::Malformed, message)
        })?;
        self.rule.judge(&next).map(Some)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the door of every source: its rule judges each address before a request is made"
)]
pub(super) fn client(
    names: impl Resolve + 'static,
    trust: &Trust,
) -> Result<Client, SourceFailure> {
    let tls = rustls::ClientConfig::clone(&trust.config());
    Client::builder()
        .user_agent(USER_AGENT)
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_proxy()
        .connect_timeout(CONNECT_DEADLINE)
        .dns_resolver(names)
        .tls_backend_preconfigured(tls)
        .build()
        .map_err(|cause| not_sent(&cause))
}

pub(super) async fn read(
    from: JudgedAddress,
    response: Response,
    bytes_max: usize,
) -> Result<HttpAnswer, SourceFailure> {
    let (status, headers) = (response.status(), response.headers().clone());
    if let Some(encoding) = headers
        .get(CONTENT_ENCODING)
        .filter(|own| *own != "identity")
    {
        let message = "the source compressed an answer that was not to be";
        return Err(SourceFailure::new(FailureKind::Malformed, message)
            .with_words(&String::from_utf8_lossy(encoding.as_bytes())));
    }
    let body = body::read(response, bytes_max).await?;
    Ok(HttpAnswer {
        from,
        status,
        headers,
        body,
    })
}
