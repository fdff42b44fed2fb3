//! The record, read (docs/operating.md#reading-the-audit). No read of it leaves a row in it (r041).

mod csv;
mod cursor;
mod facets;
mod page;
mod request;

use actix_web::{HttpRequest, HttpResponse, web};

use self::page::Page;
use self::request::PageRequest;
use super::Parts;
use crate::http::endpoint::{self, Answer, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema::text;
use crate::store::audit_read;

pub use csv::AT_ONCE_MAX as CSV_AT_ONCE_MAX;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Get,
        "/api/audit",
        "The record, newest first: who called what, and what became of it.",
        || web::to(list),
    )
    .asks(request::ASKED)
    .answers(&[endpoint::json(200, page::schema)])
    .refuses(&[Code::Internal, Code::Unavailable]),
    Endpoint::new(
        Verb::Get,
        "/api/audit.csv",
        "The record as CSV, newest first: all of it, or all that passes the filters.",
        || web::to(csv::send),
    )
    .asks(request::FILTERS)
    .answers(&[Answer {
        status: 200,
        media: "text/csv",
        schema: text,
    }])
    .refuses(&[Code::Internal, Code::Unavailable]),
    Endpoint::new(
        Verb::Get,
        "/api/audit/facets",
        "The agents and verbs that the record names.",
        || web::to(facets::list),
    )
    .answers(&[endpoint::json(200, facets::schema)])
    .refuses(&[Code::Internal, Code::Unavailable]),
    Endpoint::new(
        Verb::Get,
        "/api/audit/{id}",
        "One row of the record.",
        || web::to(show),
    )
    .answers(&[endpoint::json(200, page::row_schema)])
    .refuses(&[Code::Internal, Code::Unavailable]),
];

async fn list(parts: web::Data<Parts>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let asked = PageRequest::parse(request.query_string())?;
    let found = audit_read::scan(
        &parts.pool,
        &asked.filter,
        asked.direction(),
        asked.from(),
        // One more than is shown tells whether there is a further page.
        asked.limit + 1,
        parts.reads.page,
    )
    .await?;
    Ok(HttpResponse::Ok().json(Page::of(&asked, found)))
}

async fn show(parts: web::Data<Parts>, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let row = match id.parse() {
        Ok(id) => audit_read::read(&parts.pool, id).await?,
        Err(_) => None,
    };
    let row =
        row.ok_or_else(|| Problem::new(Code::NotFound, "the record has no row with this id"))?;
    Ok(HttpResponse::Ok().json(row))
}
