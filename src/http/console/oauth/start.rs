use actix_web::http::header::{HOST, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::browser::BrowserMark;
use super::by_provider::consented;
use crate::host::{Authority, Host};
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;
use crate::sign_ins::{BegunConsent, SignInError};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/oauth/{provider}/start",
    "Begin a sign-in at a provider: the address to send the browser to.",
    || web::to(start),
)
.takes_body(RequestBody::Optional(schema::request::<NewConsent>))
.answers(&[endpoint::json(200, schema::answer::<StartedConsent>)])
.refuses(&[
    Code::NotFound,
    Code::Conflict,
    Code::Internal,
    Code::Unavailable,
]);

/// The sign-in that is to be renewed, if it is one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewConsent {
    sign_in_id: Option<OrNull<Uuid>>,
}

async fn start(
    request: HttpRequest,
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromBody(new): FromBody<NewConsent>,
) -> Result<HttpResponse, Problem> {
    let provider = consented(&parts, &provider)?;
    require_localhost(&request, &parts)?;
    let mark = BrowserMark::of_or_new(&request).map_err(SignInError::NoRandomness)?;
    let renews = new.sign_in_id.and_then(OrNull::value);
    let begun = parts
        .sign_ins
        .begin_consent(provider, renews, mark.text())
        .await?;
    Ok(HttpResponse::Ok()
        .insert_header((SET_COOKIE, mark.set_cookie()))
        .json(StartedConsent::of(begun)))
}

/// A cookie of another name would not come back to where the provider sends the browser.
///
/// # Errors
/// When the page is open under another name.
pub(in crate::http::console) fn require_localhost(
    request: &HttpRequest,
    parts: &Parts,
) -> Result<(), Problem> {
    let host = request.headers().get(HOST);
    let host = host.and_then(|host| host.to_str().ok());
    let is_localhost = host.and_then(Authority::parse).is_some_and(
        |authority| matches!(authority.host(), Host::Name(name) if name == "localhost"),
    );
    match is_localhost {
        true => Ok(()),
        false => Err(Problem::new(
            Code::Conflict,
            format!(
                "the provider sends the browser back to localhost: open the Console at http://localhost:{} and sign in there",
                parts.ports.console
            ),
        )),
    }
}

/// Where the browser is sent; within ten minutes it must be back.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http::console) struct StartedConsent {
    url: String,
    /// `GET /api/signins/<this>` tells what became of it.
    attempt_id: Uuid,
}

impl StartedConsent {
    pub(in crate::http::console) fn of(begun: BegunConsent) -> Self {
        Self {
            url: begun.url,
            attempt_id: begun.id,
        }
    }
}
