//! The body of an answer: every piece is handed over while the session's gate is held open (r504).
//!
//! Once the gate is closed, nothing that was computed under the old grant leaves any more, but a farewell may: in place of an
//! answer that has not begun, or as the last event of a stream. Whatever is half sent ends in an error, which cuts the
//! connection.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use http_body::{Body as _, Frame};
use http_body_util::combinators::BoxBody;
use sextant_actors::sessions::CloseReason;

use super::farewell::Farewell;
use super::holds::Held;
use crate::http::cut_off::{CutOff, PIECE_BYTES_MAX};
use crate::http::wire::Passage;

enum State {
    Open(Flow),
    Over,
}

struct Flow {
    inner: BoxBody<Bytes, Infallible>,
    /// What is left of the last chunk of `inner`.
    rest: Bytes,
    /// Whether any of it has been handed over.
    begun: bool,
    closed: Pin<Box<dyn Future<Output = CloseReason>>>,
    farewell: Farewell,
}

/// A body behind a gate.
pub struct GatedBody {
    state: State,
    size: BodySize,
    passage: Passage,
    _held: Held,
}

impl GatedBody {
    /// Puts `inner` behind the gate of its passage; what is held for it ends with it.
    pub fn new(
        inner: BoxBody<Bytes, Infallible>,
        passage: Passage,
        farewell: Farewell,
        held: Held,
    ) -> Self {
        let size = inner.size_hint().exact();
        let watched = passage.gate().clone();
        let flow = Flow {
            inner,
            rest: Bytes::new(),
            begun: false,
            closed: Box::pin(async move { watched.closed().await }),
            farewell,
        };
        Self {
            state: State::Open(flow),
            size: size.map_or(BodySize::Stream, BodySize::Sized),
            passage,
            _held: held,
        }
    }

    /// Ends the body; dropping the inner one is what cancels a stateless request in rmcp.
    fn leave(&mut self, reason: CloseReason) -> Option<Result<Bytes, CutOff>> {
        let State::Open(flow) = std::mem::replace(&mut self.state, State::Over) else {
            return None;
        };
        let cut = Some(Err(CutOff(reason)));
        match self.size {
            BodySize::Sized(length) if !flow.begun => {
                let instead = flow.farewell.instead(reason, length);
                instead.map_or(cut, |last| Some(Ok(last)))
            }
            BodySize::Stream if flow.rest.is_empty() => flow.farewell.event(reason).map(Ok),
            _ => cut,
        }
    }
}

impl MessageBody for GatedBody {
    type Error = CutOff;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, CutOff>>> {
        let body = self.get_mut();
        let State::Open(flow) = &mut body.state else {
            return Poll::Ready(None);
        };
        let reason = match body.passage.pass(|| flow.poll_piece(cx)) {
            Ok(Poll::Ready(Some(piece))) => return Poll::Ready(Some(Ok(piece))),
            Ok(Poll::Ready(None)) => {
                body.state = State::Over;
                return Poll::Ready(None);
            }
            Ok(Poll::Pending) => ready!(flow.closed.as_mut().poll(cx)),
            Err(gate_closed) => gate_closed.0,
        };
        Poll::Ready(body.leave(reason))
    }
}

impl Flow {
    /// The next piece, small enough that little has left when the gate closes.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.inner).poll_frame(cx)) {
                Some(Ok(frame)) => self.rest = Frame::into_data(frame).unwrap_or_default(),
                None => return Poll::Ready(None),
            }
        }
        self.begun = true;
        let piece = self.rest.len().min(PIECE_BYTES_MAX);
        Poll::Ready(Some(self.rest.split_to(piece)))
    }
}
