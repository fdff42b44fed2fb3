use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use futures_util::future::join_all;
use serde_json::json;
use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::domain::{Decision, OPERATOR, Outcome, Sector};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use super::household_slot::take_slot;
use crate::db::StoreError;
use crate::http::console::connections::{ConnectionList, ConnectionView, publish};
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::ingest::StoreFailure;
use crate::sample::load::{self as household, LoadError, Loaded};
use crate::store::connections::samples;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/sample",
    "Load a sample household to look around in.",
    || web::to(load),
)
.answers(&[endpoint::json(201, schema::answer::<ConnectionList>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

async fn load(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<ConnectionList>, StatusCode), Problem> {
    to_the_end(async move {
        let _slot = take_slot(&parts).await?;
        let loaded = match household::load(
            &parts.pool,
            (parts.clock.now(), parts.zone),
            parts.spools.clone(),
        )
        .await
        {
            Ok(loaded) => loaded,
            Err(error) => return Err(refuse(&parts, error).await),
        };
        let (mut views, mut acknowledgements) = (Vec::new(), Vec::new());
        for Loaded { connection, stored } in loaded {
            publish(&parts, connection.id).await;
            let count = i32::try_from(stored.inserted).unwrap_or(i32::MAX);
            let (id, sector) = (connection.id, connection.sector);
            acknowledgements.push(record_ingest(&parts, id, sector, count));
            views.push(ConnectionView::of(connection, parts.clock.now()));
        }
        join_all(acknowledgements).await;
        let created = ConnectionList { connections: views };
        Ok((Json(created), StatusCode::CREATED))
    })
    .await
}

/// Leaves the audit row of what was loaded into one connection.
fn record_ingest(parts: &Parts, id: Uuid, sector: Sector, count: i32) -> JournalAck {
    let entry = AuditEntry {
        user_id: Some(OPERATOR),
        sector: Some(sector),
        args: Some(SafeArgs::of(&json!({ "connectionId": id }))),
        ..AuditEntry::unfinished("ingest")
    };
    let witness = parts.audit.open_witness(entry);
    witness.finish(
        Decision::Allow,
        Some(sector),
        Some(Outcome::Ok),
        Some(count),
    )
}

/// The problem of a load that failed. If it may have been committed all the same, its connections are published first.
async fn refuse(parts: &Parts, error: LoadError) -> Problem {
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
    match samples::list(&parts.pool).await {
        Ok(connections) => {
            for (id, _) in connections {
                publish(parts, id).await;
            }
        }
        Err(cause) => log::warn!("the sample connections cannot be published yet: {cause}"),
    }
}
