//! The Console's page: the addresses that answer it, and its files; and the OpenAPI document of the routes.
//!
//! The page reads its own address, so that every address of a screen answers the same document. Screens are known by their first
//! word (an agent may be called `my.laptop`, so that a dot does not make a file); anything else, and every unknown address under
//! `/api`, stays a refusal in JSON.

mod files;

use actix_web::http::{Method, header::ContentType};
use actix_web::{HttpRequest, HttpResponse, web};

use super::Parts;
use crate::http::endpoint::{self, Endpoint, RouteAnswer, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema::{any, map, text};

/// The document of every screen.
const DOCUMENT: &str = "index.html";
/// Where the files lie.
const FILES: &str = "static";
/// The first words of the screens' addresses, besides `/`.
const SCREENS: [&str; 6] = [
    "welcome",
    "connections",
    "agents",
    "activity",
    "data",
    "settings",
];

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Get,
        "/",
        "The Console; its screens answer under /welcome, /connections, /agents, /activity, /data and /settings.",
        || web::to(document),
    )
    .answers(&[RouteAnswer {
        status: 200,
        media: "text/html",
        schema: text,
    }]),
    Endpoint::new(
        Verb::Get,
        "/api/openapi.json",
        "All of this as an OpenAPI 3.1 document, with what each route takes and answers.",
        || web::to(description),
    )
    .answers(&[endpoint::json(200, || map(any()))]),
];

async fn document(request: HttpRequest) -> Result<HttpResponse, Problem> {
    files::answer(&request, DOCUMENT)
}

/// Any address that is no route: a screen, a file of the page, or a refusal in JSON.
pub(super) async fn other(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (first, rest) = split(request.path());
    match *request.method() {
        Method::GET if first == FILES => files::answer(&request, rest),
        Method::GET if SCREENS.contains(&first) => files::answer(&request, DOCUMENT),
        _ => Err(Problem::new(
            Code::NotFound,
            "there is no such route, or not with this method; GET /api/openapi.json lists them",
        )),
    }
}

/// The first word of a path, and what follows it.
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').unwrap_or((path, ""))
}

async fn description(parts: web::Data<Parts>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(parts.manual.document.clone())
}
