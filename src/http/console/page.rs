//! The page at `/`, which lists the routes until the Console has screens, and the OpenAPI document.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};

use super::Parts;
use crate::http::endpoint::{self, Endpoint, RouteAnswer, Verb};
use crate::http::schema::{any, map, text};

const INDEX: &str = include_str!("../../../static/index.html");
const STYLE: &str = include_str!("../../../static/page.css");
/// The placeholder of the table's rows in the page.
const ROWS: &str = "<!-- routes -->";
/// The placeholder of the agent port's number.
const AGENT_PORT: &str = "<!-- agent port -->";

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(Verb::Get, "/", "This page.", || web::to(index)).answers(&[RouteAnswer {
        status: 200,
        media: "text/html",
        schema: text,
    }]),
    Endpoint::new(Verb::Get, "/page.css", "Its style.", || web::to(style)).answers(&[
        RouteAnswer {
            status: 200,
            media: "text/css",
            schema: text,
        },
    ]),
    Endpoint::new(
        Verb::Get,
        "/api/openapi.json",
        "All of this as an OpenAPI 3.1 document, with what each route takes and answers.",
        || web::to(document),
    )
    .answers(&[endpoint::json(200, || map(any()))]),
];

async fn index(parts: web::Data<Parts>) -> HttpResponse {
    let page = INDEX
        .replace(AGENT_PORT, &parts.ports.agent.to_string())
        .replace(ROWS, &parts.manual.rows);
    HttpResponse::Ok()
        .content_type(ContentType::html())
        .body(page)
}

async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .body(STYLE)
}

async fn document(parts: web::Data<Parts>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(parts.manual.document.clone())
}
