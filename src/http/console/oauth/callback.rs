use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};

use super::browser::BrowserMark;
use super::ended::make_known;
use super::returning::away_at;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::sign_ins::Returned;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/oauth/{provider}/callback",
    "Where a provider sends a browser back to; it goes on to the page of connections.",
    || web::to(callback),
)
.answers(&[endpoint::see_other()])
.refuses(&[Code::NotFound, Code::Internal, Code::Unavailable]);

async fn callback(
    request: HttpRequest,
    parts: web::Data<Parts>,
    provider: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    away_at(&parts, &provider)?;
    let query = request.query_string().to_owned();
    let mark = BrowserMark::of(&request);
    let id = to_the_end(async move {
        let away = away_at(&parts, &provider)?;
        let returned = Returned {
            query: &query,
            browser: mark.as_ref().map(BrowserMark::text),
        };
        match parts.sign_ins.come_back(away, returned).await? {
            Some(ended) => {
                let id = ended.outcome.id;
                make_known(&parts, ended).await?;
                Ok(id)
            }
            None => Ok(parts.sign_ins.came_back_empty(away)?),
        }
    })
    .await?;
    let location = format!("/connections?signin={id}");
    Ok(HttpResponse::SeeOther()
        .insert_header((LOCATION, location))
        .finish())
}
