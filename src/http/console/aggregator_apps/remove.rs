use actix_web::{HttpResponse, web};

use super::act::record;
use super::by_provider::linked;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Delete,
    "/api/aggregator-apps/{provider}",
    "Remove the application of your own at an aggregator; what was linked with it stays, and is not read without one.",
    || web::to(remove),
)
.answers(&[endpoint::no_content()])
.refuses(&[Code::NotFound, Code::Internal, Code::Unavailable]);

async fn remove(
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<HttpResponse, Problem> {
    to_the_end(async move {
        let provider = linked(&parts, &provider)?;
        let done = parts.sign_ins.remove_app(provider).await;
        record(&parts, "delete_aggregator_app", provider.id(), &done).await;
        done?;
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}
