//! A refusal that is sent at once while the body still arrives: a little of the rest is thrown away, because closing on
//! unread bytes would lose the answer (docs/pushing.md#answers).

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::Stream;
use tokio::time::{Sleep, sleep};

use crate::ingest::limits::{DISCARD_BYTES_MAX, DISCARD_TIME_MAX};

/// Answers with `body` as JSON and closes the connection.
pub(super) fn refuse(
    mut response: HttpResponseBuilder,
    body: String,
    rest: Payload,
) -> HttpResponse {
    let answer = Bytes::from(body);
    let body = Refusal {
        bytes: answer.len() as u64,
        answer: Some(answer),
        rest,
        left: DISCARD_BYTES_MAX,
        end: Box::pin(sleep(DISCARD_TIME_MAX)),
    };
    response
        .content_type("application/json")
        .force_close()
        .body(body)
}

struct Refusal {
    answer: Option<Bytes>,
    bytes: u64,
    rest: Payload,
    left: usize,
    end: Pin<Box<Sleep>>,
}

impl MessageBody for Refusal {
    type Error = actix_web::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.bytes)
    }

    /// The answer goes out with the first call; the later ones only keep the connection open for a moment.
    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if let Some(answer) = self.answer.take() {
            return Poll::Ready(Some(Ok(answer)));
        }
        while self.end.as_mut().poll(context).is_pending() {
            match Pin::new(&mut self.rest).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(chunk))) if chunk.len() <= self.left => {
                    self.left -= chunk.len()
                }
                Poll::Ready(_) => break,
            }
        }
        Poll::Ready(None)
    }
}
