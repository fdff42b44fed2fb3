//! When a long-lived access token ends: it is a JSON Web Token (RFC 7519), and says so itself.
//!
//! Nothing is decided by it, since the home is the judge of its tokens: a person and agents are warned in time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::secret::SourceSecret;

/// What is read of its claims.
#[derive(Deserialize)]
struct TokenClaims {
    /// Seconds since 1970.
    exp: i64,
}

/// The end of a token; `None` for one that tells none.
pub fn token_ends_at(token: &SourceSecret) -> Option<DateTime<Utc>> {
    let claims = token.reveal().split('.').nth(1)?;
    let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
    let TokenClaims { exp } = serde_json::from_slice(&claims).ok()?;
    DateTime::from_timestamp(exp, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_tells_its_end_and_what_is_none_tells_nothing() {
        let ends_at = |token: &str| token_ends_at(&SourceSecret::new(token));
        // {"iss":"abc","iat":1700000000,"exp":2015360000}
        let claims = "eyJpc3MiOiJhYmMiLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MjAxNTM2MDAwMH0";
        let expected = DateTime::from_timestamp(2_015_360_000, 0);
        assert_eq!(ends_at(&format!("e30.{claims}.c2ln")), expected);
        for token in [
            "",
            "word",
            "a.b.c",
            "e30.e30.e30",
            "e30.eyJleHAiOiJ4In0.e30",
        ] {
            assert_eq!(ends_at(token), None, "{token}");
        }
    }
}
