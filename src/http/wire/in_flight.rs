//! Counts the requests under way on each connection: from a request's head until the last byte of its answer is in actix's buffer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpRequest};

use super::socket::Socket;

/// One request under way, counted until this is dropped.
struct RequestInFlight(Arc<Socket>);

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        self.0.end_request();
    }
}

/// The body of an answer; its request counts as under way until the body is dropped.
pub(crate) struct TrackedBody<B> {
    body: Pin<Box<B>>,
    _in_flight: Option<RequestInFlight>,
}

/// Sets how long the peer of this request may acknowledge nothing before its connection is reset; holds until the next request.
pub(crate) fn allow_stall(request: &HttpRequest, stall_max: Duration) {
    if let Some(socket) = request.conn_data::<Arc<Socket>>() {
        socket.allow_stall(stall_max);
    }
}

/// The middleware that counts.
///
/// # Errors
/// Those of the service inside.
pub(crate) async fn count_request<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<TrackedBody<B>>, Error> {
    let in_flight = request.conn_data::<Arc<Socket>>().map(|socket| {
        socket.begin_request();
        RequestInFlight(Arc::clone(socket))
    });
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| TrackedBody {
        body: Box::pin(body),
        _in_flight: in_flight,
    }))
}

impl<B: MessageBody> MessageBody for TrackedBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.body.as_mut().poll_next(cx)
    }
}
