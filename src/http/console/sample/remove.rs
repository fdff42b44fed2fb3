use actix_web::web::{self, Json};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use sextant_actors::domain::{Outcome, Sector};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use super::household_slot::take_slot;
use crate::db::StoreError;
use crate::http::console::connections::publish;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::store::connections::samples::{self, RemovedSamples};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Delete,
    "/api/sample",
    "Remove the sample household's connections and their rows; the record keeps what was done.",
    || web::to(remove),
)
.answers(&[endpoint::json(200, schema::answer::<RowsDeleted>)])
.refuses(&[Code::Internal, Code::Unavailable]);

/// Removes all of it in one act, or nothing. A failure leaves an audit row for each connection that was to go.
async fn remove(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<RowsDeleted>, Problem> {
    to_the_end(async move {
        let _slot = take_slot(&parts).await?;
        let present = samples::list(&parts.pool).await?;
        let done = samples::remove(&parts.pool, parts.clock.now()).await;
        let (touched, outcome) = match &done {
            // A connection that another request removed first has its row from that one.
            Ok(RemovedSamples { connections, .. }) => (connections, Outcome::Ok),
            Err(_) => (&present, Outcome::Error),
        };
        let is_published = matches!(done, Ok(_) | Err(StoreError::FateUnknown { .. }));
        for (id, _) in touched.iter().filter(|_| is_published) {
            publish(&parts, *id).await;
        }
        let acknowledgements = touched
            .iter()
            .map(|(id, sector)| record_disconnect(&parts, *id, *sector, outcome));
        join_all(acknowledgements).await;
        Ok(Json(RowsDeleted {
            deleted: done?.rows_deleted,
        }))
    })
    .await
}

/// Leaves the audit row of one connection's removal.
fn record_disconnect(parts: &Parts, id: Uuid, sector: Sector, outcome: Outcome) -> JournalAck {
    let args = json!({ "connectionId": id, "rows": "delete" });
    parts
        .audit
        .record_operator("disconnect", Some(sector), Some(args), outcome, None)
}

/// How many rows were deleted with the sample's connections.
#[derive(Serialize, JsonSchema)]
struct RowsDeleted {
    deleted: u64,
}
