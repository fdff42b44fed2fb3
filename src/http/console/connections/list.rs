use std::collections::HashMap;

use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_id::STORED;
use super::connection_view::ConnectionView;
use crate::http::console::Parts;
use crate::http::console::row_limit::RowLimit;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::store::connections;
use crate::store::sync_runs::{self, BriefRun};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/connections",
    "List the connections.",
    || web::to(list),
)
.takes_query(request::parameters::<ConnectionListQuery>)
.answers(&[endpoint::json(200, schema::answer::<ListedConnections>)])
.refuses(STORED);

/// Runs of one connection in the list, at the most.
const RUNS_MAX: usize = 30;

/// What is wanted of each connection besides itself.
#[derive(Debug, Deserialize, JsonSchema)]
struct ConnectionListQuery {
    /// How many of its last runs come with each connection; none, unless this is sent.
    runs: Option<RowLimit<RUNS_MAX>>,
}

async fn list(
    parts: web::Data<Parts>,
    FromQuery(sent): FromQuery<ConnectionListQuery>,
) -> Result<Json<ListedConnections>, Problem> {
    let connections = connections::list(&parts.pool).await?;
    let mut runs = match sent.runs {
        Some(limit) => Some(sync_runs::brief(&parts.pool, limit.rows()).await?),
        None => None,
    };
    let now = parts.clock.now();
    let listed = connections.into_iter().map(|connection| {
        let is_parked = parts.connections.is_parked(connection.id);
        let own = |all: &mut HashMap<_, _>| all.remove(&connection.id).unwrap_or_default();
        let last_runs = runs.as_mut().map(own).map(views);
        ListedConnection {
            connection: ConnectionView::of(connection, now).unless_parked(is_parked),
            last_runs,
        }
    });
    Ok(Json(ListedConnections {
        connections: listed.collect(),
    }))
}

fn views(runs: Vec<BriefRun>) -> Vec<BriefRunView> {
    runs.into_iter().map(BriefRunView::of).collect()
}

/// All connections.
#[derive(Serialize, JsonSchema)]
struct ListedConnections {
    connections: Vec<ListedConnection>,
}

/// A connection, with its last runs if they were asked for.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ListedConnection {
    #[serde(flatten)]
    connection: ConnectionView,
    /// The newest first; devices that push have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_runs: Option<Vec<BriefRunView>>,
}

/// One run, as short as a bar.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BriefRunView {
    started_at: DateTime<Utc>,
    /// As in `GET /api/connections/{id}/runs`; null while it goes on.
    outcome: Option<String>,
    /// Rows that were inserted, changed or deleted.
    changed: u64,
}

impl BriefRunView {
    fn of(run: BriefRun) -> Self {
        Self {
            started_at: run.started_at,
            outcome: run.outcome,
            changed: run.changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_runs_as_a_strip_has_are_taken() {
        for query in ["runs=0", "runs=31", "runs=x"] {
            let refusal = FromQuery::<ConnectionListQuery>::parse(query).map(|_| ());
            let refusal = refusal.unwrap_err().to_string();
            let expected = "invalid: send a whole number from 1 to 30";
            assert_eq!(refusal, expected, "{query}");
        }
    }
}
