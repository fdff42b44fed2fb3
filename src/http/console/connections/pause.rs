use actix_web::web::{self, Json};
use serde_json::json;

use super::act::AuditedAct;
use super::by_id::{STORED, id_in_path};
use super::connection_view::ConnectionView;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::store::connections;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections/{id}/pause",
    "Refuse its pushes, or read its source no more until it is resumed.",
    || web::to(pause),
)
.answers(&[endpoint::json(200, schema::answer::<ConnectionView>)])
.refuses(STORED);

async fn pause(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<ConnectionView>, Problem> {
    let id = id_in_path(&id)?;
    let act = AuditedAct::begin(&parts, "pause", id, json!({ "connectionId": id }));
    to_the_end(async move {
        let done = connections::pause(&parts.pool, id, parts.clock.now()).await;
        let connection = act.settle(&parts, done).await?;
        Ok(Json(ConnectionView::of(connection, parts.clock.now())))
    })
    .await
}
