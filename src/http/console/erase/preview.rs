use actix_web::web::{self, Json};

use super::rows_erased::RowsErased;
use super::scope::{self, EraseRequest};
use crate::http::console::Parts;
use crate::http::console::connections::not_found;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::request::FromBody;
use crate::http::schema;
use crate::store::erase;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/erase/preview",
    "How many rows of which tables an erase would delete now.",
    || web::to(preview),
)
.takes_body(RequestBody::Required(scope::schema))
.answers(&[endpoint::json(200, schema::answer::<RowsErased>)])
.refuses(scope::REFUSALS);

async fn preview(
    parts: web::Data<Parts>,
    FromBody(sent): FromBody<EraseRequest>,
) -> Result<Json<RowsErased>, Problem> {
    let counted = erase::preview(&parts.pool, sent.scope()?).await?;
    let counted = counted.ok_or_else(not_found)?;
    Ok(Json(counted.into()))
}
