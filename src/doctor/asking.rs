//! Requests to the public address, as a hosted agent sends them, and what is read of the answers.

use serde_json::Value;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{HttpRequest, PublicProbe};
use url::form_urlencoded;

use super::finding::Trouble;
use super::limits::{ANSWER_BYTES_MAX, QUOTED_CHARS_MAX};

/// An answer, as the verdicts read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PublicAnswer {
    pub status: u16,
    /// Where a redirect leads.
    pub location: Option<String>,
    pub challenge: Option<String>,
    pub text: String,
}

impl PublicAnswer {
    /// The body as JSON; null if it is none.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// A member of the body that is a text.
    pub(super) fn member(&self, name: &str) -> Option<String> {
        self.json().get(name)?.as_str().map(str::to_owned)
    }

    /// What answered, for a sentence.
    pub(super) fn described(&self) -> String {
        match &self.location {
            Some(location) => format!("{} to {}", self.status, quoted(location)),
            None => self.status.to_string(),
        }
    }
}

/// A request that is made up bit by bit.
pub(super) struct PublicQuestion<'a> {
    probe: &'a PublicProbe,
    path: String,
    request: HttpRequest,
}

impl<'a> PublicQuestion<'a> {
    pub(super) fn get(probe: &'a PublicProbe, path: impl Into<String>) -> Self {
        Self::new(probe, http::Method::GET, path.into(), String::new())
    }

    pub(super) fn post_json(probe: &'a PublicProbe, path: &str, body: &Value) -> Self {
        let question = Self::new(probe, http::Method::POST, path.to_owned(), body.to_string());
        question.header("content-type", "application/json")
    }

    pub(super) fn post_form(probe: &'a PublicProbe, path: &str, fields: &[(&str, &str)]) -> Self {
        let body = encoded(fields);
        let question = Self::new(probe, http::Method::POST, path.to_owned(), body);
        question.header("content-type", "application/x-www-form-urlencoded")
    }

    fn new(probe: &'a PublicProbe, method: http::Method, path: String, body: String) -> Self {
        let request = HttpRequest {
            method,
            headers: Default::default(),
            body: body.into(),
            answer_bytes_max: ANSWER_BYTES_MAX,
        };
        Self {
            probe,
            path,
            request,
        }
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(mut value) = http::HeaderValue::from_str(value) {
            value.set_sensitive(name == "authorization");
            self.request.headers.insert(name, value);
        }
        self
    }

    pub(super) async fn ask(self) -> Result<PublicAnswer, SourceFailure> {
        let answer = self.probe.send(&self.path, &self.request).await?;
        let header = |name: &str| {
            let value = answer.headers.get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        Ok(PublicAnswer {
            status: answer.status.as_u16(),
            location: header("location"),
            challenge: header("www-authenticate"),
            text: String::from_utf8_lossy(&answer.body).into_owned(),
        })
    }
}

/// Fields as a query or a form has them.
pub(super) fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish()
}

/// What somebody else wrote, in one line and not too much of it.
pub(super) fn quoted(text: &str) -> String {
    let shown = text.chars().filter(|letter| !letter.is_control());
    shown.take(QUOTED_CHARS_MAX).collect()
}

/// A step whose request got no answer.
pub(super) fn unanswered(failure: &SourceFailure) -> Trouble {
    Trouble::new(
        format!(
            "A request to the address got no answer: {}.",
            failure.message
        ),
        "It was answered a moment ago, so whatever stands in front of the agent port is unsteady: look at its log, and check again.",
    )
}
