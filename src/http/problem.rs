//! What a JSON route answers when it refuses or fails: a code of the table in `code`, a sentence, perhaps a field.
//!
//! A problem never carries a key, a secret or a value that was sent: only names of fields and what to do.

use std::borrow::Cow;
use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::{StatusCode, header, header::ContentType};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::grants::EditError;
use sextant_actors::random;

use super::code::RETRY_AFTER_S;
use super::schema::{object, one_of, text};
use crate::db::StoreError;

pub(crate) use super::code::Code;

/// A refusal or failure as the caller reads it: `{"error", "message", "field"?}`.
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

    /// The JSON body.
    pub(crate) fn json(&self) -> String {
        let body = ProblemBody {
            error: self.code.name(),
            message: &self.message,
            field: self.field.as_deref(),
        };
        // Cannot fail: a struct of texts has no map with keys that are no texts, and nothing that refuses to be written.
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
struct ProblemBody<'problem> {
    error: &'static str,
    message: &'problem str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'problem str>,
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        match self.code {
            // RFC 9110 §15.5.2; a JSON route accepts no key but a bearer key.
            Code::Unauthorized => response.insert_header((header::WWW_AUTHENTICATE, "Bearer")),
            Code::Unavailable => response.insert_header((header::RETRY_AFTER, RETRY_AFTER_S)),
            _ => &mut response,
        };
        response.content_type(ContentType::json()).body(self.json())
    }
}

/// The JSON Schema of a problem with one of these codes.
pub(crate) fn schema(codes: &[&str]) -> Value {
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
