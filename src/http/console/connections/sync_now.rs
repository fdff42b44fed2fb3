use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tokio::time::timeout;

use super::act::AuditedAct;
use super::by_id::id_in_path;
use super::not_begun::problem;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections/{id}/sync-now",
    "Read its source now, or join the reading under way. Not before the source wants to be asked.",
    || web::to(sync_now),
)
.answers(&[endpoint::json(202, schema::answer::<SyncBegun>)])
.refuses(&[Code::Conflict, Code::Unavailable]);

/// How long the answer waits for the run to be kept; others may be read first.
const RUN_WAIT_MAX: Duration = Duration::from_secs(2);

async fn sync_now(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<SyncBegun>, StatusCode), Problem> {
    let id = id_in_path(&id)?;
    let act = AuditedAct::begin(&parts, "sync_now", id, json!({ "connectionId": id }));
    to_the_end(async move {
        let begun = parts.connections.sync_now(id).await;
        act.record(&parts, begun.is_ok()).await;
        let run = begun.map_err(problem)?.run;
        let kept = timeout(RUN_WAIT_MAX, run.wait()).await;
        let run_id = kept.ok().copied();
        Ok((Json(SyncBegun { run_id }), StatusCode::ACCEPTED))
    })
    .await
}

/// The source is being read.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SyncBegun {
    /// The run, as it is listed under the connection; null while the reading waits for its turn.
    run_id: Option<i64>,
}
