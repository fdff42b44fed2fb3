use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::Value;

use super::scopes::Scopes;
use crate::secret::SourceSecret;

/// How long a token is taken to last whose provider does not say (RFC 6749 §5.1 recommends that it says).
const LIFE_UNSAID: Duration = Duration::from_secs(3600);

/// What a provider issued (RFC 6749 §5.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedTokens {
    /// What requests carry.
    pub access_token: SourceSecret,
    /// For how long.
    pub life: Duration,
    /// What the next tokens are had with. After a refresh `None` means: as before.
    pub refresh_token: Option<SourceSecret>,
    /// What was granted. `None` means: what was asked for.
    pub scopes: Option<Scopes>,
    /// The claims of the id token, if one came along. They came straight from the provider, over TLS, so its signature says no more
    /// (OpenID Connect Core 1.0, 3.1.3.7).
    claims: Option<Value>,
}

#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    #[serde(default)]
    expires_in: Option<Value>,
    #[serde(default)]
    refresh_token: Option<String>,
    #[serde(default)]
    scope: Option<String>,
    #[serde(default)]
    id_token: Option<String>,
}

impl IssuedTokens {
    /// Reads an answer; `None` if it issues nothing.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let answer: TokenAnswer = serde_json::from_slice(body).ok()?;
        let named = |text: String| (!text.is_empty()).then_some(text);
        Some(Self {
            access_token: SourceSecret::new(named(answer.access_token)?),
            life: answer
                .expires_in
                .as_ref()
                .and_then(seconds)
                .unwrap_or(LIFE_UNSAID),
            refresh_token: answer.refresh_token.and_then(named).map(SourceSecret::new),
            scopes: answer.scope.as_deref().map(Scopes::parse),
            claims: answer.id_token.as_deref().and_then(claims),
        })
    }

    /// A token of which nothing else is known.
    pub const fn of_access_token(access_token: SourceSecret) -> Self {
        Self {
            access_token,
            life: LIFE_UNSAID,
            refresh_token: None,
            scopes: None,
            claims: None,
        }
    }

    /// A claim of the id token that is a text.
    pub fn claim(&self, name: &str) -> Option<&str> {
        self.claims.as_ref()?.get(name)?.as_str()
    }
}

/// Some providers write the number as a text.
fn seconds(value: &Value) -> Option<Duration> {
    let seconds = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    Some(Duration::from_secs(seconds))
}

fn claims(id_token: &str) -> Option<Value> {
    let payload = id_token.split('.').nth(1)?;
    let payload = BASE64_URL_SAFE_NO_PAD.decode(payload).ok()?;
    serde_json::from_slice(&payload).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_not_made_up() {
        let issued = IssuedTokens::parse(br#"{"access_token":"a","token_type":"bearer"}"#).unwrap();
        assert_eq!(issued.life, LIFE_UNSAID);
        assert_eq!((issued.refresh_token, issued.scopes), (None, None));
    }

    #[test]
    fn the_account_is_read_from_the_id_token() {
        let payload = BASE64_URL_SAFE_NO_PAD.encode(r#"{"email":"op@example.org"}"#);
        let body = format!(
            r#"{{"access_token":"a","expires_in":"60","scope":"","id_token":"h.{payload}.s"}}"#
        );
        let issued = IssuedTokens::parse(body.as_bytes()).unwrap();
        assert_eq!(issued.claim("email"), Some("op@example.org"));
        assert_eq!(issued.life, Duration::from_secs(60));
        assert_eq!(issued.scopes, Some(Scopes::default()));
    }

    #[test]
    fn an_answer_without_a_token_issues_nothing() {
        for body in ["", "{}", "<html>", r#"{"access_token":""}"#] {
            assert_eq!(IssuedTokens::parse(body.as_bytes()), None, "{body}");
        }
    }
}
