//! Who may push: decided from the headers and the connections in memory, before the body is touched (r081).

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use constant_time_eq::constant_time_eq_32;
use sextant_actors::connections::{ConnectionState, ConnectionsHandle, PushConnection};
use sextant_actors::domain::Digest;
use uuid::Uuid;

/// The header for devices that cannot set `Authorization` (spec §5).
const SECRET_HEADER: &str = "X-PCI-Webhook-Secret";
const SCHEME: &str = "bearer ";
/// What is compared against when there is no connection, or none with a secret: the same work, and never a match (r086).
const NO_DIGEST: [u8; 32] = [0; 32];

/// The connection that the path names, if the headers carry its secret. Every way to fail looks the same (r083).
pub fn authorized(
    connections: &ConnectionsHandle,
    path: &str,
    headers: &HeaderMap,
) -> Option<PushConnection> {
    let snapshot = connections.snapshot();
    let named = path.parse::<Uuid>().ok().and_then(|id| snapshot.get(&id));
    let secret = named
        .filter(|connection| connection.state == ConnectionState::Active)
        .and_then(|connection| connection.secret);
    let expected = secret.as_ref().map_or(&NO_DIGEST, Digest::as_bytes);
    let matches = constant_time_eq_32(Digest::of(presented(headers)).as_bytes(), expected);
    named.filter(|_| matches && secret.is_some()).cloned()
}

fn presented(headers: &HeaderMap) -> &str {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text(AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, rest) = value.split_at_checked(SCHEME.len())?;
        scheme.eq_ignore_ascii_case(SCHEME).then(|| rest.trim())
    });
    bearer.or_else(|| text(SECRET_HEADER)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn r080_the_secret_comes_as_bearer_or_in_its_own_header() {
        for (name, value, expected) in [
            ("authorization", "Bearer abc", "abc"),
            ("authorization", "bearer  abc ", "abc"),
            ("x-pci-webhook-secret", "abc", "abc"),
            ("authorization", "Basic abc", ""),
            ("authorization", "Bear", ""),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
            assert_eq!(presented(&headers), expected, "{name}: {value}");
        }
    }
}
