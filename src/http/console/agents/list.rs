use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use super::agent_view::{AgentView, views};
use super::by_name::READ;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint =
    Endpoint::new(Verb::Get, "/api/agents", "List the agents.", || {
        web::to(list)
    })
    .answers(&[endpoint::json(200, schema::answer::<AgentList>)])
    .refuses(READ);

async fn list(parts: web::Data<Parts>) -> Result<Json<AgentList>, Problem> {
    let agents = views(&parts, parts.grants.list()).await?;
    Ok(Json(AgentList { agents }))
}

#[derive(Serialize, JsonSchema)]
struct AgentList {
    agents: Vec<AgentView>,
}
