//! The acts on a connection that the record knows: pause, resume, disconnect (r039).

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use sextant_actors::domain::{Outcome, Sector};
use uuid::Uuid;

use super::view::{ConnectionView, DisconnectedView};
use super::{Answer, identified, not_found, publish, request};
use crate::db::StoreError;
use crate::http::body::Fields;
use crate::http::console::{Parts, to_the_end};
use crate::http::problem::Problem;
use crate::store::connections::{self, RemovedRows};

pub(super) async fn pause(parts: web::Data<Parts>, id: web::Path<String>, body: Fields) -> Answer {
    body.finish(&[])?;
    let id = identified(&id)?;
    let act = Act::begin(parts, "pause", id, json!({ "connectionId": id }));
    to_the_end(async move {
        let done = connections::pause(&act.parts.pool, id, act.parts.clock.now()).await;
        let connection = act.settle(done).await?;
        Ok(HttpResponse::Ok().json(ConnectionView::of(connection)))
    })
    .await
}

pub(super) async fn resume(parts: web::Data<Parts>, id: web::Path<String>, body: Fields) -> Answer {
    body.finish(&[])?;
    let id = identified(&id)?;
    let act = Act::begin(parts, "resume", id, json!({ "connectionId": id }));
    to_the_end(async move {
        let done = connections::resume(&act.parts.pool, id).await;
        let connection = act.settle(done).await?;
        Ok(HttpResponse::Ok().json(ConnectionView::of(connection)))
    })
    .await
}

pub(super) async fn disconnect(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    body: Fields,
) -> Answer {
    let rows = request::rows(body)?;
    let id = identified(&id)?;
    let args = json!({ "connectionId": id, "rows": word(rows) });
    let act = Act::begin(parts, "disconnect", id, args);
    to_the_end(async move {
        let done = connections::remove(&act.parts.pool, id, rows, act.parts.clock.now()).await;
        let deleted = act.settle(done).await?.rows_deleted;
        Ok(HttpResponse::Ok().json(DisconnectedView {
            id: id.to_string(),
            rows: word(rows),
            deleted,
        }))
    })
    .await
}

const fn word(rows: RemovedRows) -> &'static str {
    match rows {
        RemovedRows::Keep => "keep",
        RemovedRows::Delete => "delete",
    }
}

/// An act under way: what the record will say of it, whatever becomes of it.
struct Act {
    parts: web::Data<Parts>,
    verb: &'static str,
    id: Uuid,
    sector: Option<Sector>,
    args: Value,
}

impl Act {
    /// The sector is read before the act, since a removed connection is published no more.
    fn begin(parts: web::Data<Parts>, verb: &'static str, id: Uuid, args: Value) -> Self {
        let sector = parts
            .connections
            .snapshot()
            .get(&id)
            .map(|known| known.sector);
        Self {
            parts,
            verb,
            id,
            sector,
            args,
        }
    }

    /// Publishes what was, or may have been, changed, and leaves the act's one row (r039, r048).
    async fn settle<T>(self, done: Result<Option<T>, StoreError>) -> Result<T, Problem> {
        if matches!(done, Ok(Some(_)) | Err(StoreError::FateUnknown { .. })) {
            publish(&self.parts, self.id).await;
        }
        let outcome = match done {
            Ok(Some(_)) => Outcome::Ok,
            Ok(None) | Err(_) => Outcome::Error,
        };
        self.parts
            .audit
            .operator(self.verb, self.sector, Some(self.args), outcome, None)
            .await;
        done?.ok_or_else(not_found)
    }
}
