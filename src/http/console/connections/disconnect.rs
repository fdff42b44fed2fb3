use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::act::AuditedAct;
use super::by_id::{STORED, id_in_path};
use crate::http::console::sign_ins::RevocationView;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;
use crate::sign_ins::ConsentEnd;
use crate::store::connections::{self, RemovedRows};
use crate::store::sign_ins;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections/{id}/disconnect",
    "Remove it; its rows are kept or deleted.",
    || web::to(disconnect),
)
.takes_body(RequestBody::Optional(schema::request::<Disconnect>))
.answers(&[endpoint::json(200, schema::answer::<Disconnected>)])
.refuses(STORED);

/// Rows stay unless their deletion is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
struct Disconnect {
    rows: Option<OrNull<RowsFate>>,
}

/// What becomes of a connection's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "Option<Value>", rename_all = "lowercase")]
#[schemars(!try_from)]
enum RowsFate {
    #[default]
    Keep,
    Delete,
}

impl TryFrom<Option<Value>> for RowsFate {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        match sent.as_ref().map(Value::as_str) {
            Some(Some("keep")) => Ok(Self::Keep),
            Some(Some("delete")) => Ok(Self::Delete),
            Some(Some(_)) => Err("send \"keep\" or \"delete\""),
            Some(None) | None => Err("send rows as text"),
        }
    }
}

impl From<RowsFate> for RemovedRows {
    fn from(fate: RowsFate) -> Self {
        match fate {
            RowsFate::Keep => RemovedRows::Keep,
            RowsFate::Delete => RemovedRows::Delete,
        }
    }
}

async fn disconnect(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(sent): FromBody<Disconnect>,
) -> Result<Json<Disconnected>, Problem> {
    let rows = sent.rows.and_then(OrNull::value).unwrap_or_default();
    let id = id_in_path(&id)?;
    let args = json!({ "connectionId": id, "rows": rows });
    let act = AuditedAct::begin(&parts, "disconnect", id, args);
    to_the_end(async move {
        let end = prepare_end(&parts, id).await;
        let done = connections::remove(&parts.pool, id, rows.into(), parts.clock.now()).await;
        let removed = act.settle(&parts, done).await?;
        let end = match removed.connection.sign_in {
            Some(sign_in) if is_gone(&parts, sign_in).await => end,
            _ => None,
        };
        Ok(Json(Disconnected {
            id,
            rows,
            deleted: removed.rows_deleted,
            consent: RevocationView::of(&parts, end).await,
        }))
    })
    .await
}

/// What the consent behind it is ended with, read while it is there.
async fn prepare_end(parts: &Parts, id: Uuid) -> Option<ConsentEnd> {
    let connection = connections::read(&parts.pool, id).await.ok()??;
    parts.sign_ins.prepare_end(connection.sign_in?).await
}

/// Whether its last connection took the sign-in with it: only then the consent is ended at the provider, since it carries the others.
async fn is_gone(parts: &Parts, sign_in: Uuid) -> bool {
    let is_gone = matches!(sign_ins::read(&parts.pool, sign_in).await, Ok(None));
    if is_gone {
        parts.sign_ins.tokens.forget(sign_in).await;
    }
    is_gone
}

/// What a disconnect did.
#[derive(Serialize, JsonSchema)]
struct Disconnected {
    id: Uuid,
    rows: RowsFate,
    /// How many rows were deleted.
    deleted: u64,
    /// What became of the consent at the provider, where this was the last connection by it.
    consent: Option<RevocationView>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::read_text;

    #[test]
    fn rows_stay_unless_their_deletion_is_asked_for() {
        let rows = |body: &str| read_text::<Disconnect>(body).map(|sent| sent.rows);
        assert_eq!(rows("").unwrap(), None);
        assert_eq!(rows(r#"{"rows":null}"#).unwrap(), Some(OrNull::Null));
        let delete = Some(OrNull::Value(RowsFate::Delete));
        assert_eq!(rows(r#"{"rows":"delete"}"#).unwrap(), delete);
        for (body, expected) in [
            (r#"{"rows":"drop"}"#, "send \"keep\" or \"delete\""),
            (r#"{"rows":true}"#, "send rows as text"),
        ] {
            let refusal = rows(body).unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"));
        }
    }
}
