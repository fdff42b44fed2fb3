//! `GET /healthz`: whether the service and its database answer (r101). A status, and nothing else.

use actix_web::{HttpResponse, web};
use serde_json::json;

use super::Parts;

/// Mounts the route.
pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .route("/healthz", web::get().to(healthz))
        .route("/healthz", web::head().to(healthz));
}

async fn healthz(parts: web::Data<Parts>) -> HttpResponse {
    if parts.pool.answers().await {
        HttpResponse::Ok().json(json!({ "status": "ok" }))
    } else {
        HttpResponse::ServiceUnavailable().json(json!({ "status": "unavailable" }))
    }
}
