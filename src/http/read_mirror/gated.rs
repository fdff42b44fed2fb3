//! The body of an answer: every piece is handed over while the session's gate is held open (r504). Once it is closed, what is
//! half sent ends in an error, which cuts the connection.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use sextant_actors::domain::AnswerHold;
use sextant_actors::sessions::GateClosed;

use super::places::Place;
use crate::http::cut_off::{CutOff, PIECE_BYTES_MAX};
use crate::http::wire::Passage;

/// An answer behind a gate, and what its request and it hold until it is sent.
pub struct GatedAnswer {
    rest: Bytes,
    bytes: u64,
    passage: Passage,
    _place: Place,
    _hold: AnswerHold,
}

impl GatedAnswer {
    pub fn new(text: String, passage: Passage, place: Place, hold: AnswerHold) -> Self {
        Self {
            bytes: text.len() as u64,
            rest: Bytes::from(text),
            passage,
            _place: place,
            _hold: hold,
        }
    }
}

impl MessageBody for GatedAnswer {
    type Error = CutOff;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.bytes)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, CutOff>>> {
        let answer = self.get_mut();
        if answer.rest.is_empty() {
            return Poll::Ready(None);
        }
        let passed = answer.passage.pass(|| {
            let piece = answer.rest.len().min(PIECE_BYTES_MAX);
            answer.rest.split_to(piece)
        });
        Poll::Ready(Some(passed.map_err(|GateClosed(reason)| CutOff(reason))))
    }
}
