use actix_web::http::header::SET_COOKIE;
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sextant_connectors::provider::{AccountHolder, LinkedBank};
use uuid::Uuid;

use super::by_provider::linked;
use crate::http::console::Parts;
use crate::http::console::oauth::{BrowserMark, StartedConsent, require_localhost};
use crate::http::console::providers::ReturnWayName;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;
use crate::sign_ins::SignInError;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/aggregator-apps/{provider}/link",
    "Begin to link a bank: the address to send the browser to.",
    || web::to(link),
)
.takes_body(RequestBody::Required(schema::request::<NewLink>))
.answers(&[endpoint::json(200, schema::answer::<StartedLink>)])
.refuses(&[
    Code::NotFound,
    Code::Conflict,
    Code::Internal,
    Code::ProviderError,
    Code::Unavailable,
]);

/// A bank as it was listed, or the sign-in whose bank is linked again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewLink {
    country: Option<String>,
    bank: Option<String>,
    /// Accounts of a business; of a person without it.
    business: Option<bool>,
    sign_in_id: Option<OrNull<Uuid>>,
}

async fn link(
    request: HttpRequest,
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromBody(new): FromBody<NewLink>,
) -> Result<HttpResponse, Problem> {
    let provider = linked(&parts, &provider)?;
    require_localhost(&request, &parts)?;
    let mark = BrowserMark::of_or_new(&request).map_err(SignInError::NoRandomness)?;
    let renews = new.sign_in_id.and_then(OrNull::value);
    let holder = match new.business {
        Some(true) => AccountHolder::Business,
        _ => AccountHolder::Person,
    };
    let wanted = new.country.zip(new.bank).map(|(country, name)| LinkedBank {
        country,
        name,
        holder,
    });
    let begun = parts
        .sign_ins
        .begin_link(provider, wanted, renews, mark.text())
        .await?;
    Ok(HttpResponse::Ok()
        .insert_header((SET_COOKIE, mark.set_cookie()))
        .json(StartedLink {
            redirect_uri: begun.redirect_url,
            return_way: match begun.is_pasted {
                true => ReturnWayName::Paste,
                false => ReturnWayName::Callback,
            },
            started: StartedConsent::of(begun.consent),
        }))
}

/// Where the browser is sent, and how it comes back.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StartedLink {
    #[serde(flatten)]
    started: StartedConsent,
    return_way: ReturnWayName,
    /// The address at which it ends.
    redirect_uri: String,
}
