use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use sextant_connectors::provider::LinkingApplication;
use sextant_connectors::secret::SourceSecret;

use super::act::record;
use super::by_provider::linked;
use crate::http::console::connections::publish;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Put,
    "/api/aggregator-apps/{provider}",
    "Set the application of your own at an aggregator, once it was tried; its key is sealed and never shown again.",
    || web::to(set),
)
.takes_body(RequestBody::Required(schema::request::<NewApplication>))
.answers(&[endpoint::no_content()])
.refuses(&[
    Code::NotFound,
    Code::Conflict,
    Code::Internal,
    Code::ProviderError,
    Code::Unavailable,
]);

/// What the aggregator gave for the application.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewApplication {
    /// Its id.
    client_id: String,
    /// Its private key, in PEM form.
    client_secret: String,
    /// What it is registered for, which the aggregator knows: another one is refused.
    environment: Option<ApplicationEnvironment>,
}

/// Whether an application reaches banks, or those of the aggregator's own making alone.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(!try_from, rename_all = "lowercase")]
enum ApplicationEnvironment {
    Production,
    Sandbox,
}

impl TryFrom<String> for ApplicationEnvironment {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, &'static str> {
        match word.as_str() {
            "production" => Ok(Self::Production),
            "sandbox" => Ok(Self::Sandbox),
            _ => Err("send production or sandbox"),
        }
    }
}

async fn set(
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromBody(new): FromBody<NewApplication>,
) -> Result<HttpResponse, Problem> {
    let application = LinkingApplication {
        id: new.client_id.trim().to_owned(),
        key: SourceSecret::new(new.client_secret.trim()),
    };
    let environment = new.environment;
    let is_sandbox = environment.map(|own| matches!(own, ApplicationEnvironment::Sandbox));
    to_the_end(async move {
        let provider = linked(&parts, &provider)?;
        let set = parts
            .sign_ins
            .set_application(provider, &application, is_sandbox);
        let done = set.await;
        record(&parts, "set_aggregator_app", provider.id(), &done).await;
        for waiting in done? {
            publish(&parts, waiting).await;
        }
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}
