use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

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
.answers(&[endpoint::json(200, schema::answer::<ShownConnection>)])
.refuses(STORED);

async fn show(
    parts: web::Data<Parts>,
    id: web::Path<String>,
) -> Result<Json<ShownConnection>, Problem> {
    let found = connections::read(&parts.pool, id_in_path(&id)?).await?;
    let connection = found.ok_or_else(not_found)?;
    let whose = (connection.id, connection.sector);
    let rows = connections::rows_of(&parts.pool, whose, parts.reads.count_wait_max).await?;
    let is_parked = parts.connections.is_parked(connection.id);
    let view = ConnectionView::of(connection, parts.clock.now());
    Ok(Json(ShownConnection {
        connection: view.unless_parked(is_parked),
        rows,
    }))
}

/// A connection, and what it holds.
#[derive(Serialize, JsonSchema)]
struct ShownConnection {
    #[serde(flatten)]
    connection: ConnectionView,
    /// Its rows without those that were deleted; null where there are too many to be counted in time.
    rows: Option<u64>,
}
