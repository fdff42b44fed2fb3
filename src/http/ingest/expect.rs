//! A device that asks before it sends its body (`Expect: 100-continue`, RFC 9110 Â§10.1.1): a refusal is the answer itself, and
//! nothing calls for the body first (docs/pushing.md#answers).

use actix_http::body::BoxBody;
use actix_http::{Request, Response};
use actix_web::http::Method;

use crate::http::headers;

use super::head::admit;
use super::parts::{IngestParts, PATH};

/// Lets a request come to its route, after a `100 Continue`, or answers it as the route would.
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
            let mut answer = refused.answer(request.take_payload()).await;
            headers::put(answer.headers_mut(), true);
            Err(answer.into())
        }
    }
}

/// The connection that a push names. An id that needs decoding is none.
fn pushed_to(request: &Request) -> Option<&str> {
    let id = request.path().strip_prefix(PATH)?;
    (request.method() == Method::POST && !id.is_empty() && !id.contains('/')).then_some(id)
}
