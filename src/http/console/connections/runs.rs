use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_id::{STORED, id_in_path, not_found};
use crate::http::console::Parts;
use crate::http::console::row_limit::RowLimit;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::store::connections;
use crate::store::sync_runs::{self, NotedRun};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/connections/{id}/runs",
    "The last rounds at a connection's source, newest first.",
    || web::to(list),
)
.takes_query(request::parameters::<RunsRequest>)
.answers(&[endpoint::json(200, schema::answer::<RunList>)])
.refuses(STORED);

/// Runs of an answer when no limit is sent.
const RUNS_SHOWN: usize = 30;
/// Runs of one connection that are kept.
const RUNS_MAX: usize = 200;

/// How many runs are asked for.
#[derive(Debug, Deserialize, JsonSchema)]
struct RunsRequest {
    /// Runs of an answer.
    #[schemars(extend("default" = RUNS_SHOWN))]
    limit: Option<RowLimit<RUNS_MAX>>,
}

async fn list(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromQuery(sent): FromQuery<RunsRequest>,
) -> Result<Json<RunList>, Problem> {
    let id = id_in_path(&id)?;
    let count = sent.limit.map_or(RUNS_SHOWN, RowLimit::rows);
    connections::read(&parts.pool, id)
        .await?
        .ok_or_else(not_found)?;
    let runs = sync_runs::list(&parts.pool, id, count).await?;
    Ok(Json(RunList {
        rows: runs.into_iter().map(RunView::of).collect(),
    }))
}

/// The last runs of a connection, the newest first. Devices that push have none.
#[derive(Debug, Serialize, JsonSchema)]
struct RunList {
    rows: Vec<RunView>,
}

/// One round at the source. While it goes on it has neither end nor outcome.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RunView {
    id: i64,
    started_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    /// `ok`, `partial` (something was left out, as the message says), `failed`, `interrupted` (the service or its database was away) or
    /// `halted` (the operator ended it).
    outcome: Option<String>,
    /// Rows that were inserted or changed.
    upserted: u64,
    deleted: u64,
    /// Items that could not be stored; the message names them.
    skipped: u64,
    message: Option<String>,
}

impl RunView {
    fn of(run: NotedRun) -> Self {
        Self {
            id: run.id,
            started_at: run.started_at,
            ended_at: run.ended_at,
            outcome: run.outcome,
            upserted: run.upserted,
            deleted: run.deleted,
            skipped: run.skipped,
            message: run.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_whole_number_within_what_is_kept() {
        for query in ["limit=0", "limit=201", "limit=x", "limit=1.5"] {
            let refusal = FromQuery::<RunsRequest>::parse(query).map(|_| ());
            let refusal = refusal.unwrap_err().to_string();
            let expected = "invalid: send a whole number from 1 to 200";
            assert_eq!(refusal, expected, "{query}");
        }
    }
}
