use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::act::record;
use super::view::ExposureView;
use crate::bridge::AddressError;
use crate::exposure::PublicAddress;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Put,
    "/api/exposure",
    "Turn remote access on: let the agent port answer to this public address too.",
    || web::to(set),
)
.takes_body(RequestBody::Required(schema::request::<NewExposure>))
.answers(&[endpoint::json(200, schema::answer::<ExposureView>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewExposure {
    /// `https://` and the name by which others reach the agent port, with or without `/mcp`.
    public_url: String,
}

async fn set(
    parts: web::Data<Parts>,
    FromBody(new): FromBody<NewExposure>,
) -> Result<Json<ExposureView>, Problem> {
    let address = PublicAddress::parse(&new.public_url)
        .map_err(|fault| Problem::invalid("publicUrl", fault.to_string()))?;
    if parts.allowed_hosts.contains(address.host()) {
        return Err(of_the_console(&address));
    }
    to_the_end(async move {
        let args = json!({ "publicUrl": address.to_string() });
        let done = parts.bridge.set_address(address).await;
        record(&parts, "set_exposure", Some(args), &done).await;
        done?;
        Ok(Json(ExposureView::of(&parts).await?))
    })
    .await
}

/// The Console asks for no login: what others reach may never be it.
fn of_the_console(address: &PublicAddress) -> Problem {
    let host = address.host();
    Problem::new(
        Code::Conflict,
        format!(
            "{host} is a name of the Console (REST_ALLOWED_HOSTS), and whoever reaches the Console may do everything; take it out there, or publish the agent port under another name"
        ),
    )
}

impl From<AddressError> for Problem {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::Store(cause) => cause.into(),
            AddressError::SessionsMayLive => Self::new(Code::Unavailable, error.to_string()),
        }
    }
}
