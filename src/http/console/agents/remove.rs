use actix_web::web::{self, Json};
use sextant_actors::ports::GrantChange;

use super::by_name::EDIT;
use super::sessions_ended::{SessionsEnded, end};
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Delete,
    "/api/agents/{name}",
    "Remove an agent; its live sessions end.",
    || web::to(remove),
)
.answers(&[endpoint::json(200, schema::answer::<SessionsEnded>)])
.refuses(EDIT);

async fn remove(
    parts: web::Data<Parts>,
    name: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<SessionsEnded>, Problem> {
    end(&parts, &name, GrantChange::Remove).await.map(Json)
}
