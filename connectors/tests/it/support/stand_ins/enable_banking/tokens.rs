//! Whether a token is one that the application's key signed, and of now.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rustls::SignatureScheme;
use rustls::crypto::ring;
use serde_json::{Value, json};

use super::keys::keys;
use super::{APPLICATION, wire};

/// The longest life of a token, in seconds.
const LIFE_MAX: i64 = 86_400;

/// Whether the request bears one.
pub(super) fn is_taken(request: &str, now: DateTime<Utc>) -> bool {
    let bearer = wire::header(request, "authorization").and_then(|own| own.strip_prefix("Bearer "));
    bearer.is_some_and(|token| is_valid(token, now.timestamp()).unwrap_or(false))
}

fn is_valid(token: &str, now: i64) -> Option<bool> {
    let (signed, signature) = token.rsplit_once('.')?;
    let (head, body) = signed.split_once('.')?;
    let decoded = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).ok();
    let object = |part: &str| serde_json::from_slice::<Value>(&decoded(part)?).ok();
    let (head, body) = (object(head)?, object(body)?);
    let (made, ends) = (body["iat"].as_i64()?, body["exp"].as_i64()?);
    let is_for_here = head == json!({"typ": "JWT", "alg": "RS256", "kid": APPLICATION})
        && body["iss"] == "enablebanking.com"
        && body["aud"] == "api.enablebanking.com";
    let is_of_now = made <= now && now < ends && ends - made <= LIFE_MAX;
    Some(is_for_here && is_of_now && is_signed(signed, &decoded(signature)?))
}

fn is_signed(signed: &str, signature: &[u8]) -> bool {
    let provider = ring::default_provider();
    let mut all = provider.signature_verification_algorithms.mapping.iter();
    let (_, own) = all
        .find(|(scheme, _)| *scheme == SignatureScheme::RSA_PKCS1_SHA256)
        .unwrap();
    let mut own = own.iter();
    own.any(|one| {
        one.verify_signature(&keys().public, signed.as_bytes(), signature)
            .is_ok()
    })
}
