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
    "/api/oauth-apps",
    "The providers where one signs in, and whether an app of your own is set for each.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<AppList>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn list(parts: web::Data<Parts>) -> Result<Json<AppList>, Problem> {
    let set = parts.sign_ins.apps().await?;
    let providers = parts.sign_ins.providers.all_consented();
    let apps = providers.map(|provider| {
        let own = set.iter().find(|app| app.provider == provider.id());
        AppView {
            provider: provider.id(),
            name: provider.title(),
            configured: own.is_some(),
            client_id_hint: own.map(|own| hint(&own.client_id)),
            redirect_uri: parts.sign_ins.redirect_uri(provider),
            help: provider.terms().app_help,
        }
    });
    Ok(Json(AppList {
        apps: apps.collect(),
    }))
}

#[derive(Serialize, JsonSchema)]
struct AppList {
    apps: Vec<AppView>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AppView {
    provider: &'static str,
    /// The provider's name for people.
    name: &'static str,
    configured: bool,
    /// The ends of the client id.
    client_id_hint: Option<String>,
    /// What is to be registered at the provider, to the letter.
    redirect_uri: String,
    /// Where an app is registered there.
    help: &'static str,
}
