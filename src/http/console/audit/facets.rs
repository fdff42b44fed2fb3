//! What the record can be filtered by, read from the counted record.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};

use crate::http::console::Parts;
use crate::http::problem::Problem;
use crate::http::schema::{list as list_of, object, text};
use crate::store::audit_hourly;

pub(super) fn schema() -> Value {
    object([("agents", list_of(text())), ("tools", list_of(text()))])
}

pub(super) async fn list(parts: web::Data<Parts>) -> Result<HttpResponse, Problem> {
    let facets = audit_hourly::facets(&parts.pool).await?;
    let body = json!({ "agents": facets.agents, "tools": facets.tools });
    Ok(HttpResponse::Ok().json(body))
}
