use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use super::act::record;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Delete,
    "/api/exposure",
    "Turn remote access off: only this computer reaches the agent port, and every session ends.",
    || web::to(clear),
)
.answers(&[endpoint::json(200, schema::answer::<Cleared>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn clear(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<Cleared>, Problem> {
    to_the_end(async move {
        let done = parts.bridge.clear_address().await;
        record(&parts, "clear_exposure", None, &done).await;
        let change = done?;
        Ok(Json(Cleared {
            sign_ins_ended: change.sign_ins_ended,
            sessions_ended: change.sessions_ended,
        }))
    })
    .await
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cleared {
    /// Clients that had signed in.
    sign_ins_ended: usize,
    /// Live sessions, of every agent.
    sessions_ended: usize,
}
