//! One push, from the request's head to its answer.

use std::fs::File;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;
use sextant_actors::connections::PushConnection;
use sextant_actors::domain::{Decision, Outcome};
use sextant_actors::record::{EntryDraft, Witness};
use uuid::Uuid;

use crate::catalog;
use crate::http::problem::Code;
use crate::ingest::decode::{Encoding, Format};
use crate::ingest::{Destination, Prepared, Rejects, Stored, prepare, store};

use super::IngestParts;
use super::answer::{self, Failure, UNAUTHORIZED};
use super::discard::refuse;
use super::secret::authorized;
use super::spool::spool;

/// The name of the act in the record.
const VERB: &str = "ingest";
/// Connections that devices push to; only among these are references looked up.
const PUSH_PROVIDER: &str = "push";

/// The handler.
pub async fn push(
    request: HttpRequest,
    path: Path<String>,
    mut payload: Payload,
    parts: Data<IngestParts>,
) -> HttpResponse {
    let Some(connection) = authorized(&parts.connections, &path, request.headers()) else {
        parts.audit.witness(draft(None)).finish(
            Decision::Deny("unauthorized".to_owned()),
            None,
            None,
            None,
        );
        return refuse(
            HttpResponse::Unauthorized(),
            UNAUTHORIZED.to_owned(),
            payload,
        );
    };
    let witness = parts.audit.witness(draft(Some(&connection)));
    match taken(&request, &mut payload, &parts, connection, witness).await {
        Ok(answer) => answer,
        Err(failure) => {
            let (response, body) = failure.parts();
            refuse(response, body, payload)
        }
    }
}

/// Everything after the secret. An unfinished witness records `allow`/`error`.
async fn taken(
    request: &HttpRequest,
    payload: &mut Payload,
    parts: &Data<IngestParts>,
    connection: PushConnection,
    witness: Witness,
) -> Result<HttpResponse, Failure> {
    let asked = Asked::of(request, parts.body_bytes_max)?;
    let to = destination(&connection, parts)?;
    let _turn = parts.turns.acquire().await.map_err(|_| {
        Failure::new(
            Code::Unavailable,
            "the service is stopping; send the push again later",
        )
    })?;
    let body = spool(payload, parts.body_bytes_max)
        .await
        .map_err(|error| Failure::of_spool(error, parts.body_bytes_max))?;
    let mut prepared = prepared(body, &asked, &to, parts.body_bytes_max).await?;
    let problems = std::mem::take(&mut prepared.problems);
    if asked.rejects == Rejects::All && !problems.is_empty() {
        return Err(Failure::invalid(problems));
    }
    let stored = store_to_the_end(Data::clone(parts), to, prepared, witness).await?;
    Ok(answer::stored(stored, &problems))
}

/// What the head of the request asks for.
struct Asked {
    encoding: Encoding,
    format: Format,
    rejects: Rejects,
}

impl Asked {
    fn of(request: &HttpRequest, bytes_max: u64) -> Result<Self, Failure> {
        let header = |name: &HeaderName| {
            request
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        if header(&CONTENT_LENGTH)
            .parse::<u64>()
            .is_ok_and(|bytes| bytes > bytes_max)
        {
            return Err(Failure::too_large(bytes_max));
        }
        let unsupported = |what: &'static str| Failure::new(Code::UnsupportedMediaType, what);
        Ok(Self {
            encoding: header(&CONTENT_ENCODING).parse().map_err(|_| {
                unsupported("send the body as it is, or with Content-Encoding gzip or zstd")
            })?,
            format: header(&CONTENT_TYPE)
                .parse()
                .map_err(|_| unsupported("send application/json or application/x-ndjson"))?,
            rejects: rejects(request.query_string())?,
        })
    }
}

fn rejects(query: &str) -> Result<Rejects, Failure> {
    match query {
        "" | "partial=false" => Ok(Rejects::All),
        "partial=true" => Ok(Rejects::Listed),
        _ => Err(Failure::new(
            Code::Invalid,
            "the only parameter is `partial`, true or false",
        )),
    }
}

fn destination(connection: &PushConnection, parts: &IngestParts) -> Result<Destination, Failure> {
    let table =
        catalog::by_target(&connection.target).filter(|table| table.sector == connection.sector);
    let table = table.ok_or_else(|| {
        Failure::new(
            Code::Internal,
            "this connection's table is not known to this version of the service",
        )
    })?;
    Ok(Destination {
        user: connection.user,
        connection: connection.id,
        table,
        zone: parts.zone,
    })
}

async fn prepared(
    body: File,
    asked: &Asked,
    to: &Destination,
    bytes_max: u64,
) -> Result<Prepared, Failure> {
    let (shape, rejects, to) = ((asked.encoding, asked.format), asked.rejects, to.clone());
    let prepared =
        tokio::task::spawn_blocking(move || prepare(body, shape, bytes_max, &to, rejects)).await;
    prepared
        .map_err(|_| Failure::new(Code::Internal, "the push could not be read"))?
        .map_err(|error| Failure::of_body(error, bytes_max))
}

/// Stores and records in a task of its own: a device that goes away in the middle changes neither.
async fn store_to_the_end(
    parts: Data<IngestParts>,
    to: Destination,
    prepared: Prepared,
    witness: Witness,
) -> Result<Stored, Failure> {
    let work = actix_web::rt::spawn(async move {
        let siblings = siblings(&parts, &to);
        let stored = store(&parts.pool, &to, &siblings, prepared, parts.clock.now()).await;
        if let Ok(stored) = &stored {
            let count = stored.inserted + stored.updated + stored.unchanged + stored.deleted;
            witness.finish(
                Decision::Allow,
                Some(to.table.sector),
                Some(Outcome::Ok),
                Some(i32::try_from(count).unwrap_or(i32::MAX)),
            );
        }
        stored
    });
    work.await
        .map_err(|_| Failure::new(Code::Internal, "the push was not stored"))?
        .map_err(Failure::of_store)
}

/// The person's other push connections of the same sector.
fn siblings(parts: &IngestParts, to: &Destination) -> Vec<Uuid> {
    let snapshot = parts.connections.snapshot();
    let is_sibling = |other: &&PushConnection| {
        other.provider == PUSH_PROVIDER
            && other.user == to.user
            && other.sector == to.table.sector
            && other.id != to.connection
    };
    let mut siblings: Vec<Uuid> = snapshot
        .values()
        .filter(is_sibling)
        .map(|other| other.id)
        .collect();
    siblings.sort_unstable();
    siblings
}

fn draft(connection: Option<&PushConnection>) -> EntryDraft {
    EntryDraft {
        user: connection.map(|connection| connection.user),
        agent: None,
        tool: VERB.to_owned(),
        sector: connection.map(|connection| connection.sector),
        args: connection.map(|connection| json!({ "connectionId": connection.id })),
        request_id: None,
    }
}
