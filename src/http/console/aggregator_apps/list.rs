use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::console::Parts;
use crate::http::console::client_id_hint::hint;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/aggregator-apps",
    "The aggregators at which banks are linked by an application of your own, and whether one is set for each.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<ApplicationList>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn list(parts: web::Data<Parts>) -> Result<Json<ApplicationList>, Problem> {
    let set = parts.sign_ins.apps().await?;
    let providers = parts.sign_ins.providers.all_linked();
    let apps = providers.map(|provider| {
        let [redirect_uri, pasted_redirect_uri] = parts.sign_ins.return_addresses(provider);
        let own = set.iter().find(|app| app.provider == provider.id());
        ApplicationView {
            provider: provider.id(),
            name: provider.title(),
            configured: own.is_some(),
            client_id_hint: own.map(|own| hint(&own.client_id)),
            redirect_uri,
            pasted_redirect_uri,
            help: provider.application_help(),
        }
    });
    Ok(Json(ApplicationList {
        apps: apps.collect(),
    }))
}

#[derive(Serialize, JsonSchema)]
struct ApplicationList {
    apps: Vec<ApplicationView>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ApplicationView {
    provider: &'static str,
    /// The aggregator's name for people.
    name: &'static str,
    configured: bool,
    /// The ends of the application's id.
    client_id_hint: Option<String>,
    /// What is to be registered there, to the letter. The browser comes back to it by itself.
    redirect_uri: String,
    /// The same where the aggregator takes https alone: nothing answers there, and the person pastes the address.
    pasted_redirect_uri: String,
    /// Where an application is registered there.
    help: &'static str,
}
