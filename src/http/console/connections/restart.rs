use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::by_id::id_in_path;
use super::not_begun::problem;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections/{id}/restart",
    "Restart what reads its source; the other connections go on.",
    || web::to(restart),
)
.answers(&[endpoint::json(202, schema::answer::<RestartedReader>)])
.refuses(&[Code::Conflict, Code::Unavailable]);

/// Leaves no row in the audit log (r041).
async fn restart(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<RestartedReader>, StatusCode), Problem> {
    let id = id_in_path(&id)?;
    to_the_end(async move {
        parts.connections.restart(id).await.map_err(problem)?;
        Ok((Json(RestartedReader { id }), StatusCode::ACCEPTED))
    })
    .await
}

/// What reads this connection's source has restarted.
#[derive(Serialize, JsonSchema)]
struct RestartedReader {
    id: Uuid,
}
