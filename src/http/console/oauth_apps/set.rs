use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use sextant_connectors::oauth::ClientApp;
use sextant_connectors::secret::SourceSecret;

use crate::http::console::connections::publish;
use crate::http::console::oauth::consented;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;

/// The longest client id or secret, in bytes.
const TEXT_BYTES_MAX: usize = 2048;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Put,
    "/api/oauth-apps/{provider}",
    "Set the app of your own at a provider; its secret is sealed and never shown again.",
    || web::to(set),
)
.takes_body(RequestBody::Required(schema::request::<NewApp>))
.answers(&[endpoint::no_content()])
.refuses(&[Code::NotFound, Code::Internal, Code::Unavailable]);

/// What the provider gave for the app.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewApp {
    client_id: AppText,
    client_secret: AppText,
}

/// A text without space around it.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct AppText(#[schemars(length(min = 1, max = TEXT_BYTES_MAX))] String);

impl TryFrom<Option<Value>> for AppText {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        const EXPECTED: &str = "send the text that the provider shows for the app";
        let Some(Value::String(text)) = sent else {
            return Err(EXPECTED);
        };
        let text = text.trim();
        let is_text = !text.is_empty() && text.len() <= TEXT_BYTES_MAX;
        match is_text && !text.contains(char::is_control) {
            true => Ok(Self(text.to_owned())),
            false => Err(EXPECTED),
        }
    }
}

async fn set(
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromBody(new): FromBody<NewApp>,
) -> Result<HttpResponse, Problem> {
    let app = ClientApp {
        id: new.client_id.0,
        secret: SourceSecret::new(new.client_secret.0),
    };
    to_the_end(async move {
        let provider = consented(&parts, &provider)?;
        for waiting in parts.sign_ins.set_app(provider, &app).await? {
            publish(&parts, waiting).await;
        }
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}
