//! The headers that every answer of the Console port carries, and readers of request headers.
//!
//! Nothing under `/api` may be cached by a browser or a proxy, since keys and secrets are shown there once (r061, r085).

use std::sync::Arc;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;

use crate::exposure::PublicAddress;
use crate::host::Authority;

/// The Console's pages may load its own files and nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const EVERYWHERE: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    // A page of another origin may embed nothing of this port, neither as a script nor as an image.
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The middleware that adds the headers to every answer, refusals included.
///
/// # Errors
/// Those of the service inside.
pub(crate) async fn add_to_answers(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    let is_api = response.request().match_info().as_str().starts_with("/api");
    add(response.headers_mut(), is_api);
    Ok(response)
}

/// Adds the headers to one answer, for answers that no middleware handles.
pub(crate) fn add(headers: &mut HeaderMap, is_api: bool) {
    for (name, value) in EVERYWHERE {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// The declared length of a body, in bytes.
pub(crate) fn content_length(headers: &HeaderMap) -> Option<u64> {
    let declared = headers.get(header::CONTENT_LENGTH)?;
    declared.to_str().ok()?.parse().ok()
}

/// Whether a `Content-Type` declares this media type, whatever its parameters (RFC 9110 §8.3.1).
pub(crate) fn is_media(declared: &HeaderValue, media: &str) -> bool {
    let essence = declared.to_str().unwrap_or_default().split(';').next();
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case(media))
}

/// The value of the `Host` header, of which there must be one.
pub(crate) fn only_host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(header::HOST);
    let only = hosts.next().filter(|_| hosts.next().is_none())?;
    only.to_str().ok()
}

/// The public address, if the request came by it and not by a name of this computer.
pub(crate) fn came_by(
    headers: &HeaderMap,
    exposed: Option<&Arc<PublicAddress>>,
) -> Option<Arc<PublicAddress>> {
    let authority = only_host(headers).and_then(Authority::parse_strictly)?;
    exposed
        .filter(|address| address.is_named_by(&authority))
        .cloned()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A header map of these names and values.
    pub(crate) fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        headers
    }
}
