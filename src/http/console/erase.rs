//! Erasing by connection, by sector, or all (docs/operating.md#erase): counted first, then done, with one row in the record.
//!
//! An erase that failed leaves its row too, `error` and without a count (r040), and so does one of a connection that is not
//! there: it was asked for, and was not done. A request that cannot be read is no act, and leaves none.

mod request;

use std::collections::BTreeMap;

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::PushConnection;
use sextant_actors::domain::{Outcome, Sector};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use super::connections::{not_found, publish};
use super::{Parts, to_the_end};
use crate::db::StoreError;
use crate::http::body::Fields;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::providers;
use crate::store::erase::{self, EraseScope, Erased};

type Answer = Result<Json<RowsErased>, Problem>;

const VERB: &str = "erase";

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Post,
        "/api/erase/preview",
        "How many rows of which tables an erase would delete now.",
        || web::to(preview),
    )
    .takes_body(RequestBody::Required(request::schema))
    .answers(&[endpoint::json(200, schema::answer::<RowsErased>)])
    .refuses(&[Code::NotFound, Code::Internal, Code::Unavailable]),
    Endpoint::new(
        Verb::Post,
        "/api/erase",
        "Delete all rows of a connection, of a sector, or of all. Connections, agents and the record stay.",
        || web::to(erase),
    )
    .takes_body(RequestBody::Required(request::schema))
    .answers(&[endpoint::json(200, schema::answer::<RowsErased>)])
    .refuses(&[Code::NotFound, Code::Internal, Code::Unavailable]),
];

async fn preview(parts: web::Data<Parts>, body: Fields) -> Answer {
    let scope = request::parse(body)?;
    let counted = erase::preview(&parts.pool, scope).await?;
    counted.map(answer).ok_or_else(not_found)
}

async fn erase(parts: web::Data<Parts>, body: Fields) -> Answer {
    let scope = request::parse(body)?;
    to_the_end(async move {
        let sector = sector_of(&parts, scope);
        let done = erase::erase(&parts.pool, scope, parts.clock.now()).await;
        if matches!(done, Ok(Some(_)) | Err(StoreError::FateUnknown { .. })) {
            publish_paused(&parts, scope).await;
        }
        record(&parts, scope, sector, &done).await;
        done.map_err(failure)?.map(answer).ok_or_else(not_found)
    })
    .await
}

/// Rows that are deleted, or would be.
#[derive(Serialize, JsonSchema)]
struct RowsErased {
    deleted: u64,
    tables: BTreeMap<String, u64>,
}

fn answer(erased: Erased) -> Json<RowsErased> {
    Json(RowsErased {
        deleted: erased.total(),
        tables: erased.0,
    })
}

/// The act's one row (r040). A removed connection is published no more: its sector is then not told.
fn record(
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
    let args = Some(request::args(scope));
    parts
        .audit
        .record_operator(VERB, sector, args, outcome, rows)
}

fn sector_of(parts: &Parts, scope: EraseScope) -> Option<Sector> {
    match scope {
        EraseScope::Connection(id) => {
            let known = parts.connections.snapshot();
            known.get(&id).map(|known| known.sector)
        }
        EraseScope::Sector(sector) => Some(sector),
        EraseScope::All => None,
    }
}

/// What was, or may have been, paused.
async fn publish_paused(parts: &Parts, scope: EraseScope) {
    let is_touched = |known: &&PushConnection| match scope {
        EraseScope::Connection(id) => known.id == id,
        EraseScope::Sector(sector) => known.sector == sector,
        EraseScope::All => true,
    };
    let known = parts.connections.snapshot();
    let pulled = known
        .values()
        .filter(|known| known.provider != providers::PUSH);
    let touched: Vec<Uuid> = pulled.filter(is_touched).map(|known| known.id).collect();
    for id in touched {
        publish(parts, id).await;
    }
}

/// Whoever does not know whether it was done may do it again.
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
