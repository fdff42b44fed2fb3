//! Connections (docs/pushing.md#connections): made for pushes, shown, paused, resumed, removed, given a new secret.
//!
//! Pause, resume and disconnect leave a row each, also when they fail (r039, r048); the rest leaves none (r041). Whatever is
//! changed is published before the answer, so that a push after it meets the new state.

mod request;
mod routes;
mod verbs;
mod view;

use actix_web::{HttpRequest, HttpResponse, web};
use sextant_actors::domain::IngestSecret;
use sextant_actors::random;
use uuid::Uuid;

use self::request::NewConnection;
pub(super) use self::routes::ENDPOINTS;
pub(super) use self::view::{ConnectionView, connections_schema};
use self::view::{CreatedView, SecretView, ingest_url};
use super::{Parts, to_the_end};
use crate::db::StoreError;
use crate::http::body::Fields;
use crate::http::problem::{Code, Problem};
use crate::store;
use crate::store::connections::NewPush;

type Answer = Result<HttpResponse, Problem>;

async fn list(parts: web::Data<Parts>) -> Answer {
    let connections = store::connections::list(&parts.pool).await?;
    let views: Vec<_> = connections.into_iter().map(ConnectionView::of).collect();
    Ok(HttpResponse::Ok().json(serde_json::json!({ "connections": views })))
}

async fn show(parts: web::Data<Parts>, id: web::Path<String>) -> Answer {
    let connection = store::connections::read(&parts.pool, identified(&id)?)
        .await?
        .ok_or_else(not_found)?;
    Ok(HttpResponse::Ok().json(ConnectionView::of(connection)))
}

async fn create(parts: web::Data<Parts>, request: HttpRequest, body: Fields) -> Answer {
    let new = NewConnection::parse(body)?;
    let secret = IngestSecret::mint()?;
    let push = NewPush {
        id: random::identifier()?,
        label: new.label,
        table: new.table,
        secret: secret.digest(),
    };
    let ingest_url = ingest_url(&request, push.id);
    to_the_end(async move {
        let created = store::connections::create(&parts.pool, &push, parts.clock.now()).await;
        publish_if_changed(&parts, push.id, &created).await;
        let connection = created?;
        Ok(HttpResponse::Created().json(CreatedView {
            connections: vec![ConnectionView::of(connection)],
            secret: secret.reveal(),
            ingest_url,
        }))
    })
    .await
}

async fn rotate_secret(
    parts: web::Data<Parts>,
    request: HttpRequest,
    id: web::Path<String>,
    body: Fields,
) -> Answer {
    body.finish(&[])?;
    let id = identified(&id)?;
    let secret = IngestSecret::mint()?;
    let ingest_url = ingest_url(&request, id);
    to_the_end(async move {
        let rotated = store::connections::rotate_secret(&parts.pool, id, &secret.digest()).await;
        publish_if_changed(&parts, id, &rotated).await;
        if !rotated? {
            return Err(no_push(&parts, id).await?);
        }
        Ok(HttpResponse::Ok().json(SecretView {
            secret: secret.reveal(),
            ingest_url,
        }))
    })
    .await
}

async fn no_push(parts: &Parts, id: Uuid) -> Result<Problem, Problem> {
    let exists = store::connections::read(&parts.pool, id).await?.is_some();
    Ok(if exists {
        Problem::new(Code::Conflict, "only a push connection has a secret")
    } else {
        not_found()
    })
}

/// Publishes what was, or may have been, changed.
async fn publish_if_changed<T>(parts: &Parts, id: Uuid, done: &Result<T, StoreError>) {
    if matches!(done, Ok(_) | Err(StoreError::FateUnknown { .. })) {
        publish(parts, id).await;
    }
}

/// Publishes a change that is committed already. A failure refuses that one connection until it has been read again: the
/// safe side, and nothing that the caller could undo.
pub(super) async fn publish(parts: &Parts, id: Uuid) {
    if let Err(error) = parts.connections.reload(id).await {
        log::warn!("connection {id} was changed but could not be read again yet: {error}");
    }
}

/// A text that is no id is the id of no connection.
fn identified(id: &str) -> Result<Uuid, Problem> {
    id.parse().map_err(|_| not_found())
}

pub(super) fn not_found() -> Problem {
    Problem::new(
        Code::NotFound,
        "no connection has this id; GET /api/connections lists them",
    )
}
