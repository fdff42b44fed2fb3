use actix_web::web::{self, Json};
use sextant_actors::domain::AgentKey;
use sextant_actors::ports::GrantChange;

use super::by_name::{EDIT, name_in_path};
use super::fresh_key::FreshKey;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/agents/{name}/rotate",
    "A new key, shown once; the old one is refused from now on.",
    || web::to(rotate),
)
.answers(&[endpoint::json(200, schema::answer::<FreshKey>)])
.refuses(EDIT);

async fn rotate(
    parts: web::Data<Parts>,
    name: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<FreshKey>, Problem> {
    let key = AgentKey::mint()?;
    let change = GrantChange::Rotate { key: key.digest() };
    let edited = parts.grants.edit(name_in_path(&name)?, change).await?;
    FreshKey::of(edited, key).map(Json)
}
