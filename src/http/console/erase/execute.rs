use actix_web::web::{self, Json};
use sextant_actors::domain::{KnownConnection, Outcome, Sector};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use super::rows_erased::RowsErased;
use super::scope::{self, EraseRequest};
use crate::db::StoreError;
use crate::http::console::connections::{not_found, publish};
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;
use crate::providers;
use crate::store::erase::{self, EraseScope, Erased};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/erase",
    "Delete all rows of a connection, of a sector, or of all. Connections, agents and the record stay.",
    || web::to(execute),
)
.takes_body(RequestBody::Required(scope::schema))
.answers(&[endpoint::json(200, schema::answer::<RowsErased>)])
.refuses(scope::REFUSALS);

/// The act's verb in the audit log.
const VERB: &str = "erase";

async fn execute(
    parts: web::Data<Parts>,
    FromBody(sent): FromBody<EraseRequest>,
) -> Result<Json<RowsErased>, Problem> {
    let scope = sent.scope()?;
    to_the_end(async move {
        // Read before the erase: a removed connection is published no more, and its row would then name no sector.
        let sector = sector_of(&parts, scope);
        if scope == EraseScope::All {
            // Nothing of before is stored behind the erase.
            parts.uploads.stop().await;
        }
        let done = erase::erase(&parts.pool, scope, parts.clock.now()).await;
        if matches!(done, Ok(Some(_)) | Err(StoreError::FateUnknown { .. })) {
            publish_paused(&parts, scope).await;
        }
        if scope == EraseScope::All && done.is_ok() {
            clear_uploads(&parts).await;
        }
        record_audit(&parts, scope, sector, &done).await;
        let erased = done.map_err(failure)?.ok_or_else(not_found)?;
        Ok(Json(erased.into()))
    })
    .await
}

/// Removes the files of uploads, which hold what is erased.
async fn clear_uploads(parts: &Parts) {
    let uploads = parts.uploads.clone();
    let cleared = web::block(move || uploads.clear()).await;
    if cleared.is_err() {
        log::warn!("files of uploads were not removed; they are within a day");
    }
}

/// Leaves the act's one row in the audit log (r040).
fn record_audit(
    parts: &Parts,
    scope: EraseScope,
    sector: Option<Sector>,
    done: &Result<Option<Erased>, StoreError>,
) -> JournalAck {
    let (outcome, rows) = match done {
        Ok(Some(erased)) => {
            let rows = i32::try_from(erased.total()).unwrap_or(i32::MAX);
            (Outcome::Ok, Some(rows))
        }
        Ok(None) | Err(_) => (Outcome::Error, None),
    };
    let args = Some(scope::audit_args(scope));
    parts
        .audit
        .record_operator(VERB, sector, args, outcome, rows)
}

fn sector_of(parts: &Parts, scope: EraseScope) -> Option<Sector> {
    match scope {
        EraseScope::Connection(id) => {
            let published = parts.connections.snapshot();
            published.get(&id).map(|connection| connection.sector)
        }
        EraseScope::Sector(sector) => Some(sector),
        EraseScope::All => None,
    }
}

/// Publishes the pulled connections that the erase has paused, or may have.
async fn publish_paused(parts: &Parts, scope: EraseScope) {
    let is_in_scope = |connection: &&KnownConnection| match scope {
        EraseScope::Connection(id) => connection.id == id,
        EraseScope::Sector(sector) => connection.sector == sector,
        EraseScope::All => true,
    };
    let published = parts.connections.snapshot();
    let pulled = published
        .values()
        .filter(|connection| connection.provider != providers::PUSH);
    let paused: Vec<Uuid> = pulled
        .filter(is_in_scope)
        .map(|connection| connection.id)
        .collect();
    for id in paused {
        publish(parts, id).await;
    }
}

/// An erase whose outcome is unknown can be repeated, and the answer says so.
fn failure(error: StoreError) -> Problem {
    let is_unknown = matches!(error, StoreError::FateUnknown { .. });
    let problem = Problem::from(error);
    if is_unknown {
        return Problem::new(
            Code::Unavailable,
            "the database's answer was lost: all of it was erased, or nothing; POST /api/erase/preview tells what is left, and to erase again does no harm",
        );
    }
    problem
}
