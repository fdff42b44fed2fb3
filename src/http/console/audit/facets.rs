use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::store::audit_hourly;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/audit/facets",
    "The agents and verbs that the record names.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<FacetList>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn list(parts: web::Data<Parts>) -> Result<Json<FacetList>, Problem> {
    let facets = audit_hourly::facets(&parts.pool).await?;
    Ok(Json(FacetList {
        agents: facets.agents,
        tools: facets.tools,
    }))
}

/// What the audit log can be filtered by (console S6), read from its counts.
#[derive(Serialize, JsonSchema)]
struct FacetList {
    agents: Vec<String>,
    tools: Vec<String>,
}
