use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use serde_json::{Map, Value, json};

use crate::http::endpoint::{Endpoint, Guard, RequestBody, RouteAnswer};
use crate::http::problem::{self, Code};
use crate::http::schema::object;

pub(super) const AGENT_KEY: &str = "agentKey";
pub(super) const PUSH_SECRET: &str = "pushSecret";
pub(super) const PUSH_SECRET_HEADER: &str = "pushSecretHeader";

/// The only path parameter with a fixed set of values.
const SECTOR: &str = "sector";

/// One route as an OpenAPI operation.
pub(super) fn of(endpoint: &Endpoint) -> Value {
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), id(endpoint).into());
    operation.insert("summary".to_owned(), endpoint.summary.into());
    operation.insert("tags".to_owned(), json!([tag(endpoint.path)]));
    operation.insert("security".to_owned(), security(endpoint.guard));
    let parameters: Vec<Value> = path_parameters(endpoint.path)
        .map(path_parameter)
        .chain((endpoint.parameters)().into_iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "in": "query",
                "description": parameter.about,
                "schema": parameter.schema,
            })
        }))
        .collect();
    operation.insert("parameters".to_owned(), parameters.into());
    if let Some(body) = request_body(endpoint.body) {
        operation.insert("requestBody".to_owned(), body);
    }
    operation.insert("responses".to_owned(), responses(endpoint).into());
    Value::Object(operation)
}

fn id(endpoint: &Endpoint) -> String {
    let words = endpoint
        .path
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let verb = endpoint.verb.name().to_ascii_lowercase();
    format!("{verb}_{}", words.join("_"))
}

/// The noun of a route.
fn tag(path: &str) -> &str {
    let mut words = path.split('/').filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (Some("api"), Some(noun)) => noun,
        _ => "service",
    }
}

fn security(guard: Guard) -> Value {
    match guard {
        Guard::Open | Guard::Address => json!([]),
        Guard::Key => json!([{ AGENT_KEY: [] }]),
        Guard::Secret => json!([{ PUSH_SECRET: [] }, { PUSH_SECRET_HEADER: [] }]),
    }
}

fn path_parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'))
}

fn path_parameter(name: &str) -> Value {
    let schema = if name == SECTOR {
        crate::http::schema::sector()
    } else {
        json!({ "type": "string", "minLength": 1 })
    };
    json!({ "name": name, "in": "path", "required": true, "schema": schema })
}

fn request_body(body: RequestBody) -> Option<Value> {
    let of_json = |schema: Value| -> Value { json!({ "application/json": { "schema": schema } }) };
    let (content, is_required) = match body {
        RequestBody::None => return None,
        RequestBody::Empty => (of_json(object([])), false),
        RequestBody::Required(schema) => (of_json(schema()), true),
        RequestBody::Optional(schema) => (of_json(schema()), false),
        RequestBody::Media(forms) => {
            let content: Map<String, Value> = forms
                .iter()
                .map(|(media, schema)| ((*media).to_owned(), json!({ "schema": schema() })))
                .collect();
            (Value::Object(content), true)
        }
    };
    Some(json!({ "required": is_required, "content": content }))
}

fn responses(endpoint: &Endpoint) -> Map<String, Value> {
    let mut responses = Map::new();
    for (status, codes) in refusals(endpoint) {
        let own = endpoint
            .refused_as
            .iter()
            .find(|(replaced, _)| *replaced == status)
            .map(|(_, schema)| schema());
        let schema = own.unwrap_or_else(|| problem::schema(&codes));
        responses.insert(
            status.to_string(),
            response(status, "application/json", schema),
        );
    }
    for RouteAnswer {
        status,
        media,
        schema,
    } in endpoint.answers
    {
        responses.insert(status.to_string(), response(*status, media, schema()));
    }
    responses
}

fn response(status: u16, media: &str, schema: Value) -> Value {
    let reason = StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason());
    let description = reason.unwrap_or_default();
    if media.is_empty() {
        return json!({ "description": description });
    }
    json!({
        "description": description,
        "content": { media: { "schema": schema } },
    })
}

/// Every refusal of a route: those of its guard, of its body and its parameters, and its own; the codes by their status.
fn refusals(endpoint: &Endpoint) -> BTreeMap<u16, Vec<&'static str>> {
    let of_guard: &[Code] = match endpoint.guard {
        Guard::Open => &[],
        Guard::Address => &[Code::ForbiddenHost],
        Guard::Key => &[Code::Unauthorized, Code::Forbidden, Code::Unavailable],
        Guard::Secret => &[Code::Unauthorized],
    };
    let of_body: &[Code] = match (endpoint.body, endpoint.guard) {
        (RequestBody::None, _) => &[],
        (_, Guard::Address) => &[Code::Invalid, Code::TooLarge, Code::UnsupportedMediaType],
        _ => &[Code::Invalid, Code::TooLarge],
    };
    let of_path: &[Code] = match path_parameters(endpoint.path).next() {
        Some(_) if endpoint.guard != Guard::Secret => &[Code::NotFound],
        _ => &[],
    };
    let of_query: &[Code] = if (endpoint.parameters)().is_empty() {
        &[]
    } else {
        &[Code::Invalid]
    };
    let mut by_status: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    let all = [of_guard, of_body, of_path, of_query, endpoint.refusals];
    for code in all.into_iter().flatten() {
        let (word, status) = code.row();
        let words = by_status.entry(status.as_u16()).or_default();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    by_status
}
