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

use super::line::Line;

/// A request under way on a connection.
struct Attendance(Arc<Line>);

impl Drop for Attendance {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// An answer whose request is under way until it ends.
pub(crate) struct Attended<B> {
    body: Pin<Box<B>>,
    _attendance: Option<Attendance>,
}

/// Allows the other end of this request to take nothing of its answer for so long.
pub(crate) fn allow_stall(request: &HttpRequest, stall_max: Duration) {
    if let Some(line) = request.conn_data::<Arc<Line>>() {
        line.allow_stall(stall_max);
    }
}

/// The middleware.
///
/// # Errors
/// Those of the service inside.
pub(crate) async fn attend<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Attended<B>>, Error> {
    let attendance = request.conn_data::<Arc<Line>>().map(|line| {
        line.attend();
        Attendance(Arc::clone(line))
    });
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Attended {
        body: Box::pin(body),
        _attendance: attendance,
    }))
}

impl<B: MessageBody> MessageBody for Attended<B> {
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
