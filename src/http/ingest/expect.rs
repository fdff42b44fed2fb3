//! Requests that wait for `100 Continue` before they send their body (RFC 9110 §10.1.1): a refusal is sent at once, and the body
//! is not asked for (docs/pushing.md#answers).

use actix_http::body::BoxBody;
use actix_http::{Request, Response};
use actix_web::http::Method;

use crate::http::headers;

use super::head::admit;
use super::parts::{IngestParts, PATH};

/// Lets a request go on to its route, after a `100 Continue`, or answers it as the route would.
pub(super) async fn decide(
    parts: IngestParts,
    mut request: Request,
) -> Result<Request, Response<BoxBody>> {
    let Some(id) = pushed_to(&request) else {
        return Ok(request);
    };
    match admit(&parts, id, request.head()) {
        Ok(_) => Ok(request),
        Err(refused) => {
            let mut answer = refused.answer(&parts, request.take_payload()).await;
            headers::add(answer.headers_mut(), true);
            Err(answer.into())
        }
    }
}

/// The connection id in the path of a push. An id that would need decoding is no id.
fn pushed_to(request: &Request) -> Option<&str> {
    let id = request.path().strip_prefix(PATH)?;
    (request.method() == Method::POST && !id.is_empty() && !id.contains('/')).then_some(id)
}
