//! Checks of the head that come before the key: its size, `Host` and `Origin` (r501; MCP's rules against DNS rebinding). Every
//! answer gets `Cache-Control: no-store` here.

use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Uri;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, ORIGIN};
use actix_web::middleware::Next;

use super::error::{McpError, RequestError};
use super::limits::HEAD_BYTES_MAX;
use crate::host::{Authority, authority_of_origin};
use crate::http::headers::only_host;

/// The middleware: lets a request pass, or answers it.
pub async fn guard<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let mut response = match check(request.uri(), request.headers()) {
        Ok(()) => next.call(request).await?.map_into_left_body(),
        Err(error) => request
            .into_response(RequestError::from(error).into_response())
            .map_into_right_body(),
    };
    // Every answer is personal data.
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Checks target and headers.
///
/// # Errors
/// [`McpError::HeadTooLarge`], [`McpError::ForeignHost`] or [`McpError::ForeignOrigin`].
pub fn check(target: &Uri, headers: &HeaderMap) -> Result<(), McpError> {
    if head_bytes(headers) > HEAD_BYTES_MAX {
        Err(McpError::HeadTooLarge)
    } else if !(host_is_ours(headers) && target_is_ours(target)) {
        Err(McpError::ForeignHost)
    } else if !origins_are_ours(headers) {
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

/// Whether the one `Host` is this computer, written in full.
pub(super) fn host_is_ours(headers: &HeaderMap) -> bool {
    only_host(headers).is_some_and(is_loopback)
}

/// A target in absolute form names a host of its own, and that is the one that counts (RFC 9112 §3.2.2).
fn target_is_ours(target: &Uri) -> bool {
    let named = target.authority();
    named.is_none_or(|authority| is_loopback(authority.as_str()))
}

/// Clients other than browsers send no `Origin`; a browser's must be of this computer.
fn origins_are_ours(headers: &HeaderMap) -> bool {
    headers.get_all(ORIGIN).all(|origin| {
        let origin = origin.to_str().ok().and_then(authority_of_origin);
        origin.is_some_and(is_loopback)
    })
}

/// Whether `host[:port]` names this computer, written in full.
fn is_loopback(authority: &str) -> bool {
    Authority::parse_strictly(authority).is_some_and(|authority| authority.host().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let target: Uri = target.parse().unwrap();
            assert_eq!(target_is_ours(&target), is_ours, "{target}");
        }
    }
}
