//! Whatever can be read can be asked about: a HEAD is routed as the GET whose head it wants (RFC 9110 §9.3.2), so that no route
//! needs to know of it. The server leaves the body out, by the request's own method.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

/// Marks a request that wants the head alone: a route whose act leaves a trace looks for it, and does not act.
pub(crate) struct HeadOnly;

/// The middleware.
///
/// # Errors
/// Those of the service inside.
pub(crate) async fn as_reads<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if *request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
        request.extensions_mut().insert(HeadOnly);
    }
    next.call(request).await
}
