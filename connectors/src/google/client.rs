//! Requests to Google, and what its refusals mean.

use reqwest::header::HeaderMap;
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;

use crate::bearer::BearerClient;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpAnswer;

/// Calendar, version 3: its own documents' `rootUrl` and `servicePath`.
const CALENDAR: &str = "https://www.googleapis.com/calendar/v3/";
/// People, version 1.
const PEOPLE: &str = "https://people.googleapis.com/v1/";
/// Reasons of a 403 that ask for fewer requests (Calendar, "Handle API errors").
const RATES: [&str; 5] = [
    "rateLimitExceeded",
    "userRateLimitExceeded",
    "quotaExceeded",
    "dailyLimitExceeded",
    "RATE_LIMIT_EXCEEDED",
];
/// Reasons that a token of a list is none any more: of a 410 of Calendar, of a 400 of People.
const LOST: [&str; 3] = [
    "fullSyncRequired",
    "updatedMinTooLongAgo",
    "EXPIRED_SYNC_TOKEN",
];

/// Asks as the one who signed in.
#[derive(Clone)]
pub(super) struct GoogleClient {
    bearer: BearerClient,
}

/// Which of the two services is asked.
#[derive(Clone, Copy)]
pub(super) enum GoogleService {
    Calendar,
    People,
}

impl GoogleClient {
    pub(super) const fn new(bearer: BearerClient) -> Self {
        Self { bearer }
    }

    /// The answer to a question, as JSON.
    ///
    /// # Errors
    /// [`FailureKind::PositionLost`] if the question bears a token of a list that is none any more; else what the refusal says.
    pub(super) async fn ask(
        &self,
        service: GoogleService,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Value, SourceFailure> {
        let address = service.address(path, query)?;
        let answer = self.bearer.get(&address, HeaderMap::new()).await?;
        if answer.status != StatusCode::OK {
            return Err(refusal(&answer));
        }
        serde_json::from_slice(&answer.body)
            .ok()
            .filter(Value::is_object)
            .ok_or_else(|| malformed("the source answered something that is no object of JSON"))
    }
}

impl GoogleService {
    /// An address of its own making; each segment is one, whatever it holds.
    fn address(self, path: &[&str], query: &[(&str, &str)]) -> Result<Url, SourceFailure> {
        let base = match self {
            Self::Calendar => CALENDAR,
            Self::People => PEOPLE,
        };
        let unusable = || malformed("the source named something that cannot be asked for");
        let mut address = Url::parse(base).map_err(|_| unusable())?;
        // These two would be read as steps within the path.
        if path
            .iter()
            .any(|segment| matches!(*segment, "." | ".." | ""))
        {
            return Err(unusable());
        }
        let mut segments = address.path_segments_mut().map_err(|()| unusable())?;
        segments.pop_if_empty().extend(path);
        drop(segments);
        if !query.is_empty() {
            address.query_pairs_mut().extend_pairs(query);
        }
        Ok(address)
    }
}

/// An answer that is none of the protocol.
pub(super) fn malformed(message: impl Into<String>) -> SourceFailure {
    SourceFailure::new(FailureKind::Malformed, message)
}

/// `{"error": {"message", "errors": [{"reason"}], "details": [{"reason"}]}}`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct GoogleRefusal {
    error: GoogleRefusalError,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GoogleRefusalError {
    message: String,
    errors: Vec<RefusalReason>,
    details: Vec<RefusalReason>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RefusalReason {
    reason: String,
}

fn refusal(answer: &HttpAnswer) -> SourceFailure {
    let plain = answer.failure();
    let Ok(GoogleRefusal { error }) = serde_json::from_slice::<GoogleRefusal>(&answer.body) else {
        return plain;
    };
    let reasons = error.errors.iter().chain(&error.details);
    let reasons: Vec<_> = reasons.map(|one| one.reason.as_str()).collect();
    let says = |known: &[&str]| reasons.iter().any(|reason| known.contains(reason));
    let reason = reasons.iter().find(|reason| !reason.is_empty());
    // The reason first: a sentence that is too long is cut.
    let words = match reason {
        Some(reason) => format!("{reason}: {}", error.message),
        None => error.message,
    };
    let status = answer.status.as_u16();
    let failure = SourceFailure::of_status(status, plain.retry_after, &words);
    let kind = match status {
        400 | 410 if says(&LOST) => FailureKind::PositionLost,
        403 if says(&RATES) => FailureKind::RateLimited,
        _ => failure.kind,
    };
    SourceFailure { kind, ..failure }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_segment_whatever_it_holds() {
        let path = ["calendars", "a/../b?c#d%2f@x.test", "events"];
        let address = GoogleService::Calendar.address(&path, &[("syncToken", "a=&b")]);
        assert_eq!(
            address.unwrap().as_str(),
            "https://www.googleapis.com/calendar/v3/calendars/a%2F..%2Fb%3Fc%23d%252f@x.test/events?syncToken=a%3D%26b"
        );
        for segment in ["..", ".", ""] {
            assert!(GoogleService::People.address(&[segment], &[]).is_err());
        }
    }
}
