//! No agent's name is in the way of this path: `POST /api/agents/{name}` is no route.

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/agents/revoke-all",
    "Refuse every agent's key from now on; all their live sessions end. An agent comes back when its key is rotated.",
    || web::to(revoke_all),
)
.answers(&[endpoint::json(200, schema::answer::<AgentsRevoked>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn revoke_all(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<AgentsRevoked>, Problem> {
    let revoked = parts.grants.revoke_all().await?;
    Ok(Json(AgentsRevoked {
        revoked: revoked.agents,
        sessions_ended: revoked.sessions_ended,
    }))
}

/// How many agents were revoked, and how many sessions ended with that. Those that were revoked before are not counted.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentsRevoked {
    revoked: usize,
    sessions_ended: usize,
}
