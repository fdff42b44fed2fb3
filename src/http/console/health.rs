//! `GET /healthz`: whether the service and its database answer (r101). A status, and nothing else.

use std::time::Duration;

use actix_web::{HttpResponse, web};
use serde_json::json;

use super::Parts;
use crate::store;

/// The longest the database may take to say that it is there.
const DATABASE_WAIT_MAX: Duration = Duration::from_secs(2);

/// Mounts the route.
pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .route("/healthz", web::get().to(healthz))
        .route("/healthz", web::head().to(healthz));
}

async fn healthz(parts: web::Data<Parts>) -> HttpResponse {
    let ping = store::health::ping(&parts.pool);
    match tokio::time::timeout(DATABASE_WAIT_MAX, ping).await {
        Ok(Ok(())) => HttpResponse::Ok().json(json!({ "status": "ok" })),
        Ok(Err(_)) | Err(_) => {
            HttpResponse::ServiceUnavailable().json(json!({ "status": "unavailable" }))
        }
    }
}
