//! Decides on a push by its head, before a byte of its body is read: who sends it, and whether it can be accepted.

use std::str::FromStr;

use actix_web::dev::{Payload, RequestHead};
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use actix_web::{HttpResponse, HttpResponseBuilder};
use sextant_actors::domain::{Decision, KnownConnection};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use crate::http::code::Code;
use crate::http::headers::content_length;
use crate::ingest::decode::{BodyFormat, Encoding};

use super::answer::{PushFailure, UNAUTHORIZED};
use super::discard::refuse;
use super::parameters::PushParameters;
use super::parts::IngestParts;
use super::refusals::KnownRefusal;
use super::secret::{Authorization, authorize};

/// A push whose body may be read.
pub(super) struct AdmittedPush {
    /// The connection that pushes.
    pub connection: KnownConnection,
    /// What its head asks for.
    pub options: PushOptions,
}

/// An answer that does not wait for the body; its audit row is written.
pub(super) struct RefusedPush {
    journaled: JournalAck,
    response: Box<HttpResponseBuilder>,
    body: String,
    /// What is noted of it, if the connection's secret was sent.
    known: Option<Box<KnownRefusal>>,
}

/// Decides on a push to the connection that `id` names. A refusal leaves its audit row here; an admitted push may be decided on twice,
/// as with `Expect: 100-continue`, and leaves none yet.
pub(super) fn admit(
    parts: &IngestParts,
    id: &str,
    head: &RequestHead,
) -> Result<AdmittedPush, RefusedPush> {
    let connection = match authorize(&parts.store.connections, id, head.headers()) {
        Authorization::Granted(connection) => connection,
        Authorization::Paused(connection) => {
            let known = Some(Box::new(KnownRefusal::of_paused(&connection)));
            return Err(RefusedPush::unauthorized(parts, known));
        }
        Authorization::Refused => return Err(RefusedPush::unauthorized(parts, None)),
    };
    match PushOptions::of(head, parts.limits.body_bytes_max) {
        Ok(options) => Ok(AdmittedPush {
            connection,
            options,
        }),
        Err(failure) => {
            let journaled = parts.store.open_witness(Some(&connection)).fail();
            Err(RefusedPush::of(
                failure,
                owner_and_id(&connection),
                journaled,
            ))
        }
    }
}

impl RefusedPush {
    /// The refusal of whoever may not push now; all have the same answer (r083).
    fn unauthorized(parts: &IngestParts, known: Option<Box<KnownRefusal>>) -> Self {
        let deny = Decision::Deny("unauthorized".into());
        let witness = parts.store.open_witness(None);
        Self {
            journaled: witness.finish(deny, None, None, None),
            response: Box::new(HttpResponse::build(Code::Unauthorized.status())),
            body: UNAUTHORIZED.to_owned(),
            known,
        }
    }

    /// The refusal of a push whose audit row is written; `connection` is a user and the id of their connection.
    pub(super) fn of(
        failure: PushFailure,
        connection: (Uuid, Uuid),
        journaled: JournalAck,
    ) -> Self {
        let (response, body) = failure.parts();
        Self {
            known: Some(Box::new(KnownRefusal::of(connection, failure.to_refusal()))),
            response: Box::new(response),
            body,
            journaled,
        }
    }

    /// The answer, which closes the connection; it waits until the journal has acknowledged its row.
    pub(super) async fn answer(self, parts: &IngestParts, rest: Payload) -> HttpResponse {
        self.journaled.await;
        if let Some(known) = self.known {
            parts.refusals.note(*known);
        }
        refuse(*self.response, self.body, rest)
    }
}

/// What the head of the request asks for.
pub(super) struct PushOptions {
    /// How the body is compressed.
    pub encoding: Encoding,
    /// How the records are encoded.
    pub format: BodyFormat,
    /// What the query string asks for.
    pub parameters: PushParameters,
}

impl PushOptions {
    fn of(head: &RequestHead, bytes_max: u64) -> Result<Self, PushFailure> {
        if content_length(head.headers()).is_some_and(|bytes| bytes > bytes_max) {
            return Err(PushFailure::too_large(bytes_max));
        }
        Ok(Self {
            encoding: parse_header(
                head,
                &CONTENT_ENCODING,
                "send the body as it is, or with one Content-Encoding, gzip or zstd",
            )?,
            format: parse_header(
                head,
                &CONTENT_TYPE,
                "send application/json or application/x-ndjson",
            )?,
            parameters: PushParameters::parse(head.uri.query().unwrap_or_default())?,
        })
    }
}

/// Parses a header that may be sent once; a missing one is parsed as empty. `advice` is the problem's message.
fn parse_header<T: FromStr>(
    head: &RequestHead,
    name: &HeaderName,
    advice: &'static str,
) -> Result<T, PushFailure> {
    let mut values = head.headers().get_all(name);
    let text = match (values.next(), values.next()) {
        (None, _) => Some(""),
        (Some(value), None) => value.to_str().ok(),
        (Some(_), Some(_)) => None,
    };
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| PushFailure::new(Code::UnsupportedMediaType, advice))
}

/// The user, and the id of their connection.
pub(super) const fn owner_and_id(connection: &KnownConnection) -> (Uuid, Uuid) {
    (connection.user, connection.id)
}
