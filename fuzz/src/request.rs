//! From the bytes of a request on the agent port to the call that it makes: the product's own pure functions, in the
//! product's order, without sockets, actors or a database.
//!
//! No input may cause a panic, and at each step an invariant must hold on which the next one depends. The fuzzer
//! looks for inputs that break one; `cargo test` runs those that it has kept.

use actix_http::h1::{Codec, Message as Decoded};
use actix_http::{Request, ServiceConfig};
use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::rt::Runtime;
use bytes::BytesMut;
use chrono::DateTime;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta, RequestId};
use serde_json::Value;
use sextant::calls::decide;
use sextant::http::agent_key::{Presented, presented};
use sextant::http::gated_body::CutNotice as _;
use sextant::http::mcp::direct::call::DirectCall;
use sextant::http::mcp::envelope::Envelope;
use sextant::http::mcp::era::{self, Exchange};
use sextant::http::mcp::error::RequestError;
use sextant::http::mcp::farewell::Farewell;
use sextant::http::mcp::limits::BODY_BYTES_MAX;
use sextant::http::mcp::message::Message;
use sextant::http::mcp::{call, head_check, refused, upload};
use sextant::query::check::{CheckedQuery, check_query};
use sextant::query::compile::{self, Statement};
use sextant::query::request::Request as Query;
use sextant::query::time::LocalTime;
use sextant_actors::domain::{Call, Caller, Decision, Reply, Sector, SectorSet};
use sextant_actors::sessions::CloseReason;
use tokio_util::codec::Decoder;
use uuid::Uuid;

/// Longest text with which a refused call is answered: a fault's message, a list of names, and a corrected call.
const REFUSAL_BYTES_MAX: usize = 16 * 1024;

thread_local! {
    /// The HTTP server's settings, which hold a clock that can only be made within a runtime.
    static HTTP: ServiceConfig = Runtime::new()
        .unwrap()
        .block_on(async { ServiceConfig::default() });
}

const END_OF_HEAD: &[u8] = b"\r\n\r\n";

/// How far a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It is not HTTP, or has nothing to read.
    Nothing,
    /// Its head was refused.
    RefusedHead,
    /// Its body was refused.
    Refusal,
    /// It requests a session's stream or end.
    Stream,
    /// It carries a message, which is no call.
    Message,
    /// It carries a call.
    Call,
    /// It carries a query for rows, which was compiled.
    Rows,
    /// The same for changes.
    Changes,
    /// The same for groups.
    Groups,
}

/// Runs one request as far as it goes. What follows the head is the body: framing is the HTTP server's business.
pub fn drive(input: &[u8]) -> Reached {
    let Some((request, body)) = head_and_body(input) else {
        return Reached::Nothing;
    };
    let headers = request.headers();
    if let Err(fault) = head_check::check(request.uri(), headers, None) {
        is_answered(fault.into());
        return Reached::RefusedHead;
    }
    a_key_stands_alone(headers);
    match *request.method() {
        Method::GET | Method::DELETE => {
            if let Err(fault) = era::of_stream(headers) {
                is_answered(fault.into());
            }
            Reached::Stream
        }
        Method::POST if upload::declares_json(headers) && body.len() <= BODY_BYTES_MAX => {
            read(headers, body)
        }
        _ => Reached::Nothing,
    }
}

/// The request that the HTTP server reads of the head, and what follows it.
pub fn head_and_body(input: &[u8]) -> Option<(Request, &[u8])> {
    let mut places = input.windows(END_OF_HEAD.len());
    let end = places.position(|place| place == END_OF_HEAD)?;
    let (head, body) = input.split_at(end + END_OF_HEAD.len());
    Some((request_of(head)?, body))
}

fn request_of(head: &[u8]) -> Option<Request> {
    let mut codec = Codec::new(HTTP.with(|config| config.clone()));
    match codec.decode(&mut BytesMut::from(head)) {
        Ok(Some(Decoded::Item(request))) => Some(request),
        _ => None,
    }
}

fn a_key_stands_alone(headers: &HeaderMap) {
    let values = headers.get_all(AUTHORIZATION).count();
    match presented(headers) {
        Presented::Nothing => assert_eq!(values, 0),
        Presented::Key(_) => assert_eq!(values, 1),
        Presented::Malformed => assert!(values > 0),
    }
}

/// Whatever is wrong, the client gets JSON that says that the fault is its own.
fn is_answered(problem: RequestError) {
    let id = problem.id.clone();
    let response = problem.into_response();
    assert!(response.status().is_client_error(), "{}", response.status());
    let body = response.into_body().try_into_bytes();
    let body: Value = serde_json::from_slice(&body.unwrap()).unwrap();
    assert!(body.get("error").is_some(), "{body}");
    if let Some(id) = id {
        assert_eq!(body["id"], serde_json::to_value(id).unwrap());
    }
}

fn read(headers: &HeaderMap, body: &[u8]) -> Reached {
    let direct = DirectCall::read(headers, body);
    let message = match Message::read(headers, body) {
        Ok(message) => message,
        Err(problem) => {
            assert!(direct.is_none(), "{direct:?}");
            is_answered(problem);
            tells_no_argument(headers, body);
            return Reached::Refusal;
        }
    };
    ends_in_json(&message.envelope);
    let Ok(served) = serde_json::from_slice::<ClientJsonRpcMessage>(body) else {
        assert!(direct.is_none(), "{direct:?}");
        return Reached::Message;
    };
    is_what_is_served(&message, &served);
    let Some(call) = call_of(served) else {
        assert!(direct.is_none(), "{direct:?}");
        return Reached::Message;
    };
    if let Some(direct) = direct {
        is_the_same_call(&direct, &message, &call);
    }
    is_decided(&call);
    compiled(&call).unwrap_or(Reached::Call)
}

/// A call that is served without rmcp is the one that rmcp would have served.
fn is_the_same_call(direct: &DirectCall, message: &Message, call: &Call) {
    let envelope = &message.envelope;
    assert_eq!(message.exchange, Exchange::Stateless);
    assert_eq!(envelope.id.as_ref(), Some(&direct.id));
    assert_eq!(envelope.client, direct.client);
    assert_eq!(direct.call.tool, call.tool);
    assert_eq!(direct.call.arguments, call.arguments);
    assert_eq!(direct.call.request_id, call.request_id);
}

/// Of a call whose body is refused the audit log stores one of our verbs and an id, and nothing of what was sent.
fn tells_no_argument(headers: &HeaderMap, body: &[u8]) {
    for body in [Some(body), None] {
        if let Some(call) = refused::call_of(headers, body) {
            assert_eq!(call.arguments, serde_json::json!({}));
            assert!(call.verb().len() < 20);
        }
    }
}

/// A session that ends during the call can say so in a complete message, or says nothing.
fn ends_in_json(envelope: &Envelope) {
    let farewell = || Farewell::of(envelope);
    let instead = farewell().in_place_of_answer(CloseReason::GrantChanged, 512);
    for last in instead.iter() {
        serde_json::from_slice::<Value>(last).unwrap();
    }
    let event = farewell().last_event(CloseReason::Ended);
    assert_eq!(event.is_none(), envelope.id.is_none());
}

/// The adapter decides on what it has parsed, and rmcp serves what it has parsed: it must be the same message.
fn is_what_is_served(message: &Message, served: &ClientJsonRpcMessage) {
    let envelope = &message.envelope;
    let method = envelope.method.as_deref();
    match served {
        ClientJsonRpcMessage::Request(request) => {
            assert_eq!(method, Some(request.request.method()));
            assert_eq!(envelope.id.as_ref(), Some(&request.id));
            let version = request.request.get_meta().protocol_version();
            let named = version.as_ref().map(|version| version.as_str());
            assert_eq!(envelope.version.as_deref(), named);
            if matches!(request.request, ClientRequest::InitializeRequest(_)) {
                assert_eq!(message.exchange, Exchange::Handshake);
            }
        }
        ClientJsonRpcMessage::Notification(_) => {
            assert!(method.is_some() && envelope.id.is_none());
        }
        ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {
            assert!(method.is_none() && envelope.id.is_none());
        }
    }
}

fn call_of(message: ClientJsonRpcMessage) -> Option<Call> {
    let ClientJsonRpcMessage::Request(request) = message else {
        return None;
    };
    let id: &RequestId = &request.id;
    match request.request {
        ClientRequest::CallToolRequest(request) => Some(call::of(request.params, id)),
        ClientRequest::CustomRequest(request) if request.method == "tools/call" => {
            Some(call::misread(request.params, id))
        }
        _ => None,
    }
}

/// No call reaches a table outside its caller's grant, and refusals have a bounded length.
fn is_decided(call: &Call) {
    let finance = SectorSet::EMPTY.with(Sector::Finance);
    for sectors in [SectorSet::EMPTY, finance, SectorSet::ALL] {
        match decide(&caller(sectors), call, &time()) {
            Ok(decided) => {
                let tables = decided.tables();
                assert!(tables.iter().all(|table| sectors.contains(table.sector)));
            }
            Err(served) => {
                let words = match served.reply {
                    Reply::Answer(text) => text.to_string(),
                    Reply::Fault(words) | Reply::Failure(_, words) | Reply::UnknownTool(words) => {
                        words
                    }
                };
                let is_bounded = words.len() <= REFUSAL_BYTES_MAX || words == call.tool;
                assert!(is_bounded, "{} bytes", words.len());
                assert_eq!(
                    served.decision == Decision::Deny(words.clone().into()),
                    served.outcome.is_none()
                );
            }
        }
    }
}

/// The text of a query's statements comes from the catalogue; what the agent sent is bound.
fn compiled(call: &Call) -> Option<Reached> {
    let query = Query::parse(&call.arguments).ok()?;
    let question = check_query(&query, Uuid::nil(), &time()).ok()?;
    let exists = compile::exists(question.scope());
    let (statements, reached) = match &question {
        CheckedQuery::Groups(grouped) => (vec![compile::groups(grouped, 1000)], Reached::Groups),
        CheckedQuery::Rows(checked) => {
            let statements = vec![compile::rows(checked, 1000), compile::count(checked)];
            let reached = match checked.since {
                Some(_) => Reached::Changes,
                None => Reached::Rows,
            };
            (statements, reached)
        }
    };
    for Statement { sql, params, .. } in statements.into_iter().chain([exists]) {
        let holds = |place: usize| sql.contains(&format!("${place}"));
        assert!(sql.is_ascii() && !sql.contains(';'), "{sql}");
        assert!(holds(params.len()) && !holds(params.len() + 1), "{sql}");
    }
    Some(reached)
}

fn caller(sectors: SectorSet) -> Caller {
    Caller {
        user: Uuid::nil(),
        agent: None,
        sectors,
        expires_at: None,
    }
}

/// In the hour that Berlin has twice.
fn time() -> LocalTime {
    LocalTime {
        now: DateTime::from_timestamp(1_792_890_000, 0).unwrap(),
        zone: chrono_tz::Europe::Berlin,
    }
}
