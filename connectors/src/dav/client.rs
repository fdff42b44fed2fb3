//! Requests of WebDAV, and the addresses that their answers name.

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};

use super::multistatus::{Multistatus, is_token_refused};
use crate::basic::basic_authorization;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{HttpAnswer, HttpGuard, HttpRequest, JudgedAddress};
use crate::secret::SourceSecret;

/// Asks as one person.
pub(super) struct DavClient {
    guard: HttpGuard,
    authorization: HeaderValue,
}

/// A whole answer, and who gave it: what its addresses are relative to.
pub(super) struct DavAnswer {
    pub(super) from: JudgedAddress,
    pub(super) content: Multistatus,
}

/// How deep a request goes below its address.
#[derive(Clone, Copy)]
pub(super) enum DavDepth {
    Itself,
    Members,
}

impl DavClient {
    /// The password goes along at once (RFC 7617): some servers offer other ways first, which nobody but they can go.
    pub(super) fn new(
        guard: HttpGuard,
        user: &str,
        password: &SourceSecret,
    ) -> Result<Self, SourceFailure> {
        let authorization = basic_authorization(user, password)?;
        Ok(Self {
            guard,
            authorization,
        })
    }

    /// The judged address of a URL.
    pub(super) fn judge(&self, address: &Url) -> Result<JudgedAddress, SourceFailure> {
        self.guard.rule().judge(address)
    }

    /// The judged address of an `href` in an answer.
    pub(super) fn resolve(
        &self,
        from: &JudgedAddress,
        href: &str,
    ) -> Result<JudgedAddress, SourceFailure> {
        let address = from.url().join(href).map_err(|_| {
            let message = "the source named an address that is none";
            SourceFailure::new(FailureKind::Malformed, message)
        })?;
        self.judge(&address)
    }

    /// Properties of an address.
    pub(super) async fn find(
        &self,
        to: &JudgedAddress,
        depth: DavDepth,
        body: &'static str,
        bytes_max: usize,
    ) -> Result<DavAnswer, SourceFailure> {
        let body = Bytes::from_static(body.as_bytes());
        self.ask(b"PROPFIND", to, depth, body, bytes_max).await
    }

    /// A report on a collection. A token in it that is none any more is [`FailureKind::PositionLost`].
    pub(super) async fn report(
        &self,
        on: &JudgedAddress,
        depth: DavDepth,
        body: Bytes,
        bytes_max: usize,
    ) -> Result<DavAnswer, SourceFailure> {
        self.ask(b"REPORT", on, depth, body, bytes_max).await
    }

    async fn ask(
        &self,
        method: &[u8],
        to: &JudgedAddress,
        depth: DavDepth,
        body: Bytes,
        answer_bytes_max: usize,
    ) -> Result<DavAnswer, SourceFailure> {
        let method = Method::from_bytes(method).unwrap_or_default();
        let request = HttpRequest {
            method,
            headers: self.headers(depth),
            body,
            answer_bytes_max,
        };
        let answer = self.guard.send(to, &request).await?;
        if answer.status.as_u16() != 207 {
            return Err(refusal(&answer));
        }
        Ok(DavAnswer {
            content: Multistatus::parse(&answer.body)?,
            from: answer.from,
        })
    }

    fn headers(&self, depth: DavDepth) -> HeaderMap {
        let depth = match depth {
            DavDepth::Itself => "0",
            DavDepth::Members => "1",
        };
        HeaderMap::from_iter([
            (AUTHORIZATION, self.authorization.clone()),
            (
                HeaderName::from_static("depth"),
                HeaderValue::from_static(depth),
            ),
            (
                CONTENT_TYPE,
                HeaderValue::from_static("application/xml; charset=utf-8"),
            ),
        ])
    }
}

/// What an answer says that is no multistatus. Servers refuse a token in three ways.
fn refusal(answer: &HttpAnswer) -> SourceFailure {
    let failure = answer.failure();
    let is_lost =
        matches!(answer.status.as_u16(), 403 | 409 | 412) && is_token_refused(&answer.body);
    let kind = match is_lost {
        true => FailureKind::PositionLost,
        false => failure.kind,
    };
    SourceFailure { kind, ..failure }
}
