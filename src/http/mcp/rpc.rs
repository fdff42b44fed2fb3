//! The one place where a fault of the agent port becomes an HTTP answer.
//!
//! What a client of the protocol can act on is a JSON-RPC error; what happens before a message has been read is answered in
//! the words of the other surfaces (`{"error", "message"}`). rmcp's own errors pass through untouched: a client of both eras
//! recognises them.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcError};
use serde_json::json;
use sextant_actors::sessions::{CloseReason, OpenError};

use super::fault::{Fault, RequestFault};
use super::limits::{BODY_BYTES_MAX, HEAD_BYTES_MAX, MESSAGE_LEVELS_MAX, MESSAGE_VALUES_MAX};
use super::protocol::SUPPORTED_VERSIONS;
use crate::http::admission::NotAdmitted;
use crate::http::problem::{Code, RETRY_AFTER_S};

/// The session behind a call was ended (docs/asking.md#when-a-grant-changes); outside the range that JSON-RPC reserves.
pub(super) const SESSION_CLOSED: ErrorCode = ErrorCode(-31_001);
/// No session can be had right now.
const BUSY: ErrorCode = ErrorCode(-31_002);

impl RequestFault {
    /// The answer.
    pub fn into_response(self) -> HttpResponse {
        match words(&self.settled()) {
            Words::Plain(status, code, message) => plain(&self.fault, status, code, &message),
            Words::Rpc(status, error) => rpc(status, JsonRpcError::new(self.id, error)),
        }
    }

    /// A session's end is told to the request that it cut short; where there is none to answer, the session is just unknown.
    fn settled(&self) -> Fault {
        match self.fault {
            Fault::SessionClosed(_) if self.id.is_none() => Fault::SessionUnknown,
            ref fault => fault.clone(),
        }
    }
}

enum Words {
    /// Status, code and sentence of the JSON surfaces.
    Plain(StatusCode, Code, String),
    /// Status and JSON-RPC error.
    Rpc(StatusCode, ErrorData),
}

fn words(fault: &Fault) -> Words {
    before_the_message(fault).unwrap_or_else(|| in_the_protocol(fault))
}

fn before_the_message(fault: &Fault) -> Option<Words> {
    let (status, code, message) = match fault {
        Fault::ForeignHost => (
            StatusCode::FORBIDDEN,
            Code::ForbiddenHost,
            "this port answers to localhost only; connect to 127.0.0.1 or localhost".to_owned(),
        ),
        Fault::ForeignOrigin => (
            StatusCode::FORBIDDEN,
            Code::Forbidden,
            "requests of web pages from elsewhere are refused".to_owned(),
        ),
        Fault::HeadTooLarge => (
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Code::TooLarge,
            format!("the headers take more than {HEAD_BYTES_MAX} bytes"),
        ),
        Fault::NotAdmitted(
            reason @ (NotAdmitted::NoKey | NotAdmitted::MalformedKey | NotAdmitted::KeyRefused(_)),
        ) => (
            StatusCode::UNAUTHORIZED,
            Code::Unauthorized,
            reason.to_string(),
        ),
        Fault::BodyTooLarge => (
            StatusCode::PAYLOAD_TOO_LARGE,
            Code::TooLarge,
            format!("the body is larger than {BODY_BYTES_MAX} bytes"),
        ),
        Fault::BodyIncomplete => (
            StatusCode::REQUEST_TIMEOUT,
            Code::Invalid,
            "the body did not arrive completely and in time".to_owned(),
        ),
        Fault::NotDeclaredJson => (
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::UnsupportedMediaType,
            "send the message with `Content-Type: application/json`, once".to_owned(),
        ),
        Fault::Encoded => (
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::UnsupportedMediaType,
            "send the message as it is, without `Content-Encoding`".to_owned(),
        ),
        Fault::PathUnknown => (
            StatusCode::NOT_FOUND,
            Code::NotFound,
            "agents are served at /mcp".to_owned(),
        ),
        Fault::MethodNotServed => (
            StatusCode::METHOD_NOT_ALLOWED,
            Code::Invalid,
            "since 2026-07-28 there are no sessions: POST each request".to_owned(),
        ),
        Fault::MethodUnknown => (
            StatusCode::METHOD_NOT_ALLOWED,
            Code::Invalid,
            "POST a JSON-RPC message".to_owned(),
        ),
        _ => return None,
    };
    Some(Words::Plain(status, code, message))
}

fn in_the_protocol(fault: &Fault) -> Words {
    let (status, error) = match fault {
        Fault::NotJson => (
            StatusCode::BAD_REQUEST,
            ErrorData::parse_error("the body is not JSON", None),
        ),
        Fault::Batch => invalid("batches are not served: send one message a request"),
        Fault::TooManyValues => invalid(format!(
            "the message holds more than {MESSAGE_VALUES_MAX} values"
        )),
        Fault::TooDeep => invalid(format!(
            "the message nests deeper than {MESSAGE_LEVELS_MAX} levels"
        )),
        Fault::NotAMessage(why) => invalid(*why),
        Fault::SessionMissing => {
            invalid("the Mcp-Session-Id header is missing: send `initialize` first")
        }
        Fault::SessionUnknown => (
            StatusCode::NOT_FOUND,
            ErrorData::invalid_request(
                "no such session: send `initialize` again, without an id",
                None,
            ),
        ),
        Fault::MalformedMeta => (
            StatusCode::BAD_REQUEST,
            ErrorData::invalid_params("params._meta is not an object", None),
        ),
        Fault::MalformedHandshake => (
            StatusCode::BAD_REQUEST,
            ErrorData::invalid_params(
                "`initialize` is a request with protocolVersion, capabilities and clientInfo {name, version}",
                None,
            ),
        ),
        Fault::RepeatedHeader(name) => (
            StatusCode::BAD_REQUEST,
            ErrorData::header_mismatch(format!("the header {name} stands more than once"), None),
        ),
        Fault::UnsupportedVersion(requested) => (StatusCode::BAD_REQUEST, unsupported(requested)),
        Fault::SessionClosed(reason) => (StatusCode::OK, session_closed(*reason)),
        Fault::NotAdmitted(NotAdmitted::NoSession(OpenError::Full)) => {
            unavailable("the agent has as many busy sessions as it may have: retry shortly")
        }
        Fault::NotAdmitted(NotAdmitted::Crowded) => unavailable(NotAdmitted::Crowded.to_string()),
        _ => unavailable("the service takes no sessions now: retry shortly"),
    };
    Words::Rpc(status, error)
}

fn invalid(why: impl Into<Cow<'static, str>>) -> (StatusCode, ErrorData) {
    (
        StatusCode::BAD_REQUEST,
        ErrorData::invalid_request(why, None),
    )
}

fn unavailable(why: impl Into<Cow<'static, str>>) -> (StatusCode, ErrorData) {
    (
        StatusCode::SERVICE_UNAVAILABLE,
        ErrorData::new(BUSY, why, None),
    )
}

fn unsupported(requested: &str) -> ErrorData {
    let supported: Vec<&str> = SUPPORTED_VERSIONS
        .iter()
        .map(|version| version.as_str())
        .collect();
    ErrorData::new(
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        "the protocol version is not supported",
        Some(json!({ "supported": supported, "requested": requested })),
    )
}

/// What a call under way is told when its session ends. Never a 401: that would start a sign-in in hosted clients.
pub(super) fn session_closed(reason: CloseReason) -> ErrorData {
    let message = match reason {
        CloseReason::GrantChanged => "grant changed, retry",
        CloseReason::Ended | CloseReason::Idle => "the session has ended, retry in a new one",
        CloseReason::Stopped => "the service is stopping, retry later",
    };
    ErrorData::new(SESSION_CLOSED, message, None)
}

fn plain(fault: &Fault, status: StatusCode, code: Code, message: &str) -> HttpResponse {
    let mut answer = HttpResponse::build(status);
    if let Some(challenge) = challenge(fault) {
        answer.insert_header((header::WWW_AUTHENTICATE, challenge));
    }
    if let Some(methods) = allowed(fault) {
        answer.insert_header((header::ALLOW, methods));
    }
    answer.json(json!({ "error": code.name(), "message": message }))
}

/// What a 405 must name (RFC 9110 §15.5.6).
fn allowed(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::MethodNotServed => Some("POST"),
        Fault::MethodUnknown => Some("POST, GET, DELETE"),
        _ => None,
    }
}

/// The challenge of RFC 6750 §3: no error is named to someone who presented nothing.
fn challenge(fault: &Fault) -> Option<String> {
    match fault {
        Fault::NotAdmitted(NotAdmitted::NoKey) => Some("Bearer".to_owned()),
        Fault::NotAdmitted(NotAdmitted::MalformedKey) => {
            Some(r#"Bearer error="invalid_token", error_description="not a bearer key""#.to_owned())
        }
        Fault::NotAdmitted(NotAdmitted::KeyRefused(refusal)) => Some(format!(
            r#"Bearer error="invalid_token", error_description="{refusal}""#
        )),
        _ => None,
    }
}

fn rpc(status: StatusCode, error: JsonRpcError) -> HttpResponse {
    let mut answer = HttpResponse::build(status);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        answer.insert_header((header::RETRY_AFTER, RETRY_AFTER_S));
    }
    answer.json(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_actors::domain::Refusal;

    #[test]
    fn a_challenge_names_an_error_only_to_who_presented_a_key() {
        let challenge_of = |reason: NotAdmitted| challenge(&reason.into());
        assert_eq!(challenge_of(NotAdmitted::NoKey).unwrap(), "Bearer");
        assert_eq!(
            challenge_of(NotAdmitted::KeyRefused(Refusal::Revoked)).unwrap(),
            r#"Bearer error="invalid_token", error_description="revoked""#
        );
        assert_eq!(challenge(&Fault::Batch), None);
    }

    #[test]
    fn our_own_codes_lie_outside_what_json_rpc_reserves() {
        for ErrorCode(code) in [SESSION_CLOSED, BUSY] {
            assert!(!(-32_768..=-32_000).contains(&code));
        }
    }
}
