//! The body of an answer: every chunk is handed over while the session's gate is held open (r504).
//!
//! Once the gate is closed, nothing that was computed under the old grant leaves any more. What a stream says then, its
//! farewell, was written before by the adapter and contains no data.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use http_body::{Body as _, Frame};
use http_body_util::combinators::BoxBody;
use sextant_actors::sessions::{CloseReason, Lease};

/// How an answer ends when its session does.
pub enum Farewell {
    /// A last event, then the regular end of the stream.
    Event(Box<dyn FnOnce(CloseReason) -> Bytes>),
    /// The regular end of the stream.
    Silence,
    /// An error, which cuts the connection: what was sent is not whole.
    Cut,
}

/// The session ended before the answer was whole.
#[derive(Debug)]
pub struct CutOff(CloseReason);

impl fmt::Display for CutOff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the session ended before its answer did: {:?}",
            self.0
        )
    }
}

impl std::error::Error for CutOff {}

enum State {
    Open {
        inner: BoxBody<Bytes, Infallible>,
        closed: Pin<Box<dyn Future<Output = CloseReason>>>,
        farewell: Farewell,
    },
    Over,
}

/// A body behind a gate. It holds its lease, so that a session with an open stream is a session in use.
pub struct GatedBody {
    state: State,
    size: BodySize,
    lease: Lease,
}

impl GatedBody {
    /// Puts `inner` behind the gate of `lease`.
    pub fn new(inner: BoxBody<Bytes, Infallible>, lease: Lease, farewell: Farewell) -> Self {
        let size = inner
            .size_hint()
            .exact()
            .map_or(BodySize::Stream, BodySize::Sized);
        let gate = lease.gate().clone();
        let closed = Box::pin(async move { gate.closed().await });
        let state = State::Open {
            inner,
            closed,
            farewell,
        };
        Self { state, size, lease }
    }

    fn leave(&mut self, reason: CloseReason) -> Option<Result<Bytes, CutOff>> {
        // Dropping the inner body is what cancels a stateless request in rmcp.
        let State::Open { farewell, .. } = std::mem::replace(&mut self.state, State::Over) else {
            return None;
        };
        match farewell {
            Farewell::Event(last) => Some(Ok(last(reason))),
            Farewell::Silence => None,
            Farewell::Cut => Some(Err(CutOff(reason))),
        }
    }
}

impl MessageBody for GatedBody {
    type Error = CutOff;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, CutOff>>> {
        let gate = self.lease.gate().clone();
        let State::Open { inner, closed, .. } = &mut self.state else {
            return Poll::Ready(None);
        };
        let reason = match gate.pass(|| poll_data(inner, cx)) {
            Ok(Poll::Ready(Some(chunk))) => return Poll::Ready(Some(Ok(chunk))),
            Ok(Poll::Ready(None)) => {
                self.state = State::Over;
                return Poll::Ready(None);
            }
            Ok(Poll::Pending) => ready!(closed.as_mut().poll(cx)),
            Err(gate_closed) => gate_closed.0,
        };
        Poll::Ready(self.leave(reason))
    }
}

/// The next chunk of data; frames of any other kind are passed over.
fn poll_data(inner: &mut BoxBody<Bytes, Infallible>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
    loop {
        let Some(Ok(frame)) = ready!(Pin::new(&mut *inner).poll_frame(cx)) else {
            return Poll::Ready(None);
        };
        if let Ok(chunk) = Frame::into_data(frame) {
            return Poll::Ready(Some(chunk));
        }
    }
}
