//! The body of an agent's answer, at both ports: every piece is handed over while the session's gate is held open (r504).
//!
//! Once the gate is closed, nothing that was computed under the old grant leaves any more, but a surface may say so: in place of an
//! answer that has not begun, or as the last event of a stream. Whatever is half sent ends in an error, which cuts the connection.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use http_body::{Body as _, Frame};
use http_body_util::combinators::BoxBody;
use sextant_actors::sessions::CloseReason;

use super::wire::Passage;

/// Most bytes that pass the gate at once: little has left when it closes.
const PIECE_BYTES_MAX: usize = 16 * 1024;

/// What a surface says when the session ends before its answer does; nothing of it may be computed under the grant.
pub trait CutNotice {
    /// In place of a whole answer of which the length was announced and nothing has been sent; as long as that.
    fn in_place_of_answer(self, reason: CloseReason, announced_bytes: u64) -> Option<Bytes>;

    /// As the last event of a stream.
    fn last_event(self, reason: CloseReason) -> Option<Bytes>;
}

/// Nothing is said: the connection is cut.
pub(crate) struct NoNotice;

impl CutNotice for NoNotice {
    fn in_place_of_answer(self, _: CloseReason, _: u64) -> Option<Bytes> {
        None
    }

    fn last_event(self, _: CloseReason) -> Option<Bytes> {
        None
    }
}

/// The session ended before the answer was whole.
#[derive(Debug)]
pub(crate) struct AnswerCut(CloseReason);

impl fmt::Display for AnswerCut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.0;
        write!(
            formatter,
            "the session ended before its answer did: {reason:?}"
        )
    }
}

impl std::error::Error for AnswerCut {}

/// A body behind a gate, and what is held until it is over.
pub(crate) struct GatedBody<Notice, Held> {
    state: State<Notice>,
    size: BodySize,
    passage: Passage,
    _until_dropped: Held,
}

enum State<Notice> {
    /// More of it may be handed over.
    Open(Flow<Notice>),
    /// It has ended, or was cut.
    Over,
}

struct Flow<Notice> {
    inner: BoxBody<Bytes, Infallible>,
    /// What is left of the last chunk of `inner`.
    rest: Bytes,
    /// Whether any of it has been handed over.
    begun: bool,
    closed: Pin<Box<dyn Future<Output = CloseReason>>>,
    notice: Notice,
}

impl<Notice, Held> GatedBody<Notice, Held> {
    /// Puts `inner` behind the gate of its passage.
    pub(crate) fn new(
        inner: BoxBody<Bytes, Infallible>,
        passage: Passage,
        notice: Notice,
        held: Held,
    ) -> Self {
        let size = inner.size_hint().exact();
        let watched = passage.gate().clone();
        let flow = Flow {
            inner,
            rest: Bytes::new(),
            begun: false,
            closed: Box::pin(async move { watched.closed().await }),
            notice,
        };
        Self {
            state: State::Open(flow),
            size: size.map_or(BodySize::Stream, BodySize::Sized),
            passage,
            _until_dropped: held,
        }
    }
}

impl<Notice: CutNotice, Held> GatedBody<Notice, Held> {
    /// Ends the body; dropping the inner one is what cancels a stateless request in rmcp.
    fn cut(&mut self, reason: CloseReason) -> Option<Result<Bytes, AnswerCut>> {
        let State::Open(flow) = std::mem::replace(&mut self.state, State::Over) else {
            return None;
        };
        let cut = Some(Err(AnswerCut(reason)));
        match self.size {
            BodySize::Sized(length) if !flow.begun => {
                let instead = flow.notice.in_place_of_answer(reason, length);
                instead.map_or(cut, |last| Some(Ok(last)))
            }
            BodySize::Stream if flow.rest.is_empty() => flow.notice.last_event(reason).map(Ok),
            _ => cut,
        }
    }
}

impl<Notice: CutNotice + Unpin, Held: Unpin> MessageBody for GatedBody<Notice, Held> {
    type Error = AnswerCut;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, AnswerCut>>> {
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
        Poll::Ready(body.cut(reason))
    }
}

impl<Notice> Flow<Notice> {
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
