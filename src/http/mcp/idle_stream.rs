//! A stream on which the server has nothing to say after its first event: that of `subscriptions/listen`, whose notifications never
//! come since the tools never change, and the GET of a session.
//!
//! One that is as the protocol writes it begins here (`direct::listen`); another is begun by rmcp, which checks the request. What rmcp
//! would keep for the rest (two tasks, channels, a token) takes three times the memory of the connection, so the stream is then taken
//! over: a comment from time to time, so that no proxy cuts a silent connection, until its session ends (`http::gated_body`).

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::web::Bytes;
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use rmcp::model::RequestId;
use tokio::time::{Instant, Sleep, sleep};

use super::convert::RmcpResponse;
use super::error::McpError;
use super::limits::STREAM_KEEP_ALIVE;

/// A comment of server-sent events, which clients ignore.
const COMMENT: &[u8] = b":\n\n";

const EVENT_STREAM: &str = "text/event-stream";

/// The events and comments of the stream.
struct IdleStream {
    first: Option<Bytes>,
    next_comment: Pin<Box<Sleep>>,
}

/// The answer to the `subscriptions/listen` of request `id`: the stream, which begins with rmcp's acknowledgement that no notification
/// will come.
///
/// # Errors
/// When the id cannot be written.
pub(super) fn acknowledged(id: &RequestId) -> Result<RmcpResponse, McpError> {
    let unwritten = McpError::Unavailable;
    let id = serde_json::to_string(id).map_err(|_| unwritten.clone())?;
    let event = format!(
        r#"data: {{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}},"notifications":{{}}}}}}"#
    );
    let stream = IdleStream::after(Frame::data((event + "\n\n").into()));
    http::Response::builder()
        .header(http::header::CONTENT_TYPE, EVENT_STREAM)
        .header("x-accel-buffering", "no")
        .body(stream.boxed())
        .map_err(|_| unwritten)
}

/// Takes over a stream that rmcp has begun; another answer stays as it is. Dropping rmcp's body ends what it keeps for it.
pub(super) async fn take_over(answer: RmcpResponse) -> RmcpResponse {
    let is_stream = answer
        .headers()
        .get(http::header::CONTENT_TYPE)
        .is_some_and(|kind| kind == EVENT_STREAM);
    if !is_stream {
        return answer;
    }
    let (head, mut begun) = answer.into_parts();
    let stream = match begun.frame().await {
        Some(Ok(first)) => IdleStream::after(first).boxed(),
        None => begun,
    };
    RmcpResponse::from_parts(head, stream)
}

impl IdleStream {
    fn after(first: Frame<Bytes>) -> Self {
        Self {
            first: first.into_data().ok(),
            next_comment: Box::pin(sleep(STREAM_KEEP_ALIVE)),
        }
    }
}

impl Body for IdleStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        ready!(self.next_comment.as_mut().poll(context));
        let next = Instant::now() + STREAM_KEEP_ALIVE;
        self.next_comment.as_mut().reset(next);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(COMMENT)))))
    }
}
