//! What the head of a push decides, before a byte of its body: who sends it, and whether it can be taken.

use std::str::FromStr;

use actix_web::dev::{Payload, RequestHead};
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde_json::json;
use sextant_actors::audit::AuditDraft;
use sextant_actors::domain::{Decision, PushConnection};
use sextant_actors::journal::JournalAck;

use crate::http::headers::content_length;
use crate::http::problem::Code;
use crate::ingest::Rejects;
use crate::ingest::decode::{BodyFormat, Encoding};

use super::answer::{PushFailure, UNAUTHORIZED};
use super::discard::refuse;
use super::parts::IngestParts;
use super::secret::authorized;

/// The name of the act in the record.
const VERB: &str = "ingest";

/// A push whose body may come.
pub(super) struct AdmittedPush {
    /// Whose push it is.
    pub connection: PushConnection,
    /// What its head asks for.
    pub asked: PushHead,
}

/// An answer that does not wait for the body; its row is recorded.
pub(super) struct RefusedPush {
    journaled: JournalAck,
    response: Box<HttpResponseBuilder>,
    body: String,
}

/// Decides on a push to the connection that `id` names. A refusal leaves its row here, so that a push
/// that is decided on twice, as for `Expect: 100-continue`, is so only when it was admitted.
pub(super) fn admit(
    parts: &IngestParts,
    id: &str,
    head: &RequestHead,
) -> Result<AdmittedPush, RefusedPush> {
    let Some(connection) = authorized(&parts.connections, id, head.headers()) else {
        return Err(RefusedPush::unauthorized(parts));
    };
    match PushHead::of(head, parts.limits.body_bytes_max) {
        Ok(asked) => Ok(AdmittedPush { connection, asked }),
        Err(failure) => {
            let journaled = parts.audit.open_witness(draft(Some(&connection))).fail();
            Err(RefusedPush::of(failure, journaled))
        }
    }
}

impl RefusedPush {
    fn unauthorized(parts: &IngestParts) -> Self {
        let deny = Decision::Deny("unauthorized".to_owned());
        let witness = parts.audit.open_witness(draft(None));
        Self {
            journaled: witness.finish(deny, None, None, None),
            response: Box::new(HttpResponse::Unauthorized()),
            body: UNAUTHORIZED.to_owned(),
        }
    }

    /// The refusal of a push that has left its row.
    pub(super) fn of(failure: PushFailure, journaled: JournalAck) -> Self {
        let (response, body) = failure.parts();
        Self {
            response: Box::new(response),
            body,
            journaled,
        }
    }

    /// The answer, which closes the connection on what else of the body comes; it waits for the journal's word on its row.
    pub(super) async fn answer(self, rest: Payload) -> HttpResponse {
        self.journaled.await;
        refuse(*self.response, self.body, rest)
    }
}

/// What the head of the request asks for.
pub(super) struct PushHead {
    /// How the body is compressed.
    pub encoding: Encoding,
    /// How the records are written.
    pub format: BodyFormat,
    /// Whether records at fault keep the others from being stored.
    pub rejects: Rejects,
}

impl PushHead {
    fn of(head: &RequestHead, bytes_max: u64) -> Result<Self, PushFailure> {
        if content_length(head.headers()).is_some_and(|bytes| bytes > bytes_max) {
            return Err(PushFailure::too_large(bytes_max));
        }
        Ok(Self {
            encoding: only(
                head,
                &CONTENT_ENCODING,
                "send the body as it is, or with one Content-Encoding, gzip or zstd",
            )?,
            format: only(
                head,
                &CONTENT_TYPE,
                "send application/json or application/x-ndjson",
            )?,
            rejects: rejects(head.uri.query().unwrap_or_default())?,
        })
    }
}

/// What a header says that may be there once; `advice` when it says something else.
fn only<T: FromStr>(
    head: &RequestHead,
    name: &HeaderName,
    advice: &'static str,
) -> Result<T, PushFailure> {
    let mut values = head.headers().get_all(name);
    let said = match (values.next(), values.next()) {
        (None, _) => Some(""),
        (Some(value), None) => value.to_str().ok(),
        (Some(_), Some(_)) => None,
    };
    said.and_then(|said| said.parse().ok())
        .ok_or_else(|| PushFailure::new(Code::UnsupportedMediaType, advice))
}

fn rejects(query: &str) -> Result<Rejects, PushFailure> {
    match query {
        "" | "partial=false" => Ok(Rejects::All),
        "partial=true" => Ok(Rejects::Listed),
        _ => Err(PushFailure::new(
            Code::Invalid,
            "the only parameter is `partial`, true or false",
        )),
    }
}

/// The row of a push, as far as its head tells.
pub(super) fn draft(connection: Option<&PushConnection>) -> AuditDraft {
    AuditDraft {
        user: connection.map(|connection| connection.user),
        agent: None,
        tool: VERB.to_owned(),
        sector: connection.map(|connection| connection.sector),
        args: connection.map(|connection| json!({ "connectionId": connection.id })),
        request_id: None,
    }
}
