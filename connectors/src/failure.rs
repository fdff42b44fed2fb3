//! How a source can fail, as values. What follows from each (wait, ask the person, read everything anew) is decided elsewhere.

mod retry_after;
mod source_text;

use std::fmt;

pub use retry_after::RetryAfter;
pub(crate) use source_text::clean as clean_source_text;

/// One failure, as it is kept for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFailure {
    /// What it means.
    pub kind: FailureKind,
    /// The status of the answer, where the protocol has one.
    pub status: Option<u16>,
    /// The earliest time at which the source wants to be asked again.
    pub retry_after: Option<RetryAfter>,
    /// Nothing of the request has left: it may be sent again, whatever it was.
    pub is_unsent: bool,
    /// A sentence, with at most [`crate::limits::SOURCE_TEXT_CHARACTERS_MAX`] characters of the source's own.
    pub message: String,
}

/// The table of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The source did not take the credential.
    CredentialRefused,
    /// The provider has ended the sign-in: the person must sign in again.
    SignInEnded,
    /// There is nothing to ask the source with: it was never entered here, or its key is lost.
    CredentialMissing,
    /// The source asks for fewer requests.
    RateLimited,
    /// No answer, or one that says the trouble is the source's own and passes.
    Unavailable,
    /// An answer that is none of its protocol.
    Malformed,
    /// An answer longer than its limit.
    TooLarge,
    /// An address, of a setting or of an answer, to which nothing may be sent.
    ForbiddenAddress,
    /// What was asked for is not there.
    NotFound,
    /// The position to go on from means nothing to the source any more: everything is to be read anew.
    PositionLost,
    /// The source refused what was asked, for a reason of its own.
    Rejected,
}

impl SourceFailure {
    /// A failure in this crate's own words.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            retry_after: None,
            is_unsent: false,
            message: message.into(),
        }
    }

    /// What a status other than success says, with the source's own words if it has any.
    pub fn of_status(status: u16, retry_after: Option<RetryAfter>, said: &str) -> Self {
        let kind = match status {
            401 => FailureKind::CredentialRefused,
            404 | 410 => FailureKind::NotFound,
            429 => FailureKind::RateLimited,
            408 | 425 | 500..=599 => FailureKind::Unavailable,
            400..=499 => FailureKind::Rejected,
            _ => FailureKind::Malformed,
        };
        let message = match kind {
            FailureKind::CredentialRefused => {
                format!("the source did not take the credential ({status})")
            }
            _ => format!("the source answered {status}"),
        };
        let failure = Self {
            kind,
            status: Some(status),
            retry_after,
            is_unsent: false,
            message,
        };
        failure.with_words(said)
    }

    /// A failure before anything of the request has left.
    pub(crate) fn unsent(self) -> Self {
        Self {
            is_unsent: true,
            ..self
        }
    }

    /// The same failure in this crate's own words, before those of the source.
    pub(crate) fn in_words(mut self, message: &str, said: &str) -> Self {
        message.clone_into(&mut self.message);
        self.with_words(said)
    }

    /// The same failure with the source's own words.
    pub fn with_words(mut self, said: &str) -> Self {
        let said = source_text::clean(said);
        if !said.is_empty() {
            self.message = format!("{}: {said}", self.message);
        }
        self
    }
}

impl fmt::Display for SourceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SourceFailure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_one_meaning() {
        for (status, kind) in [
            (302, FailureKind::Malformed),
            (401, FailureKind::CredentialRefused),
            (403, FailureKind::Rejected),
            (404, FailureKind::NotFound),
            (429, FailureKind::RateLimited),
            (503, FailureKind::Unavailable),
        ] {
            assert_eq!(
                SourceFailure::of_status(status, None, "").kind,
                kind,
                "{status}"
            );
        }
    }

    #[test]
    fn a_sources_words_are_cut_and_cleaned() {
        let said = format!(
            "see https://op:word@bank.example/a\u{7}b {}",
            "x".repeat(900)
        );
        let failure = SourceFailure::of_status(500, None, &said);
        assert!(!failure.message.contains("word"), "{failure}");
        assert!(!failure.message.contains('\u{7}'));
        assert!(failure.message.chars().count() < 600);
        let refused = SourceFailure::of_status(401, None, "Forbidden.");
        let expected = "the source did not take the credential (401): Forbidden";
        assert_eq!(refused.message, expected);
    }
}
