use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/key/rotate",
    "Seal all credentials with a new key; the old one goes (docs/operating.md#credentials).",
    || web::to(rotate),
)
.answers(&[endpoint::json(200, schema::answer::<RotatedKey>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

async fn rotate(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<RotatedKey>, Problem> {
    to_the_end(async move {
        let done = parts.sign_ins.rotate_key().await?;
        Ok(Json(RotatedKey {
            resealed: done.resealed,
            lost: done.lost,
        }))
    })
    .await
}

/// What became of the credentials.
#[derive(Serialize, JsonSchema)]
struct RotatedKey {
    /// Under the new key now.
    resealed: u64,
    /// Those whose key is not here: they stay as they are, until they are entered again.
    lost: u64,
}
