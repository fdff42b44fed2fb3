//! What the bridge answers programs: JSON, and errors in the form of OAuth (RFC 6749 §5.2). The one place where an error becomes an answer.

use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use serde_json::{Value, json};

use crate::bridge::{BridgeError, MetadataFault, TokenFault, TooOften};
use crate::http::code::{Code, RETRY_AFTER_S};
use crate::http::problem::Problem;

/// Why a request is not served.
#[derive(Debug)]
pub(super) enum BridgeProblem {
    /// It did not come by the public address.
    NotHere,
    TooOften(TooOften),
    /// Its body is too large, or of another type.
    Unreadable(Problem),
    Registration(MetadataFault),
    Token(TokenFault),
    /// The service failed.
    Failed(BridgeError),
    /// The work broke off; the log says why.
    Broken,
}

/// A JSON answer that nobody may keep (RFC 6749 §5.1); the head check says so of every answer of the port.
pub(super) fn json_answer(
    mut response: actix_web::HttpResponseBuilder,
    body: &Value,
) -> HttpResponse {
    response
        .insert_header((header::PRAGMA, "no-cache"))
        .json(body)
}

impl BridgeProblem {
    fn code(&self) -> Code {
        match self {
            Self::NotHere => Code::NotFound,
            Self::TooOften(_) => Code::RateLimited,
            Self::Unreadable(problem) => problem.code,
            Self::Token(TokenFault::UnknownClient) => Code::Unauthorized,
            Self::Registration(_) | Self::Token(_) => Code::Invalid,
            Self::Failed(BridgeError::NoRandomness) | Self::Broken => Code::Internal,
            Self::Failed(BridgeError::Store(_) | BridgeError::Full) => Code::Unavailable,
        }
    }

    fn error(&self) -> &'static str {
        match self {
            Self::NotHere => Code::NotFound.name(),
            Self::TooOften(_) | Self::Failed(_) | Self::Broken => "temporarily_unavailable",
            Self::Unreadable(_) => "invalid_request",
            Self::Registration(fault) => fault.error(),
            Self::Token(fault) => fault.error(),
        }
    }

    fn about(&self) -> String {
        match self {
            Self::NotHere => "agents are served at /mcp".to_owned(),
            Self::TooOften(_) => "too many requests in a minute: retry later".to_owned(),
            Self::Unreadable(problem) => problem.to_string(),
            Self::Registration(fault) => fault.to_string(),
            Self::Token(fault) => fault.about(),
            Self::Failed(_) | Self::Broken => {
                "the service cannot do this now: retry shortly".to_owned()
            }
        }
    }

    /// After how many seconds the caller may come again.
    fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::TooOften(TooOften(wait)) => Some(wait.as_secs() + 1),
            Self::Failed(_) => Some(RETRY_AFTER_S),
            _ => None,
        }
    }
}

impl fmt::Display for BridgeProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.error(), self.about())
    }
}

impl ResponseError for BridgeProblem {
    fn status_code(&self) -> StatusCode {
        self.code().status()
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        if let Self::Failed(cause) = self {
            log::warn!("a request of the OAuth bridge failed: {cause}");
        }
        let mut response = HttpResponse::build(self.status_code());
        if let Some(seconds) = self.retry_after_s() {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        let body = match self {
            Self::NotHere => json!({ "error": self.error(), "message": self.about() }),
            _ => json!({ "error": self.error(), "error_description": self.about() }),
        };
        json_answer(response, &body)
    }
}

impl From<BridgeError> for BridgeProblem {
    fn from(cause: BridgeError) -> Self {
        Self::Failed(cause)
    }
}

impl From<Problem> for BridgeProblem {
    fn from(problem: Problem) -> Self {
        Self::Unreadable(problem)
    }
}
