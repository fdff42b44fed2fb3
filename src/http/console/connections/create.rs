mod label;
mod pulled;
mod push;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;
use serde::Serialize;
use serde_json::{Map, Value, json};

use self::pulled::{CreatedSource, NewSource};
use self::push::{CreatedPush, NewPushConnection};
use crate::http::body;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request;
use crate::http::schema;
use crate::providers::{self, PUSH};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections",
    "Make a connection for pushes, whose secret is shown once; or those of a source, once its credential was tried.",
    || web::to(create),
)
.takes_body(RequestBody::Required(request_schema))
.answers(&[endpoint::json(201, answer_schema)])
.refuses(&[Code::Internal, Code::ProviderError, Code::Unavailable]);

/// What is sent, by its provider.
#[derive(Debug)]
enum NewConnection {
    Push(NewPushConnection),
    Source(NewSource),
}

fn request_schema() -> Value {
    json!({ "anyOf": [schema::request::<NewPushConnection>(), schema::request::<NewSource>()] })
}

fn answer_schema() -> Value {
    json!({ "anyOf": [schema::answer::<CreatedPush>(), schema::answer::<CreatedSource>()] })
}

impl NewConnection {
    /// # Errors
    /// When there is no such provider, or what is sent is not what it takes.
    fn read(members: Map<String, Value>) -> Result<Self, Problem> {
        let known = format!("send one of {PUSH}, {}", providers::PASTED.join(", "));
        let unknown = |message: String| Problem::invalid("provider", message);
        match members.get("provider") {
            Some(Value::String(word)) if word == PUSH => request::read(members).map(Self::Push),
            Some(Value::String(word)) if providers::PASTED.contains(&word.as_str()) => {
                request::read(members).map(Self::Source)
            }
            Some(Value::String(word)) if providers::LINKED.contains(&word.as_str()) => {
                Err(unknown(format!(
                    "banks are linked there one by one: POST /api/aggregator-apps/{word}/link, or Connections, Connect a source, in the Console"
                )))
            }
            Some(Value::String(word)) if providers::SOURCES.contains(&word.as_str()) => {
                Err(unknown(format!(
                    "one signs in there in a browser: POST /api/oauth/{word}/start, or Connections, Connect a source, in the Console"
                )))
            }
            None | Some(Value::Null | Value::String(_)) => Err(unknown(known)),
            Some(_) => Err(unknown("send provider as text".to_owned())),
        }
    }
}

impl FromRequest for NewConnection {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let members = body::read_object(request, payload);
        Box::pin(async move { Self::read(members.await?) })
    }
}

async fn create(
    parts: web::Data<Parts>,
    request: HttpRequest,
    new: NewConnection,
) -> Result<(Json<CreatedConnection>, StatusCode), Problem> {
    let created = match new {
        NewConnection::Push(new) => {
            CreatedConnection::Push(push::create(parts, &request, new).await?)
        }
        NewConnection::Source(new) => CreatedConnection::Source(pulled::create(parts, new).await?),
    };
    Ok((Json(created), StatusCode::CREATED))
}

/// What was made.
#[derive(Serialize)]
#[serde(untagged)]
enum CreatedConnection {
    Push(CreatedPush),
    Source(CreatedSource),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &str) -> Result<NewConnection, Problem> {
        NewConnection::read(body::parse_object(body.as_bytes())?)
    }

    #[test]
    fn what_is_sent_is_read_by_its_provider() {
        let push = r#"{"provider":"push","sector":"mail","label":"a"}"#;
        assert!(matches!(parse(push), Ok(NewConnection::Push(_))));
        for source in [
            r#"{"provider":"icloud","credentials":{}}"#,
            r#"{"provider":"icloud","credentials":{"account":"a","password":null},"sectors":["mail"],"label":"b"}"#,
            r#"{"provider":"own_server","credentials":{},"sectors":null,"label":null}"#,
        ] {
            assert!(
                matches!(parse(source), Ok(NewConnection::Source(_))),
                "{source}"
            );
        }
    }

    #[test]
    fn what_is_refused_names_what_to_send() {
        let credentials = "send credentials as an object of texts, one for each field of the provider (GET /api/providers)";
        for (body, expected) in [
            (
                "{}",
                "send one of push, icloud, own_server, home_assistant, simplefin",
            ),
            (
                r#"{"provider":"google"}"#,
                "one signs in there in a browser: POST /api/oauth/google/start, or Connections, Connect a source, in the Console",
            ),
            (
                r#"{"provider":"plaid"}"#,
                "send one of push, icloud, own_server, home_assistant, simplefin",
            ),
            (r#"{"provider":7}"#, "send provider as text"),
            (r#"{"provider":"icloud"}"#, credentials),
            (
                r#"{"provider":"icloud","credentials":{"password":7}}"#,
                credentials,
            ),
            (
                r#"{"provider":"icloud","credentials":{},"sectors":[]}"#,
                "send sectors as an array of sectors, at least one",
            ),
            (
                r#"{"provider":"icloud","credentials":{},"sector":"mail"}"#,
                "unknown field `sector`; this route takes provider, credentials, sectors, label",
            ),
        ] {
            let refusal = parse(body).unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"), "{body}");
        }
    }
}
