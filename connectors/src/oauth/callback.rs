use std::fmt;

use crate::failure::clean_source_text;
use crate::secret::SourceSecret;

/// What a browser brings back (RFC 6749 §4.1.2).
#[derive(Clone, PartialEq, Eq)]
pub struct Callback {
    /// What it was sent with.
    pub state: String,
    /// What the provider says.
    pub outcome: CallbackOutcome,
}

/// What the provider says by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallbackOutcome {
    /// The person consented: a code that serves once.
    Code(SourceSecret),
    /// The person did not consent.
    Cancelled,
    /// The provider refused, in its own words, cleaned and cut.
    Refused(String),
}

impl Callback {
    /// Reads the query of the address to which the browser was sent back. `None` if it is no such address: each of its parameters
    /// must stand there once.
    pub fn parse(query: &str) -> Option<Self> {
        let fields: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let one = |name: &str| -> Result<Option<&str>, ()> {
            let mut named = fields.iter().filter(|(own, _)| own == name);
            let first = named.next().map(|(_, value)| value.as_str());
            match named.next() {
                Some(_) => Err(()),
                None => Ok(first.filter(|value| !value.is_empty())),
            }
        };
        let state = one("state").ok()??.to_owned();
        let outcome = match (one("code").ok()?, one("error").ok()?) {
            (Some(code), None) => CallbackOutcome::Code(SourceSecret::new(code)),
            (None, Some("access_denied" | "consent_required" | "user_cancelled_login")) => {
                CallbackOutcome::Cancelled
            }
            (None, Some(error)) => {
                let said = one("error_description").ok()?.unwrap_or_default();
                CallbackOutcome::Refused(clean_source_text(format!("{error} {said}").trim()))
            }
            _ => return None,
        };
        Some(Self { state, outcome })
    }
}

/// Without the state, as the request that it answers.
impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback")
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(query: &str) -> Option<CallbackOutcome> {
        Callback::parse(query).map(|callback| callback.outcome)
    }

    #[test]
    fn a_callback_says_one_thing() {
        let code = CallbackOutcome::Code(SourceSecret::new("a/b"));
        assert_eq!(outcome("state=s&code=a%2Fb&scope=x"), Some(code));
        assert_eq!(
            outcome("state=s&error=access_denied"),
            Some(CallbackOutcome::Cancelled)
        );
        assert_eq!(
            outcome("error=server_error&error_description=try+later&state=s"),
            Some(CallbackOutcome::Refused(
                "server_error try later".to_owned()
            ))
        );
    }

    #[test]
    fn what_is_no_callback_is_none() {
        for query in [
            "",
            "code=a",
            "state=s",
            "state=&code=a",
            "state=s&code=a&code=b",
        ] {
            assert_eq!(Callback::parse(query), None, "{query}");
        }
        assert_eq!(Callback::parse("state=s&state=t&code=a"), None);
        assert_eq!(Callback::parse("state=s&code=a&error=b"), None);
    }
}
