use actix_web::web::{self, Json};

use super::by_id::STORED;
use super::connection_view::{ConnectionList, ConnectionView};
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::schema;
use crate::store::connections;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/connections",
    "List the connections.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<ConnectionList>)])
.refuses(STORED);

async fn list(parts: web::Data<Parts>) -> Result<Json<ConnectionList>, Problem> {
    let connections = connections::list(&parts.pool).await?;
    let now = parts.clock.now();
    let views = connections.into_iter().map(|connection| {
        let is_parked = parts.connections.is_parked(connection.id);
        ConnectionView::of(connection, now).unless_parked(is_parked)
    });
    Ok(Json(ConnectionList {
        connections: views.collect(),
    }))
}
