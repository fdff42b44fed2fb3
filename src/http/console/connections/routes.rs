use actix_web::web;

use super::{request, verbs, view};
use crate::http::endpoint::{self, Endpoint, Sent, Verb};
use crate::http::problem::Code;

const STORED: &[Code] = &[Code::Internal, Code::Unavailable];

pub(in crate::http::console) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Get,
        "/api/connections",
        "List the connections.",
        || web::to(super::list),
    )
    .answers(&[endpoint::json(200, view::connections_schema)])
    .refuses(STORED),
    Endpoint::new(
        Verb::Post,
        "/api/connections",
        "Make a connection for pushes; its secret is shown once.",
        || web::to(super::create),
    )
    .takes(Sent::Object(request::schema))
    .answers(&[endpoint::json(201, view::created_schema)])
    .refuses(STORED),
    Endpoint::new(
        Verb::Get,
        "/api/connections/{id}",
        "Show a connection.",
        || web::to(super::show),
    )
    .answers(&[endpoint::json(200, view::schema)])
    .refuses(STORED),
    Endpoint::new(
        Verb::Post,
        "/api/connections/{id}/pause",
        "Refuse its pushes.",
        || web::to(verbs::pause),
    )
    .answers(&[endpoint::json(200, view::schema)])
    .refuses(STORED),
    Endpoint::new(
        Verb::Post,
        "/api/connections/{id}/resume",
        "Take its pushes again.",
        || web::to(verbs::resume),
    )
    .answers(&[endpoint::json(200, view::schema)])
    .refuses(STORED),
    Endpoint::new(
        Verb::Post,
        "/api/connections/{id}/disconnect",
        "Remove it; its rows are kept or deleted.",
        || web::to(verbs::disconnect),
    )
    .takes(Sent::Maybe(request::rows_schema))
    .answers(&[endpoint::json(200, view::disconnected_schema)])
    .refuses(STORED),
    Endpoint::new(
        Verb::Post,
        "/api/connections/{id}/rotate-secret",
        "A new secret, shown once; the old one is refused from now on.",
        || web::to(super::rotate_secret),
    )
    .answers(&[endpoint::json(200, view::secret_schema)])
    .refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]),
];
