use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::body::to_bytes;
use actix_web::http::header;
use rmcp::model::RequestId;
use serde_json::{Value, json};
use sextant::http::admission::NotAdmitted;
use sextant::http::code::Code;
use sextant::http::mcp::error::{McpError, RequestError};
use sextant_actors::domain::KeyRefusal;
use sextant_actors::sessions::{CloseReason, OpenError};

use super::file;
use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;
use crate::support::golden::{assert_kept, assert_kept_json};

const CODES: [Code; 12] = [
    Code::Invalid,
    Code::Unauthorized,
    Code::Forbidden,
    Code::ForbiddenHost,
    Code::NotFound,
    Code::Conflict,
    Code::TooLarge,
    Code::UnsupportedMediaType,
    Code::RateLimited,
    Code::Internal,
    Code::ProviderError,
    Code::Unavailable,
];

/// Does not compile when there is a code that [`CODES`] lacks.
const fn place(code: Code) -> usize {
    match code {
        Code::Invalid => 0,
        Code::Unauthorized => 1,
        Code::Forbidden => 2,
        Code::ForbiddenHost => 3,
        Code::NotFound => 4,
        Code::Conflict => 5,
        Code::TooLarge => 6,
        Code::UnsupportedMediaType => 7,
        Code::RateLimited => 8,
        Code::Internal => 9,
        Code::ProviderError => 10,
        Code::Unavailable => 11,
    }
}

fn faults() -> Vec<McpError> {
    let mut faults = vec![
        McpError::ForeignHost,
        McpError::ForeignOrigin,
        McpError::HeadTooLarge,
        McpError::NotAdmitted(NotAdmitted::NoKey),
        McpError::NotAdmitted(NotAdmitted::MalformedKey),
        McpError::BodyTooLarge,
        McpError::BodyIncomplete,
        McpError::NotDeclaredJson,
        McpError::Encoded,
        McpError::NotJson,
        McpError::Batch,
        McpError::TooManyValues,
        McpError::TooDeep,
        McpError::NotAMessage("WHY"),
        McpError::MalformedMeta,
        McpError::MalformedHandshake,
        McpError::RepeatedHeader("NAME"),
        McpError::UnsupportedVersion("1999-01-01".to_owned()),
        McpError::PathUnknown,
        McpError::MethodUnknown,
        McpError::MethodNotServed,
        McpError::SessionMissing,
        McpError::SessionUnknown,
        McpError::NotAdmitted(NotAdmitted::NoSession(OpenError::Full)),
        McpError::NotAdmitted(NotAdmitted::Crowded),
        McpError::Unavailable,
    ];
    let refusals = [
        KeyRefusal::UnknownAgent,
        KeyRefusal::Revoked,
        KeyRefusal::Expired,
    ];
    faults.extend(refusals.map(|refusal| McpError::NotAdmitted(NotAdmitted::KeyRefused(refusal))));
    let reasons = [
        CloseReason::GrantChanged,
        CloseReason::Ended,
        CloseReason::Idle,
        CloseReason::Stopped,
    ];
    faults.extend(reasons.map(McpError::SessionClosed));
    faults
}

/// Does not compile when there is a fault that [`faults`] may lack.
const fn is_listed(fault: &McpError) -> bool {
    match fault {
        McpError::ForeignHost
        | McpError::ForeignOrigin
        | McpError::HeadTooLarge
        | McpError::NotAdmitted(
            NotAdmitted::NoKey
            | NotAdmitted::MalformedKey
            | NotAdmitted::KeyRefused(
                KeyRefusal::UnknownAgent | KeyRefusal::Revoked | KeyRefusal::Expired,
            )
            | NotAdmitted::Crowded
            | NotAdmitted::NoSession(
                OpenError::Full | OpenError::GrantChanged | OpenError::Unavailable,
            ),
        )
        | McpError::BodyTooLarge
        | McpError::BodyIncomplete
        | McpError::NotDeclaredJson
        | McpError::Encoded
        | McpError::NotJson
        | McpError::Batch
        | McpError::TooManyValues
        | McpError::TooDeep
        | McpError::NotAMessage(_)
        | McpError::MalformedMeta
        | McpError::MalformedHandshake
        | McpError::RepeatedHeader(_)
        | McpError::UnsupportedVersion(_)
        | McpError::PathUnknown
        | McpError::MethodUnknown
        | McpError::MethodNotServed
        | McpError::SessionMissing
        | McpError::SessionUnknown
        | McpError::SessionClosed(
            CloseReason::GrantChanged
            | CloseReason::Ended
            | CloseReason::Idle
            | CloseReason::Stopped,
        )
        | McpError::Unavailable => true,
    }
}

/// The name of a fault in the golden file.
fn name_of(fault: &McpError) -> String {
    match fault {
        McpError::NotAdmitted(NotAdmitted::NoSession(OpenError::Full)) => "Busy".to_owned(),
        McpError::NotAdmitted(reason) => format!("{reason:?}"),
        other => format!("{other:?}"),
    }
}

/// Status, the headers that say more than the body, and the body.
async fn answer(response: HttpResponse) -> Value {
    let mut told = json!({ "status": response.status().as_u16() });
    for name in [header::WWW_AUTHENTICATE, header::ALLOW, header::RETRY_AFTER] {
        if let Some(value) = response.headers().get(&name) {
            told[name.as_str()] = value.to_str().unwrap().into();
        }
    }
    let body = to_bytes(response.into_body()).await.unwrap();
    told["body"] = serde_json::from_slice(&body).unwrap();
    told
}

#[test]
fn the_codes_of_the_json_surfaces_are_the_kept_ones() {
    let mut told = String::new();
    for (at, code) in CODES.into_iter().enumerate() {
        assert_eq!(place(code), at);
        let (name, status) = code.row();
        writeln!(told, "{} {name}", status.as_u16()).unwrap();
    }
    assert_kept(&file("errors/codes.txt"), &told);
}

#[actix_web::test]
async fn the_answers_to_each_fault_of_the_agent_port_are_the_kept_ones() {
    let mut told = Vec::new();
    for fault in faults() {
        assert!(is_listed(&fault));
        let name = name_of(&fault);
        let problem = RequestError {
            id: Some(RequestId::Number(7)),
            error: fault,
        };
        told.push(json!({ "fault": name, "answer": answer(problem.into_response()).await }));
    }
    assert_kept_json(&file("errors/agent_port.json"), &told.into());
}

#[actix_web::test]
async fn the_errors_of_calls_are_the_kept_ones() {
    let app = TestApp::start().await;
    let url = format!("http://{}/mcp", app.agents);
    let client = Client::new(&url, Some(app.key_of("claude", &["mail"]).await));
    let call = |name: &str, arguments: Value| client.modern_call(name, arguments);
    let mut told = Vec::new();
    for (about, request) in [
        (
            "an unknown method",
            client.modern("resources/list", json!({})),
        ),
        ("a method of nobody", client.modern("no/such", json!({}))),
        (
            "a second page of tools",
            client.modern("tools/list", json!({ "cursor": "2" })),
        ),
        (
            "malformed params",
            client.modern("tools/call", json!({ "name": "query", "arguments": 7 })),
        ),
        ("an unknown tool", call("no_such", json!({}))),
        (
            "a sector that is not granted",
            call("query", json!({ "target": "finance.transactions" })),
        ),
        ("no target", call("query", json!({}))),
        (
            "an unknown field",
            call(
                "query",
                json!({ "target": "mail.messages", "select": ["subjet"] }),
            ),
        ),
        (
            "nothing to fetch from",
            call("fetch_live", json!({ "target": "mail" })),
        ),
        (
            "no such action",
            call("invoke_action", json!({ "action": "a.b" })),
        ),
        (
            "no such record",
            call(
                "get_record",
                json!({ "target": "mail.messages", "id": "6f1c1b8e-0c0e-5f6e-9a59-0d2d6a1f3c11" }),
            ),
        ),
    ] {
        let (status, body) = json_of(request).await;
        told.push(json!({ "about": about, "status": status, "body": body }));
    }
    assert_kept_json(&file("errors/calls.json"), &told.into());
}
