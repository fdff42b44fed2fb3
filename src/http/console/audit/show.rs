use actix_web::web::{self, Json};

use super::row_view::RowView;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::store::audit_read;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/audit/{id}",
    "One row of the record.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<RowView>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn show(parts: web::Data<Parts>, id: web::Path<String>) -> Result<Json<RowView>, Problem> {
    let row = match id.parse() {
        Ok(id) => audit_read::read(&parts.pool, id).await?,
        Err(_) => None,
    };
    let row =
        row.ok_or_else(|| Problem::new(Code::NotFound, "the record has no row with this id"))?;
    Ok(Json(row.into()))
}
