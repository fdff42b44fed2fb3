//! The answers to a push that was refused; statuses are those of `http::code`.

use std::io::ErrorKind;

use actix_web::{HttpResponse, HttpResponseBuilder};
use serde_json::json;

use crate::db::StoreError;
use crate::http::code::Code;
use crate::ingest::{PushRefusal, RecordProblem, StoreFailure, Unreadable};

/// The one answer to every push without the right secret (r083).
pub(super) const UNAUTHORIZED: &str = r#"{"error":"unauthorized"}"#;

/// Why an admitted push stored nothing: a code, a sentence, and the records at fault, where they are known.
#[derive(Debug)]
pub(super) struct PushFailure {
    code: Code,
    message: String,
    problems: Vec<RecordProblem>,
}

impl PushFailure {
    /// A failure with this code and sentence.
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            problems: Vec::new(),
        }
    }

    /// Records cannot be stored; which, and why.
    pub(super) fn invalid(problems: Vec<RecordProblem>) -> Self {
        let message = "nothing was stored: mend the records listed, or send `?partial=true` to store the others";
        Self {
            code: Code::Invalid,
            message: message.to_owned(),
            problems,
        }
    }

    /// The body is larger than `bytes_max`, sent or decoded.
    pub(super) fn too_large(bytes_max: u64) -> Self {
        Self::new(
            Code::TooLarge,
            format!("a push may have {bytes_max} bytes, sent and decoded; cut it into several"),
        )
    }

    /// Status line and body.
    pub(super) fn parts(&self) -> (HttpResponseBuilder, String) {
        let (code, status) = self.code.row();
        let mut body = json!({ "error": code, "message": self.message });
        if let (false, Some(members)) = (self.problems.is_empty(), body.as_object_mut()) {
            members.insert("problems".to_owned(), json!(self.problems));
        }
        (HttpResponse::build(status), body.to_string())
    }

    /// The failure as it is kept, with the first record at fault.
    pub(super) fn to_refusal(&self) -> PushRefusal {
        PushRefusal {
            error: self.code.name(),
            message: self.message.clone(),
            problem: self.problems.first().cloned(),
        }
    }

    /// The body cannot be read.
    pub(super) fn of_body(error: Unreadable, bytes_max: u64) -> Self {
        match error {
            Unreadable::TooLarge => Self::too_large(bytes_max),
            Unreadable::Malformed(_) => Self::new(Code::Invalid, error.to_string()),
            Unreadable::Spool(cause) => Self::local(&cause),
        }
    }

    /// The records were not stored.
    pub(super) fn of_store(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Spool(Unreadable::Spool(cause)) => Self::local(&cause),
            StoreFailure::Spool(cause) => Self::new(Code::Internal, cause.to_string()),
            StoreFailure::Refused(problems) => Self::invalid(problems),
            StoreFailure::Removed => Self::new(
                Code::Conflict,
                "the connection was removed while the push was under way; nothing was stored",
            ),
            StoreFailure::Store(StoreError::FateUnknown { .. }) => Self::new(
                Code::Unavailable,
                "the database went away while storing; send the push again, it is stored once",
            ),
            StoreFailure::Store(cause) if cause.is_transient() => Self::new(
                Code::Unavailable,
                "the database cannot be reached; nothing was stored, send the push again later",
            ),
            StoreFailure::Store(cause) => {
                log::error!("a push was not stored: {cause}");
                Self::new(
                    Code::Internal,
                    "the push was not stored; the service's log says why",
                )
            }
        }
    }

    /// A spool file of this process could not be written or read; the log says why.
    pub(super) fn local(cause: &std::io::Error) -> Self {
        log::error!("a push could not be spooled: {cause}");
        if matches!(
            cause.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded
        ) {
            return Self::new(
                Code::Unavailable,
                "the disk of the data directory is full; nothing was stored, send the push again when there is room",
            );
        }
        Self::new(
            Code::Internal,
            "the push could not be spooled here; the service's log says why",
        )
    }
}
