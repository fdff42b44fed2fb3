//! Routes a HEAD as the GET of the same path (RFC 9110 §9.3.2), so that no route needs to handle it. The server omits the body, by the
//! request's own method.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

/// Marks a HEAD request: a route that would leave an audit row looks for it and does not act.
pub(crate) struct HeadOnly;

/// The middleware.
///
/// # Errors
/// Those of the service inside.
pub(crate) async fn route_as_get<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if *request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
        request.extensions_mut().insert(HeadOnly);
    }
    next.call(request).await
}
