//! `GET /healthz`: whether the service and its database answer (r101). A status, and nothing else.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};

use super::Parts;
use crate::http::code::Code;
use crate::http::endpoint::{self, Endpoint, Guard, Verb};
use crate::http::schema::{object, one_of};

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/healthz",
    "Whether the service and its database answer.",
    || web::to(healthz),
)
.guarded_by(Guard::Open)
.answers(&[
    endpoint::json(200, || status("ok")),
    endpoint::json(503, || status("unavailable")),
])];

fn status(word: &str) -> Value {
    object([("status", one_of(&[word]))])
}

async fn healthz(parts: web::Data<Parts>) -> HttpResponse {
    if parts.pool.answers().await {
        HttpResponse::Ok().json(json!({ "status": "ok" }))
    } else {
        HttpResponse::build(Code::Unavailable.status()).json(json!({ "status": "unavailable" }))
    }
}
