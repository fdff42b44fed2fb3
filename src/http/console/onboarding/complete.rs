use actix_web::{HttpResponse, web};

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::store::settings;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/onboarding/complete",
    "Dismiss the first steps for good; the steps themselves stay as they are.",
    || web::to(complete),
)
.answers(&[endpoint::no_content()])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn complete(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<HttpResponse, Problem> {
    settings::dismiss_onboarding(&parts.pool).await?;
    Ok(HttpResponse::NoContent().finish())
}
