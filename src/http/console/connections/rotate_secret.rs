use actix_web::HttpRequest;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::IngestSecret;
use uuid::Uuid;

use super::by_id::{id_in_path, not_found};
use super::connection_view::ingest_url;
use super::publish::publish_if_changed;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::store::connections;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections/{id}/rotate-secret",
    "A new secret, shown once; the old one is refused from now on.",
    || web::to(rotate_secret),
)
.answers(&[endpoint::json(200, schema::answer::<FreshSecret>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

async fn rotate_secret(
    parts: web::Data<Parts>,
    request: HttpRequest,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<FreshSecret>, Problem> {
    let id = id_in_path(&id)?;
    let secret = IngestSecret::mint()?;
    let ingest_url = ingest_url(&request, id);
    to_the_end(async move {
        let rotated = connections::rotate_secret(&parts.pool, id, &secret.digest()).await;
        publish_if_changed(&parts, id, &rotated).await;
        if !rotated? {
            return Err(no_push(&parts, id).await?);
        }
        Ok(Json(FreshSecret {
            secret: secret.reveal(),
            ingest_url,
        }))
    })
    .await
}

async fn no_push(parts: &Parts, id: Uuid) -> Result<Problem, Problem> {
    let exists = connections::read(&parts.pool, id).await?.is_some();
    Ok(if exists {
        Problem::new(Code::Conflict, "only a push connection has a secret")
    } else {
        not_found()
    })
}

/// A new secret: shown this once (r085).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FreshSecret {
    secret: String,
    ingest_url: String,
}
