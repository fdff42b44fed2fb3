//! The sample household: loaded for whoever wants to look around, and removed without a trace (docs/operating.md#the-sample-household).
//!
//! Loading leaves an `ingest` row in the audit for each connection, removing a `disconnect` row each (r038, r039).

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use sextant_actors::audit::AuditDraft;
use sextant_actors::domain::{Decision, OPERATOR, Outcome, Sector};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use super::connections::{ConnectionList, ConnectionView, publish};
use super::{Parts, to_the_end};
use crate::capacity::Slot;
use crate::db::StoreError;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::ingest::StoreFailure;
use crate::sample::load::{LoadError, Loaded, load};
use crate::store::connections::samples::{self, RemovedSamples};

/// How long one waits for those before it.
const WAIT_MAX: Duration = Duration::from_secs(180);

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Post,
        "/api/sample",
        "Load a sample household to look around in.",
        || web::to(create),
    )
    .answers(&[endpoint::json(201, schema::answer::<ConnectionList>)])
    .refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]),
    Endpoint::new(
        Verb::Delete,
        "/api/sample",
        "Remove the sample household's connections and their rows; the record keeps what was done.",
        || web::to(delete),
    )
    .answers(&[endpoint::json(200, schema::answer::<RowsDeleted>)])
    .refuses(&[Code::Internal, Code::Unavailable]),
];

async fn create(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<ConnectionList>, StatusCode), Problem> {
    to_the_end(async move {
        let _slot = take_slot(&parts).await?;
        let loaded = match load(&parts.pool, parts.clock.now(), parts.zone).await {
            Ok(loaded) => loaded,
            Err(error) => return Err(refused(&parts, error).await),
        };
        let (mut views, mut arrivals) = (Vec::new(), Vec::new());
        for Loaded { connection, stored } in loaded {
            publish(&parts, connection.id).await;
            let count = i32::try_from(stored.inserted).unwrap_or(i32::MAX);
            arrivals.push(record_arrival(
                &parts,
                connection.id,
                connection.sector,
                count,
            ));
            views.push(ConnectionView::of(connection));
        }
        join_all(arrivals).await;
        let created = ConnectionList { connections: views };
        Ok((Json(created), StatusCode::CREATED))
    })
    .await
}

/// Loading and removing happen one after the other, in the order in which they were asked for: a removal that came while a load was
/// under way would find nothing yet, and the load would go on behind it. Held until all of an act is done: stored, published and
/// recorded.
async fn take_slot(parts: &Parts) -> Result<Slot, Problem> {
    let slot = parts.sample_slot.take_within(WAIT_MAX).await;
    slot.ok_or_else(|| {
        Problem::new(
            Code::Unavailable,
            "the sample household is still being loaded or removed; nothing was changed, ask again later",
        )
    })
}

fn record_arrival(parts: &Parts, id: Uuid, sector: Sector, count: i32) -> JournalAck {
    let draft = AuditDraft {
        user: Some(OPERATOR),
        agent: None,
        tool: "ingest".to_owned(),
        sector: Some(sector),
        args: Some(json!({ "connectionId": id })),
        request_id: None,
    };
    let witness = parts.audit.open_witness(draft);
    witness.finish(
        Decision::Allow,
        Some(sector),
        Some(Outcome::Ok),
        Some(count),
    )
}

/// What may have been committed after all is published.
async fn refused(parts: &Parts, error: LoadError) -> Problem {
    match error {
        LoadError::Present => Problem::new(
            Code::Conflict,
            "the sample household is here already; DELETE /api/sample removes it",
        ),
        LoadError::Store(StoreFailure::Store(cause)) => {
            if matches!(cause, StoreError::FateUnknown { .. }) {
                publish_all(parts).await;
            }
            cause.into()
        }
        LoadError::Unnamed(cause) => cause.into(),
        LoadError::Sample(_) | LoadError::Store(_) => {
            log::error!("the sample household was not loaded: {error}");
            Problem::new(
                Code::Internal,
                "the sample household was not loaded, and nothing was changed; the log says why",
            )
        }
    }
}

async fn publish_all(parts: &Parts) {
    for (id, _) in samples::list(&parts.pool).await.unwrap_or_default() {
        publish(parts, id).await;
    }
}

/// All of it in one act, or nothing. A failure is recorded for each connection that was to go.
async fn delete(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<RowsDeleted>, Problem> {
    to_the_end(async move {
        let _slot = take_slot(&parts).await?;
        let known = samples::list(&parts.pool).await?;
        let done = samples::remove(&parts.pool, parts.clock.now()).await;
        let (touched, outcome) = match &done {
            // What another call was quicker to remove, that one has recorded.
            Ok(RemovedSamples { connections, .. }) => (connections, Outcome::Ok),
            Err(_) => (&known, Outcome::Error),
        };
        let is_published = matches!(done, Ok(_) | Err(StoreError::FateUnknown { .. }));
        for (id, _) in touched.iter().filter(|_| is_published) {
            publish(&parts, *id).await;
        }
        let removals = touched.iter();
        join_all(removals.map(|(id, sector)| record_removal(&parts, *id, *sector, outcome))).await;
        Ok(Json(RowsDeleted {
            deleted: done?.rows_deleted,
        }))
    })
    .await
}

/// How many rows went with the sample's connections.
#[derive(Serialize, JsonSchema)]
struct RowsDeleted {
    deleted: u64,
}

fn record_removal(parts: &Parts, id: Uuid, sector: Sector, outcome: Outcome) -> JournalAck {
    let args = json!({ "connectionId": id, "rows": "delete" });
    parts
        .audit
        .record_operator("disconnect", Some(sector), Some(args), outcome, None)
}
