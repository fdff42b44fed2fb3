//! What a JSON route answers when it does not do what it was asked: a code, a sentence, perhaps a field.
//!
//! The table of codes and statuses stands here and nowhere else (docs/operating.md#errors). A problem never carries a key, a secret or
//! a value that was sent: only names of fields and what to do.

use std::borrow::Cow;
use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::{StatusCode, header, header::ContentType};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::grants::EditError;
use sextant_actors::random;

use super::schema::{object, one_of, text};
use crate::db::StoreError;

/// When a caller is told to come again after a 503, in seconds.
pub(crate) const RETRY_AFTER_S: u64 = 1;

/// The codes that `error` may hold.
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
    /// 409: what is there does not allow it.
    Conflict,
    /// 413: the body is larger than the route takes.
    TooLarge,
    /// 415: the body is not of a type that the route takes.
    UnsupportedMediaType,
    /// 429: as many are under way as may be.
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

/// A refusal or failure as the caller reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    message: Cow<'static, str>,
    field: Option<Cow<'static, str>>,
}

impl Problem {
    /// A problem with a sentence that says what to do.
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            field: None,
        }
    }

    /// A field of the request that cannot be taken as it is.
    pub(crate) fn invalid(
        field: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code: Code::Invalid,
            message: message.into(),
            field: Some(field.into()),
        }
    }

    /// The body that it is answered with.
    pub(crate) fn json(&self) -> String {
        let body = Body {
            error: self.code.name(),
            message: &self.message,
            field: self.field.as_deref(),
        };
        // Texts alone are always written.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Problem {}

#[derive(Serialize)]
struct Body<'problem> {
    error: &'static str,
    message: &'problem str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'problem str>,
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code.row().1
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        match self.code {
            // RFC 9110 §15.5.2; the one key that a JSON route asks for is a bearer's.
            Code::Unauthorized => response.insert_header((header::WWW_AUTHENTICATE, "Bearer")),
            Code::Unavailable => response.insert_header((header::RETRY_AFTER, RETRY_AFTER_S)),
            _ => &mut response,
        };
        response.content_type(ContentType::json()).body(self.json())
    }
}

/// The JSON Schema of a problem with one of these codes.
pub fn schema(codes: &[&str]) -> Value {
    object([
        ("error", one_of(codes)),
        ("message", text()),
        ("field?", text()),
    ])
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        log::warn!("a statement of the Console failed: {error}");
        match error {
            StoreError::Unavailable { .. } | StoreError::Busy | StoreError::Conflict => Self::new(
                Code::Unavailable,
                "the database cannot be reached now; nothing was changed, try again",
            ),
            StoreError::FateUnknown { .. } => Self::new(
                Code::Unavailable,
                "the database's answer was lost; look whether the change was made before you repeat it",
            ),
            StoreError::Cancelled
            | StoreError::Rejected { .. }
            | StoreError::UnexpectedRows { .. }
            | StoreError::Fault { .. } => Self::new(
                Code::Internal,
                "the service failed at this; nothing was changed, and its log says why",
            ),
        }
    }
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        let code = match error {
            EditError::NotFound => Code::NotFound,
            EditError::DeadlinePassed => Code::Conflict,
            EditError::Unavailable | EditError::FateUnknown => Code::Unavailable,
        };
        Self::new(code, error.to_string())
    }
}

impl From<random::Unavailable> for Problem {
    fn from(error: random::Unavailable) -> Self {
        Self::new(Code::Internal, error.to_string())
    }
}
