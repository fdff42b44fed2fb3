//! The page at `/`: until the Console has its screens, it lists the routes that are there.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};

const INDEX: &str = include_str!("../../../static/index.html");
const STYLE: &str = include_str!("../../../static/page.css");

/// Mounts the page and its style.
pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .route("/", web::get().to(index))
        .route("/page.css", web::get().to(style));
}

async fn index() -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::html())
        .body(INDEX)
}

async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .body(STYLE)
}
