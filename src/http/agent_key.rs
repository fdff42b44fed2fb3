//! Reads the key that an agent's request presents: the only reader, for the agent port and the read mirror.
//!
//! The key itself goes no further than this file; only its digest is passed on (r028, r068, r069).

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use sextant_actors::domain::Digest;

/// The longest key that is accepted, in bytes.
const KEY_BYTES_MAX: usize = 512;

/// What a request presented.
#[derive(Debug, PartialEq, Eq)]
pub enum Presented {
    /// No `Authorization` header.
    Nothing,
    /// Several, or one that is no bearer key.
    Malformed,
    /// The digest of one bearer key.
    Key(Digest),
}

/// Reads what these headers present.
pub fn presented(headers: &HeaderMap) -> Presented {
    let mut values = headers.get_all(AUTHORIZATION);
    match (values.next(), values.next()) {
        (None, _) => Presented::Nothing,
        (Some(value), None) => value
            .to_str()
            .ok()
            .and_then(bearer)
            .map_or(Presented::Malformed, |key| Presented::Key(Digest::of(key))),
        (Some(_), Some(_)) => Presented::Malformed,
    }
}

/// The key of `Bearer <key>` (RFC 6750 §2.1; the scheme's case does not matter).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, key) = value.split_once(' ')?;
    let key = key.trim();
    let is_valid =
        (1..=KEY_BYTES_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    (scheme.eq_ignore_ascii_case("bearer") && is_valid).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    #[test]
    fn r068_only_one_bearer_key_is_a_key() {
        let key = Presented::Key(Digest::of("sxt_abc"));
        for well_formed in ["Bearer sxt_abc", "bearer sxt_abc", "BEARER  sxt_abc "] {
            assert_eq!(
                presented(&headers(&[("authorization", well_formed)])),
                key,
                "{well_formed}"
            );
        }
        for malformed in ["sxt_abc", "Bearer", "Bearer ", "Basic c3h0", "Bearer a b"] {
            let seen = presented(&headers(&[("authorization", malformed)]));
            assert_eq!(seen, Presented::Malformed, "{malformed}");
        }
        assert_eq!(presented(&headers(&[])), Presented::Nothing);
        let twice = headers(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]);
        assert_eq!(presented(&twice), Presented::Malformed);
    }
}
