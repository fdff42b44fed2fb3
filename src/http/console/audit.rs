//! The record, read (interfaces §10, console S6). No read of it leaves a row in it (r041).

mod cursor;
mod page;
mod request;

use actix_web::{HttpRequest, HttpResponse, web};

use self::page::Page;
use self::request::PageRequest;
use super::Parts;
use crate::http::problem::{Code, Problem};
use crate::store::audit_read::{self, Budget};

/// Mounts the routes under `/api/audit`.
pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .route("/audit", web::get().to(list))
        .route("/audit/{id}", web::get().to(show));
}

async fn list(parts: web::Data<Parts>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let asked = PageRequest::parse(request.query_string())?;
    let found = audit_read::walk(
        &parts.pool,
        &asked.filter,
        asked.direction(),
        asked.from(),
        // One more than is shown tells whether there is a further page.
        asked.limit + 1,
        Budget::default(),
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
