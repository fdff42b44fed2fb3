use actix_web::web::{self, Json};

use super::agent_view::{AgentView, view};
use super::by_name::{READ, find};
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint =
    Endpoint::new(Verb::Get, "/api/agents/{name}", "Show an agent.", || {
        web::to(show)
    })
    .answers(&[endpoint::json(200, schema::answer::<AgentView>)])
    .refuses(READ);

async fn show(
    parts: web::Data<Parts>,
    name: web::Path<String>,
) -> Result<Json<AgentView>, Problem> {
    let grant = find(&parts, &name)?;
    view(&parts, grant).await.map(Json)
}
