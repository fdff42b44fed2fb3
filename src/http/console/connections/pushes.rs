use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::by_id::{STORED, id_in_path, not_found};
use crate::db::StoreError;
use crate::http::console::Parts;
use crate::http::console::row_limit::RowLimit;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::ingest::limits::PUSHES_NOTED_MAX;
use crate::store::connections;
use crate::store::pushes::{self, NotedPush};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/connections/{id}/pushes",
    "The last pushes to a connection, newest first.",
    || web::to(list),
)
.takes_query(request::parameters::<PushesRequest>)
.answers(&[endpoint::json(200, schema::answer::<PushPage>)])
.refuses(STORED);

/// Pushes of an answer when no limit is sent.
const PAGE_PUSHES: usize = 30;

/// Which pushes are asked for.
#[derive(Debug, Deserialize, JsonSchema)]
struct PushesRequest {
    /// Pushes of an answer.
    #[schemars(extend("default" = PAGE_PUSHES))]
    limit: Option<RowLimit<PUSHES_NOTED_MAX>>,
    /// `next` of an earlier answer.
    before: Option<PushCursor>,
}

/// The id of the last push of a page.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct PushCursor(#[schemars(with = "String")] i64);

impl TryFrom<Option<Value>> for PushCursor {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        let text = sent.as_ref().and_then(Value::as_str);
        text.and_then(|text| text.parse().ok())
            .filter(|id| *id >= 0)
            .map(Self)
            .ok_or("send a `next` of an earlier answer")
    }
}

async fn list(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromQuery(sent): FromQuery<PushesRequest>,
) -> Result<Json<PushPage>, Problem> {
    let id = id_in_path(&id)?;
    let length = sent.limit.map_or(PAGE_PUSHES, RowLimit::rows);
    let before = sent.before.map(|PushCursor(id)| id);
    connections::read(&parts.pool, id)
        .await?
        .ok_or_else(not_found)?;
    // One more than is shown tells whether there is a further page.
    let found = pushes::list(&parts.pool, id, before, length + 1).await?;
    Ok(Json(PushPage::of(found, length)?))
}

/// The last pushes of a connection, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
struct PushPage {
    rows: Vec<PushView>,
    /// For `before`: where older pushes begin, or null when none are known.
    next: Option<String>,
}

impl PushPage {
    fn of(mut found: Vec<NotedPush>, length: usize) -> Result<Self, StoreError> {
        let is_cut = found.len() > length;
        found.truncate(length);
        let last = found.last().filter(|_| is_cut);
        let next = last.map(|push| push.id.to_string());
        let rows: Result<_, _> = found.into_iter().map(PushView::of).collect();
        Ok(Self { rows: rows?, next })
    }
}

/// One push, stored or refused.
#[derive(Debug, Serialize, JsonSchema)]
struct PushView {
    at: DateTime<Utc>,
    outcome: PushOutcome,
    /// Records that are stored: inserted, updated and unchanged ones.
    upserted: u64,
    inserted: u64,
    updated: u64,
    unchanged: u64,
    deleted: u64,
    /// Records that were left out of a push with `?partial=true`.
    rejected: u64,
    /// The length of the body as it was sent, if it came whole and from a device.
    bytes: Option<u64>,
    /// Why nothing was stored.
    refusal: Option<RefusalView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PushOutcome {
    Stored,
    Refused,
}

/// Why nothing of a push was stored, as it was answered; `unauthorized` is a paused connection's.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct RefusalView {
    error: String,
    message: String,
    /// The first record at fault.
    problem: Option<ProblemView>,
}

/// A record at fault: its position in the push from 0, its field, and what is wrong with it.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct ProblemView {
    index: u64,
    field: String,
    message: String,
}

impl PushView {
    fn of(push: NotedPush) -> Result<Self, StoreError> {
        let refusal: Option<RefusalView> = push
            .refusal
            .map(serde_json::from_value)
            .transpose()
            .map_err(|_| StoreError::Fault {
                cause: "the note of a refused push cannot be read".to_owned(),
            })?;
        Ok(Self {
            at: push.at,
            outcome: match refusal {
                Some(_) => PushOutcome::Refused,
                None => PushOutcome::Stored,
            },
            upserted: push.inserted + push.updated + push.unchanged,
            inserted: push.inserted,
            updated: push.updated,
            unchanged: push.unchanged,
            deleted: push.deleted,
            rejected: push.rejected,
            bytes: push.bytes,
            refusal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_taken_is_refused() {
        for (query, expected) in [
            ("limit=0", "send a whole number from 1 to 100"),
            ("limit=101", "send a whole number from 1 to 100"),
            ("before=x", "send a `next` of an earlier answer"),
            ("before=-1", "send a `next` of an earlier answer"),
            (
                "after=1",
                "unknown field `after`; this route takes limit, before",
            ),
        ] {
            let refusal = FromQuery::<PushesRequest>::parse(query).map(|_| ());
            let refusal = refusal.unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"), "{query}");
        }
    }
}
