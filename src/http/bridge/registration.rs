use actix_web::HttpResponse;
use actix_web::web::Payload;
use serde_json::{Map, Value, json};

use super::answer::{BridgeProblem, json_answer};
use super::visit::CountedVisit;
use crate::bridge::{BridgeClient, ClientMetadata, RedirectAddress};
use crate::http::body;

/// The largest registration, in bytes: many addresses and more words than anybody needs.
const REGISTRATION_BYTES_MAX: usize = 64 * 1024;

/// `POST /register` (RFC 7591 §3).
pub(super) async fn register(
    CountedVisit(visit): CountedVisit,
    payload: Payload,
) -> Result<HttpResponse, BridgeProblem> {
    let body = body::read(payload, REGISTRATION_BYTES_MAX).await?;
    let metadata = ClientMetadata::parse(&body).map_err(BridgeProblem::Registration)?;
    let client = visit.bridge.register(metadata).await?;
    Ok(json_answer(
        HttpResponse::Created(),
        &Value::Object(told(&client)),
    ))
}

/// What stands for the client now. A member without a value is left out: clients read a null as a fault.
fn told(client: &BridgeClient) -> Map<String, Value> {
    let redirects: Vec<&str> = client
        .redirects
        .iter()
        .map(RedirectAddress::as_str)
        .collect();
    let mut members = Map::from_iter([
        ("client_id".to_owned(), json!(client.id.as_str())),
        ("redirect_uris".to_owned(), json!(redirects)),
        (
            "grant_types".to_owned(),
            json!(["authorization_code", "refresh_token"]),
        ),
        ("response_types".to_owned(), json!(["code"])),
        ("token_endpoint_auth_method".to_owned(), json!("none")),
    ]);
    if let Some(name) = &client.name {
        members.insert("client_name".to_owned(), json!(name.as_str()));
    }
    members
}
