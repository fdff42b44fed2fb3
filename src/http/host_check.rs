//! Keeps web pages away from a port that asks for no login (r100, r105, r507).
//!
//! The `Host` check stops a page whose own name was made to resolve to this address (DNS rebinding). It does not stop a page from
//! posting to `127.0.0.1`, whose `Host` is accepted: for that the caller's `Origin` and `Sec-Fetch-Site` are read, and only
//! `application/json` (for an import `application/zip`, for an uploaded file `application/octet-stream`) is taken, which no page can send across origins without asking
//! first. A plain client sends neither header.
//! Reads under `/api` are checked alike: a page that may not see an answer can still have it computed, and occupy the few slots for
//! large answers. A link on another site may open what is not under `/api`: the page at `/`.
//! Mounted around a scope: ingest, `/healthz` and the read mirror lie outside it.

mod allowed_hosts;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use self::allowed_hosts::{accepted_host, accepted_target};
use super::headers::is_media;
use super::problem::{Code, Problem};
use crate::host::{Authority, authority_of_origin};

pub use self::allowed_hosts::AllowedHosts;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Routes that take a file, by how their paths begin and end, and its media type: a page must ask before it sends one across origins,
/// as for JSON.
const FILES: [(&str, &str, &str); 2] = [
    ("/api/import", "", "application/zip"),
    ("/api/uploads/", "/files", "application/octet-stream"),
];
/// Reads below this path are checked like writes.
const API: &str = "/api";

/// The middleware: lets a request through, or answers with the problem that [`check`] found.
///
/// # Errors
/// Those of the service inside.
pub async fn guard<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let verdict = match request.app_data::<web::Data<AllowedHosts>>() {
        Some(allowed) => accepted_target(request.uri(), allowed).and_then(|()| {
            let path = decoded_path(&request);
            check(request.method(), path, request.headers(), allowed)
        }),
        None => Err(Problem::new(Code::Internal, "no hosts are configured")),
    };
    match verdict {
        Ok(()) => Ok(next.call(request).await?.map_into_left_body()),
        Err(problem) => Ok(request
            .into_response(problem.error_response())
            .map_into_right_body()),
    }
}

/// The path as the router matches it, percent-decoded.
fn decoded_path(request: &ServiceRequest) -> &str {
    request.match_info().as_str()
}

/// Checks one request by its head alone.
///
/// # Errors
/// Why it is refused.
fn check(
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    allowed: &AllowedHosts,
) -> Result<(), Problem> {
    let host = accepted_host(headers, allowed)?;
    let reads = matches!(*method, Method::GET | Method::HEAD);
    if reads && !path.starts_with(API) {
        return Ok(());
    }
    check_origin(headers, &host, allowed)?;
    check_body_type(method, path, headers)
}

fn check_origin(
    headers: &HeaderMap,
    host: &Authority,
    allowed: &AllowedHosts,
) -> Result<(), Problem> {
    let site_is_own = headers
        .get_all(SEC_FETCH_SITE)
        .all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    let origin_is_own = headers.get_all(header::ORIGIN).all(|origin| {
        origin
            .to_str()
            .is_ok_and(|text| is_own(text, host, allowed))
    });
    if site_is_own && origin_is_own {
        Ok(())
    } else {
        Err(Problem::new(
            Code::ForbiddenHost,
            "another site's page may not do this; use the Console's own address, or a client that is no browser",
        ))
    }
}

fn is_own(origin: &str, host: &Authority, allowed: &AllowedHosts) -> bool {
    authority_of_origin(origin)
        .and_then(Authority::parse)
        .is_some_and(|origin| allowed.contains(origin.host()) && origin.could_be_one_origin(host))
}

fn check_body_type(method: &Method, path: &str, headers: &HeaderMap) -> Result<(), Problem> {
    let takes_file = |(begin, end, _): &&(&str, &str, &str)| {
        let middle = path.strip_prefix(begin);
        let middle = middle.and_then(|rest| rest.strip_suffix(end));
        method == Method::POST && middle.is_some_and(|id| id.is_empty() == end.is_empty())
    };
    let file = FILES.iter().find(takes_file);
    let media = file.map_or("application/json", |(_, _, media)| media);
    if !has_body(headers) || is_of(headers, media) {
        return Ok(());
    }
    Err(Problem::new(
        Code::UnsupportedMediaType,
        format!("send the body with Content-Type: {media}"),
    ))
}

fn has_body(headers: &HeaderMap) -> bool {
    let empty = headers
        .get(header::CONTENT_LENGTH)
        .is_none_or(|length| length.as_bytes() == b"0");
    !empty || headers.contains_key(header::TRANSFER_ENCODING)
}

fn is_of(headers: &HeaderMap, media: &str) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|declared| is_media(declared, media))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;
    use crate::host::Host;

    fn judged(method: Method, path: &str, sent: &[(&'static str, &str)]) -> Result<(), Code> {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        let allowed = AllowedHosts::new(vec![Host::parse("box.example").unwrap()]);
        check(&method, path, &headers, &allowed).map_err(|problem| problem.code)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:8787");
    const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");
    const LENGTH: (&str, &str) = ("content-length", "2");

    #[test]
    fn r100_a_missing_or_doubled_host_is_refused() {
        assert_eq!(judged(Method::GET, "/", &[]), Err(Code::ForbiddenHost));
        let doubled = [HOST, ("host", "evil.test")];
        assert_eq!(judged(Method::GET, "/", &doubled), Err(Code::ForbiddenHost));
    }

    #[test]
    fn r507_a_page_of_another_site_may_neither_write_nor_read() {
        let foreign = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.test"),
            ("origin", "null"),
            ("origin", "http://localhost:3000"),
            ("origin", "http://127.0.0.1"),
            ("origin", "http://127.0.0.1:8787.evil.test"),
            ("origin", "file://127.0.0.1:8787"),
        ];
        for header in foreign {
            let sent = [HOST, JSON, LENGTH, header];
            let refused = Err(Code::ForbiddenHost);
            assert_eq!(
                judged(Method::POST, "/api/agents", &sent),
                refused,
                "{header:?}"
            );
            assert_eq!(
                judged(Method::DELETE, "/api/agents/a", &sent),
                refused,
                "{header:?}"
            );
            for path in ["/api/export", "/api/audit.csv", "/api/agents", "/api/x"] {
                assert_eq!(judged(Method::GET, path, &sent), refused, "{header:?}");
                assert_eq!(judged(Method::HEAD, path, &sent), refused, "{header:?}");
            }
            assert_eq!(judged(Method::GET, "/", &sent), Ok(()), "{header:?}");
        }
    }

    #[test]
    fn r507_the_consoles_own_page_and_a_plain_client_may() {
        let own = [
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "none"),
            ("origin", "http://127.0.0.1:8787"),
            ("origin", "http://localhost:8787"),
            ("origin", "https://box.example"),
        ];
        for header in own {
            let sent = [HOST, JSON, LENGTH, header];
            for method in [Method::POST, Method::GET] {
                assert_eq!(judged(method, "/api/agents", &sent), Ok(()), "{header:?}");
            }
        }
        assert_eq!(
            judged(Method::POST, "/api/agents", &[HOST, JSON, LENGTH]),
            Ok(())
        );
    }

    #[test]
    fn r507_a_body_is_json_or_none() {
        let refused = Err(Code::UnsupportedMediaType);
        let text = ("content-type", "text/plain");
        let chunked = ("transfer-encoding", "chunked");
        assert_eq!(judged(Method::POST, "/x", &[HOST, LENGTH]), refused);
        assert_eq!(judged(Method::POST, "/x", &[HOST, LENGTH, text]), refused);
        assert_eq!(judged(Method::POST, "/x", &[HOST, chunked, text]), refused);
        assert_eq!(
            judged(Method::POST, "/x", &[HOST, ("content-length", "0"), text]),
            Ok(())
        );
        assert_eq!(judged(Method::POST, "/x", &[HOST]), Ok(()));
    }
}
