//! Who may knock: the checks on a request's head that come before its key (r501; the protocol's DNS-rebinding rules).

use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, HeaderMap, ORIGIN};
use actix_web::middleware::Next;

use super::fault::{Fault, Problem};
use super::limits::HEAD_BYTES_MAX;

/// The names of this computer that a client may use.
const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Lets a request in, or answers it.
pub async fn guard<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    match check(request.headers()) {
        Ok(()) => Ok(next.call(request).await?.map_into_left_body()),
        Err(fault) => Ok(request
            .into_response(Problem::from(fault).into_response())
            .map_into_right_body()),
    }
}

/// Checks the head.
///
/// # Errors
/// [`Fault::HeadTooLarge`], [`Fault::ForeignHost`] or [`Fault::ForeignOrigin`].
pub fn check(headers: &HeaderMap) -> Result<(), Fault> {
    if head_bytes(headers) > HEAD_BYTES_MAX {
        Err(Fault::HeadTooLarge)
    } else if !host_is_ours(headers) {
        Err(Fault::ForeignHost)
    } else if !origins_are_ours(headers) {
        Err(Fault::ForeignOrigin)
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

fn host_is_ours(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(HOST);
    let only = hosts.next().filter(|_| hosts.next().is_none());
    only.and_then(|host| host.to_str().ok())
        .is_some_and(is_loopback)
}

/// A client that is no browser sends none; a browser's must be a page of this computer.
fn origins_are_ours(headers: &HeaderMap) -> bool {
    headers.get_all(ORIGIN).all(|origin| {
        let text = origin.to_str().unwrap_or_default();
        let authority = text
            .strip_prefix("http://")
            .or_else(|| text.strip_prefix("https://"));
        authority.is_some_and(is_loopback)
    })
}

/// Whether `host[:port]` names this computer.
fn is_loopback(authority: &str) -> bool {
    LOOPBACK_NAMES.iter().any(|name| {
        let (host, rest) = authority.split_at_checked(name.len()).unwrap_or_default();
        host.eq_ignore_ascii_case(name) && is_port_suffix(rest)
    })
}

fn is_port_suffix(rest: &str) -> bool {
    let port = rest.strip_prefix(':');
    rest.is_empty() || port.is_some_and(|port| port.parse::<u16>().is_ok())
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
            "127.0.0.1@evil.example",
            "127.0.0.1.evil.example:8788",
            "::1",
            "0.0.0.0:8788",
        ] {
            assert!(!is_loopback(foreign), "{foreign}");
        }
    }
}
