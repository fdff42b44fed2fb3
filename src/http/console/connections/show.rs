use actix_web::web::{self, Json};

use super::by_id::{STORED, id_in_path, not_found};
use super::connection_view::ConnectionView;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::schema;
use crate::store::connections;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/connections/{id}",
    "Show a connection.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<ConnectionView>)])
.refuses(STORED);

async fn show(
    parts: web::Data<Parts>,
    id: web::Path<String>,
) -> Result<Json<ConnectionView>, Problem> {
    let found = connections::read(&parts.pool, id_in_path(&id)?).await?;
    let connection = found.ok_or_else(not_found)?;
    let is_parked = parts.connections.is_parked(connection.id);
    let view = ConnectionView::of(connection);
    Ok(Json(view.unless_parked(is_parked)))
}
