use actix_web::{HttpResponse, web};

use crate::http::console::oauth::consented;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Delete,
    "/api/oauth-apps/{provider}",
    "Remove the app of your own at a provider; sign-ins stay, and are not renewed without one.",
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
        let provider = consented(&parts, &provider)?;
        parts.sign_ins.remove_app(provider).await?;
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}
