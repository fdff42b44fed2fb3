//! Which connections serve a request: from its head until its answer has been handed to the connection.

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

/// A request under way on a connection.
struct RequestInFlight(Arc<Socket>);

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// An answer whose request is under way until it ends.
pub(crate) struct TrackedBody<B> {
    body: Pin<Box<B>>,
    _attendance: Option<RequestInFlight>,
}

/// Allows the other end of this request to take nothing of its answer for so long.
pub(crate) fn allow_stall(request: &HttpRequest, stall_max: Duration) {
    if let Some(socket) = request.conn_data::<Arc<Socket>>() {
        socket.allow_stall(stall_max);
    }
}

/// The middleware.
///
/// # Errors
/// Those of the service inside.
pub(crate) async fn attend<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<TrackedBody<B>>, Error> {
    let attendance = request.conn_data::<Arc<Socket>>().map(|socket| {
        socket.attend();
        RequestInFlight(Arc::clone(socket))
    });
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| TrackedBody {
        body: Box::pin(body),
        _attendance: attendance,
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
