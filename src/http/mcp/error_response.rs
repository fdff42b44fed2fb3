//! The one place where an error of the agent port becomes an HTTP answer; codes and statuses are those of `http::code`.
//!
//! What a client of the protocol can act on is a JSON-RPC error; what happens before a message has been read is answered in
//! the form of the other surfaces (`{"error", "message"}`). rmcp's own errors pass through unchanged: a client of both eras
//! recognises them.

use std::borrow::Cow;

use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcError};
use serde_json::{Value, json};
use sextant_actors::sessions::{CloseReason, OpenError};

use super::error::{McpError, RequestError};
use super::limits::{BODY_BYTES_MAX, HEAD_BYTES_MAX, MESSAGE_LEVELS_MAX, MESSAGE_VALUES_MAX};
use super::protocol::SUPPORTED_VERSIONS;
use crate::http::admission::NotAdmitted;
use crate::http::code::{Code, RETRY_AFTER_S, RpcCode, TransportCode};

type Text = Cow<'static, str>;

/// Gives the answer to a call that was turned away the status that clients and proxies understand.
pub(super) fn mark_turned_away(response: &mut HttpResponseBuilder) {
    response.status(Code::Unavailable.status());
    response.insert_header((header::RETRY_AFTER, RETRY_AFTER_S));
}

impl RequestError {
    /// The answer.
    pub fn into_response(self) -> HttpResponse {
        let error = self.answerable();
        if let Some((code, message)) = transport_error(&error) {
            return transport_response(&error, code, &message);
        }
        let (code, message) = rpc_error(&error);
        rpc_response(
            code,
            JsonRpcError::new(self.id, error_data(code, message, rpc_data(&error))),
        )
    }

    /// The end of a session answers the request that it cut short; without a request to answer, the session is just unknown.
    fn answerable(&self) -> McpError {
        match self.error {
            McpError::SessionClosed(_) if self.id.is_none() => McpError::SessionUnknown,
            ref error => error.clone(),
        }
    }
}

/// Code and message of an error that comes before a message has been read.
fn transport_error(error: &McpError) -> Option<(TransportCode, Text)> {
    let plain = TransportCode::Plain;
    Some(match error {
        McpError::ForeignHost => (
            plain(Code::ForbiddenHost),
            "this port answers to localhost only; connect to 127.0.0.1 or localhost".into(),
        ),
        McpError::ForeignOrigin => (
            plain(Code::Forbidden),
            "requests of web pages from elsewhere are refused".into(),
        ),
        McpError::HeadTooLarge => (
            TransportCode::HeadersTooLarge,
            format!("the headers take more than {HEAD_BYTES_MAX} bytes").into(),
        ),
        McpError::NotAdmitted(
            reason @ (NotAdmitted::NoKey | NotAdmitted::MalformedKey | NotAdmitted::KeyRefused(_)),
        ) => (plain(Code::Unauthorized), reason.to_string().into()),
        McpError::BodyTooLarge => (
            plain(Code::TooLarge),
            format!("the body is larger than {BODY_BYTES_MAX} bytes").into(),
        ),
        McpError::BodyIncomplete => (
            TransportCode::RequestTimeout,
            "the body did not arrive completely and in time".into(),
        ),
        McpError::NotDeclaredJson => (
            plain(Code::UnsupportedMediaType),
            "send the message with `Content-Type: application/json`, once".into(),
        ),
        McpError::Encoded => (
            plain(Code::UnsupportedMediaType),
            "send the message as it is, without `Content-Encoding`".into(),
        ),
        McpError::PathUnknown => (plain(Code::NotFound), "agents are served at /mcp".into()),
        McpError::MethodNotServed => (
            TransportCode::MethodNotAllowed,
            "since 2026-07-28 there are no sessions: POST each request".into(),
        ),
        McpError::MethodUnknown => (
            TransportCode::MethodNotAllowed,
            "POST a JSON-RPC message".into(),
        ),
        _ => return None,
    })
}

/// Code and message of every other error.
fn rpc_error(error: &McpError) -> (RpcCode, Text) {
    match error {
        McpError::NotJson => (RpcCode::ParseError, "the body is not JSON".into()),
        McpError::Batch => (
            RpcCode::InvalidRequest,
            "batches are not served: send one message a request".into(),
        ),
        McpError::TooManyValues => (
            RpcCode::InvalidRequest,
            format!("the message holds more than {MESSAGE_VALUES_MAX} values").into(),
        ),
        McpError::TooDeep => (
            RpcCode::InvalidRequest,
            format!("the message nests deeper than {MESSAGE_LEVELS_MAX} levels").into(),
        ),
        McpError::NotAMessage(why) => (RpcCode::InvalidRequest, (*why).into()),
        McpError::SessionMissing => (
            RpcCode::InvalidRequest,
            "the Mcp-Session-Id header is missing: send `initialize` first".into(),
        ),
        McpError::SessionUnknown => (
            RpcCode::SessionUnknown,
            "no such session: send `initialize` again, without an id".into(),
        ),
        McpError::MalformedMeta => (
            RpcCode::InvalidParams,
            "params._meta is not an object".into(),
        ),
        McpError::MalformedHandshake => (
            RpcCode::InvalidParams,
            "`initialize` is a request with protocolVersion, capabilities and clientInfo {name, version}".into(),
        ),
        McpError::RepeatedHeader(name) => (
            RpcCode::HeaderMismatch,
            format!("the header {name} stands more than once").into(),
        ),
        McpError::UnsupportedVersion(_) => (
            RpcCode::UnsupportedVersion,
            "the protocol version is not supported".into(),
        ),
        McpError::SessionClosed(reason) => (RpcCode::SessionClosed, closed_message(*reason).into()),
        McpError::NotAdmitted(NotAdmitted::NoSession(OpenError::Full)) => (
            RpcCode::Busy,
            "the agent has as many busy sessions as it may have: retry shortly".into(),
        ),
        McpError::NotAdmitted(NotAdmitted::Crowded) => {
            (RpcCode::Busy, NotAdmitted::Crowded.to_string().into())
        }
        _ => (
            RpcCode::Busy,
            "the service takes no sessions now: retry shortly".into(),
        ),
    }
}

/// `error.data`: the versions that a client may choose from.
fn rpc_data(error: &McpError) -> Option<Value> {
    let McpError::UnsupportedVersion(requested) = error else {
        return None;
    };
    let supported: Vec<&str> = SUPPORTED_VERSIONS
        .iter()
        .map(|version| version.as_str())
        .collect();
    Some(json!({ "supported": supported, "requested": requested }))
}

const fn closed_message(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::GrantChanged => "grant changed, retry",
        CloseReason::Ended | CloseReason::Idle => "the session has ended, retry in a new one",
        CloseReason::Stopped => "the service is stopping, retry later",
    }
}

/// The JSON-RPC error of a call under way whose session ends.
pub(super) fn session_closed(reason: CloseReason) -> ErrorData {
    error_data(RpcCode::SessionClosed, closed_message(reason).into(), None)
}

fn error_data(code: RpcCode, message: Text, data: Option<Value>) -> ErrorData {
    ErrorData::new(ErrorCode(code.number()), message, data)
}

fn transport_response(error: &McpError, code: TransportCode, message: &str) -> HttpResponse {
    let (name, status) = code.row();
    let mut answer = HttpResponse::build(status);
    if let Some(challenge) = challenge(error) {
        answer.insert_header((header::WWW_AUTHENTICATE, challenge));
    }
    if let Some(methods) = allowed_methods(error) {
        answer.insert_header((header::ALLOW, methods));
    }
    answer.json(json!({ "error": name, "message": message }))
}

fn rpc_response(code: RpcCode, error: JsonRpcError) -> HttpResponse {
    let mut answer = HttpResponse::build(code.status());
    if code == RpcCode::Busy {
        answer.insert_header((header::RETRY_AFTER, RETRY_AFTER_S));
    }
    answer.json(error)
}

/// What a 405 must name (RFC 9110 §15.5.6).
const fn allowed_methods(error: &McpError) -> Option<&'static str> {
    match error {
        McpError::MethodNotServed => Some("POST"),
        McpError::MethodUnknown => Some("POST, GET, DELETE"),
        _ => None,
    }
}

/// The challenge of RFC 6750 §3, which names no error to a caller that presented no key.
fn challenge(error: &McpError) -> Option<String> {
    match error {
        McpError::NotAdmitted(NotAdmitted::NoKey) => Some("Bearer".to_owned()),
        McpError::NotAdmitted(NotAdmitted::MalformedKey) => {
            Some(r#"Bearer error="invalid_token", error_description="not a bearer key""#.to_owned())
        }
        McpError::NotAdmitted(NotAdmitted::KeyRefused(refusal)) => Some(format!(
            r#"Bearer error="invalid_token", error_description="{refusal}""#
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_actors::domain::KeyRefusal;

    #[test]
    fn a_challenge_names_an_error_only_to_who_presented_a_key() {
        let challenge_of = |reason: NotAdmitted| challenge(&reason.into());
        assert_eq!(challenge_of(NotAdmitted::NoKey).unwrap(), "Bearer");
        assert_eq!(
            challenge_of(NotAdmitted::KeyRefused(KeyRefusal::Revoked)).unwrap(),
            r#"Bearer error="invalid_token", error_description="revoked""#
        );
        assert_eq!(challenge(&McpError::Batch), None);
    }

    #[test]
    fn the_protocols_codes_are_those_that_rmcp_knows() {
        for (code, known) in [
            (RpcCode::ParseError, ErrorCode::PARSE_ERROR),
            (RpcCode::InvalidRequest, ErrorCode::INVALID_REQUEST),
            (RpcCode::SessionUnknown, ErrorCode::INVALID_REQUEST),
            (RpcCode::InvalidParams, ErrorCode::INVALID_PARAMS),
            (RpcCode::HeaderMismatch, ErrorCode::HEADER_MISMATCH),
            (
                RpcCode::UnsupportedVersion,
                ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
            ),
        ] {
            assert_eq!(code.number(), known.0, "{code:?}");
        }
    }
}
