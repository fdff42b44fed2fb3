//! The one table of error codes: what each is called, and the HTTP status that it is sent with (docs/operating.md#errors).
//!
//! Every surface reads its statuses here; `tests/it/tidy/statuses.rs` finds any other. The table has three parts, since a
//! caller meets three vocabularies: [`Code`] in a JSON body, [`TransportCode`] where HTTP has a more exact status than the
//! code's own, and [`RpcCode`] in a JSON-RPC error.

use actix_web::http::StatusCode;

/// When a caller is told to come again after a 503, in seconds.
pub(crate) const RETRY_AFTER_S: u64 = 1;

/// The codes that `error` may hold in a JSON answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// 400: the request is wrong.
    Invalid,
    /// 401: there is no key, or none that can be read.
    Unauthorized,
    /// 403: the key or the grant does not allow it.
    Forbidden,
    /// 403: the `Host` or the page that asks is not accepted.
    ForbiddenHost,
    /// 404: there is no such thing, or no such route.
    NotFound,
    /// 409: the present state does not allow it.
    Conflict,
    /// 413: the body is larger than the route takes.
    TooLarge,
    /// 415: the body is not of a type that the route takes.
    UnsupportedMediaType,
    /// 429: as many requests are under way as may be.
    RateLimited,
    /// 500: the service failed; its log says why.
    Internal,
    /// 502: a source outside did not answer.
    ProviderError,
    /// 503: not now; the same request may be repeated.
    Unavailable,
}

impl Code {
    /// The code as it is sent.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The status that it is sent with.
    pub const fn status(self) -> StatusCode {
        self.row().1
    }

    /// The code as it is sent, and the status it is sent with.
    pub const fn row(self) -> (&'static str, StatusCode) {
        match self {
            Code::Invalid => ("invalid", StatusCode::BAD_REQUEST),
            Code::Unauthorized => ("unauthorized", StatusCode::UNAUTHORIZED),
            Code::Forbidden => ("forbidden", StatusCode::FORBIDDEN),
            Code::ForbiddenHost => ("forbidden_host", StatusCode::FORBIDDEN),
            Code::NotFound => ("not_found", StatusCode::NOT_FOUND),
            Code::Conflict => ("conflict", StatusCode::CONFLICT),
            Code::TooLarge => ("too_large", StatusCode::PAYLOAD_TOO_LARGE),
            Code::UnsupportedMediaType => {
                ("unsupported_media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE)
            }
            Code::RateLimited => ("rate_limited", StatusCode::TOO_MANY_REQUESTS),
            Code::Internal => ("internal", StatusCode::INTERNAL_SERVER_ERROR),
            Code::ProviderError => ("provider_error", StatusCode::BAD_GATEWAY),
            Code::Unavailable => ("unavailable", StatusCode::SERVICE_UNAVAILABLE),
        }
    }
}

/// The codes of the agent port before a message has been read: a JSON answer, whose status may be more exact than its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransportCode {
    /// The code with its own status.
    Plain(Code),
    /// 405: the method is not served.
    MethodNotAllowed,
    /// 408: the body did not arrive, or not in time.
    RequestTimeout,
    /// 431: the headers are too many or too long.
    HeadersTooLarge,
}

impl TransportCode {
    /// The code as it is sent, and the status it is sent with.
    pub(crate) const fn row(self) -> (&'static str, StatusCode) {
        match self {
            TransportCode::Plain(code) => code.row(),
            TransportCode::MethodNotAllowed => {
                (Code::Invalid.name(), StatusCode::METHOD_NOT_ALLOWED)
            }
            TransportCode::RequestTimeout => (Code::Invalid.name(), StatusCode::REQUEST_TIMEOUT),
            TransportCode::HeadersTooLarge => (
                Code::TooLarge.name(),
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            ),
        }
    }
}

/// The codes of the JSON-RPC errors that the agent port answers itself (those of JSON-RPC 2.0, and MCP's own). Those of a message
/// that rmcp serves are rmcp's, with their statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RpcCode {
    /// The body is not JSON.
    ParseError,
    /// The body is no message that is served.
    InvalidRequest,
    /// The params are not what the method takes.
    InvalidParams,
    /// A header contradicts the message (MCP 2026-07-28).
    HeaderMismatch,
    /// The protocol version is not served (MCP 2026-07-28).
    UnsupportedVersion,
    /// No such session. MCP gives it the status 404, upon which a client sends `initialize` again.
    SessionUnknown,
    /// The session behind a call was ended (docs/asking.md#when-a-grant-changes). Never a 401, which would start a sign-in
    /// in hosted clients.
    SessionClosed,
    /// No session can be had right now.
    Busy,
}

impl RpcCode {
    /// `error.code`, and the status of an answer that is this error alone. The service's own codes lie outside the range that
    /// JSON-RPC reserves.
    pub(crate) const fn row(self) -> (i32, StatusCode) {
        match self {
            RpcCode::ParseError => (-32_700, StatusCode::BAD_REQUEST),
            RpcCode::InvalidRequest => (-32_600, StatusCode::BAD_REQUEST),
            RpcCode::InvalidParams => (-32_602, StatusCode::BAD_REQUEST),
            RpcCode::HeaderMismatch => (-32_020, StatusCode::BAD_REQUEST),
            RpcCode::UnsupportedVersion => (-32_022, StatusCode::BAD_REQUEST),
            RpcCode::SessionUnknown => (-32_600, StatusCode::NOT_FOUND),
            RpcCode::SessionClosed => (-31_001, StatusCode::OK),
            RpcCode::Busy => (-31_002, StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// `error.code`.
    pub(crate) const fn number(self) -> i32 {
        self.row().0
    }

    /// The status of an answer that is this error alone.
    pub(crate) const fn status(self) -> StatusCode {
        self.row().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_codes_lie_outside_what_json_rpc_reserves() {
        for code in [RpcCode::SessionClosed, RpcCode::Busy] {
            assert!(!(-32_768..=-32_000).contains(&code.number()));
        }
    }
}
