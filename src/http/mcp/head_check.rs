//! Checks of the head that come before the key: its size, `Host` and `Origin` (r501; MCP's rules against DNS rebinding). Every
//! answer gets `Cache-Control: no-store` here, and a refusal of who came by the public address tells where its tokens are (RFC 9728
//! §5.1). By this computer's own names nothing is told of tokens: clients that bring a key would go and ask for one.

use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Uri;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use actix_web::middleware::Next;
use actix_web::web::Data;

use super::error::{McpError, RequestError};
use super::limits::HEAD_BYTES_MAX;
use crate::exposure::{Exposure, PublicAddress};
use crate::host::{Authority, authority_of_origin};
use crate::http::headers::{came_by, only_host};

/// The middleware: lets a request pass, or answers it.
pub async fn guard<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let exposure = request.app_data::<Data<Exposure>>();
    let exposed = exposure.and_then(|exposure| exposure.address());
    let came_by = came_by(request.headers(), exposed.as_ref());
    let has_slash = request.path().ends_with('/');
    let mut response = match check(request.uri(), request.headers(), exposed.as_deref()) {
        Ok(()) => next.call(request).await?.map_into_left_body(),
        Err(error) => request
            .into_response(RequestError::from(error).into_response())
            .map_into_right_body(),
    };
    // Every answer is personal data.
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(address) = came_by {
        tell_metadata(headers, &address, has_slash);
    }
    Ok(response)
}

/// Adds to a challenge where the metadata of the resource lies, as its address was written.
fn tell_metadata(headers: &mut HeaderMap, address: &PublicAddress, has_slash: bool) {
    let challenge = headers.get(WWW_AUTHENTICATE);
    let Some(challenge) = challenge.and_then(|value| value.to_str().ok()) else {
        return;
    };
    let comma = if challenge.contains(' ') { "," } else { "" };
    let url = address.resource_metadata_url();
    let slash = if has_slash { "/" } else { "" };
    let told = format!("{challenge}{comma} resource_metadata=\"{url}{slash}\"");
    if let Ok(told) = HeaderValue::from_str(&told) {
        headers.insert(WWW_AUTHENTICATE, told);
    }
}

/// Checks target and headers. `exposed` is the address by which others may reach the port, if there is one.
///
/// # Errors
/// [`McpError::HeadTooLarge`], [`McpError::ForeignHost`] or [`McpError::ForeignOrigin`].
pub fn check(
    target: &Uri,
    headers: &HeaderMap,
    exposed: Option<&PublicAddress>,
) -> Result<(), McpError> {
    let host = only_host(headers);
    // A target in absolute form names a host of its own, and that is the one that counts (RFC 9112 §3.2.2).
    let named = target.authority();
    if head_bytes(headers) > HEAD_BYTES_MAX {
        Err(McpError::HeadTooLarge)
    } else if !host.is_some_and(|host| is_ours(host, exposed))
        || !named.is_none_or(|named| is_ours(named.as_str(), exposed))
    {
        Err(McpError::ForeignHost)
    } else if !origins_are_ours(headers, exposed) {
        Err(McpError::ForeignOrigin)
    } else {
        Ok(())
    }
}

fn head_bytes(headers: &HeaderMap) -> usize {
    headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum()
}

/// Clients other than browsers send no `Origin`; a browser's must be of this computer, or of the public address itself.
fn origins_are_ours(headers: &HeaderMap, exposed: Option<&PublicAddress>) -> bool {
    headers.get_all(ORIGIN).all(|origin| {
        let Ok(origin) = origin.to_str() else {
            return false;
        };
        exposed.is_some_and(|address| address.origin() == origin)
            || authority_of_origin(origin).is_some_and(is_loopback)
    })
}

/// Whether `host[:port]`, written in full, names this computer or the public address.
fn is_ours(authority: &str, exposed: Option<&PublicAddress>) -> bool {
    is_loopback(authority)
        || Authority::parse_strictly(authority)
            .is_some_and(|authority| exposed.is_some_and(|address| address.is_named_by(&authority)))
}

/// Whether `host[:port]` names this computer, written in full.
fn is_loopback(authority: &str) -> bool {
    Authority::parse_strictly(authority).is_some_and(|authority| authority.host().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    #[test]
    fn r501_only_the_names_of_this_computer_are_loopback() {
        for ours in [
            "localhost",
            "LocalHost:8788",
            "127.0.0.1:1",
            "[::1]:8788",
            "[::1]",
        ] {
            assert!(is_loopback(ours), "{ours}");
        }
        for foreign in [
            "",
            "evil.example",
            "localhost.evil.example",
            "localhost:",
            "localhost:99999",
            "localhost:+80",
            "localhost.",
            "127.0.0.1@evil.example",
            "127.0.0.1.evil.example:8788",
            "::1",
            "0.0.0.0:8788",
        ] {
            assert!(!is_loopback(foreign), "{foreign}");
        }
    }

    fn judged(
        target: &str,
        pairs: &[(&'static str, &'static str)],
        exposed: Option<&str>,
    ) -> Result<(), McpError> {
        let address = exposed.map(|address| PublicAddress::parse(address).unwrap());
        check(&target.parse().unwrap(), &headers(pairs), address.as_ref())
    }

    #[test]
    fn r501_a_target_that_names_a_host_names_this_computer() {
        for (target, is_ours) in [
            ("/mcp", true),
            ("http://127.0.0.1:8788/mcp", true),
            ("http://LOCALHOST/mcp", true),
            ("http://evil.example/mcp", false),
            ("http://user@127.0.0.1/mcp", false),
            ("http://localhost./mcp", false),
            ("evil.example:8788", false),
        ] {
            let judged = judged(target, &[("host", "localhost")], None);
            assert_eq!(judged.is_ok(), is_ours, "{target}");
        }
    }

    #[test]
    fn r501_with_an_exposure_the_exposed_name_is_accepted_and_no_other() {
        let exposed = Some("https://box.example");
        for (host, is_ours) in [
            ("box.example", true),
            ("BOX.example:443", true),
            ("box.example:8788", true),
            ("localhost", true),
            ("127.0.0.1:8788", true),
            ("evil.example", false),
            ("box.example.evil.example", false),
            ("agents.box.example", false),
            ("box.example.", false),
            ("box.example:", false),
            ("box.example@evil.example", false),
        ] {
            let judged_with = |exposed| judged("/mcp", &[("host", host)], exposed);
            assert_eq!(judged_with(exposed).is_ok(), is_ours, "{host}");
            let is_loopback = is_ours && !host.to_lowercase().contains("box");
            assert_eq!(judged_with(None).is_ok(), is_loopback, "{host}");
        }
        let foreign = judged(
            "http://evil.example/mcp",
            &[("host", "box.example")],
            exposed,
        );
        assert_eq!(foreign, Err(McpError::ForeignHost));
    }

    #[test]
    fn r501_a_page_of_the_exposed_address_may_ask_and_one_of_another_scheme_or_port_may_not() {
        for (origin, is_ours) in [
            ("https://box.example", true),
            ("http://localhost:3000", true),
            ("http://box.example", false),
            ("https://box.example:8443", false),
            ("https://evil.example", false),
            ("null", false),
        ] {
            let sent = [("host", "box.example"), ("origin", origin)];
            let judged = judged("/authorize", &sent, Some("https://box.example"));
            assert_eq!(judged.is_ok(), is_ours, "{origin}");
        }
    }

    #[test]
    fn a_challenge_tells_of_the_metadata_after_what_it_says_already() {
        let address = PublicAddress::parse("https://box.example").unwrap();
        let metadata =
            r#"resource_metadata="https://box.example/.well-known/oauth-protected-resource/mcp""#;
        for (challenge, told) in [
            ("Bearer", format!("Bearer {metadata}")),
            (
                r#"Bearer error="invalid_token""#,
                format!(r#"Bearer error="invalid_token", {metadata}"#),
            ),
        ] {
            let mut headers = headers(&[("www-authenticate", challenge)]);
            tell_metadata(&mut headers, &address, false);
            assert_eq!(headers.get(WWW_AUTHENTICATE).unwrap(), told.as_str());
        }
        let mut unchallenged = headers(&[]);
        tell_metadata(&mut unchallenged, &address, false);
        assert!(unchallenged.get(WWW_AUTHENTICATE).is_none());
    }
}
