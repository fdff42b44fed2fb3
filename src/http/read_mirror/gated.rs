//! The body of an answer: every piece is handed over while the session's gate is held open (r504). Once it is closed, what is
//! half sent ends in an error, which cuts the connection.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use sextant_actors::domain::Hold;
use sextant_actors::sessions::{Gate, GateClosed};

use super::places::Place;
use crate::http::cut_off::{CutOff, PIECE_BYTES_MAX};

/// An answer behind a gate, and what its request and it hold until it is sent.
pub struct GatedAnswer {
    rest: Bytes,
    bytes: u64,
    gate: Gate,
    _place: Place,
    _hold: Hold,
}

impl GatedAnswer {
    pub fn new(text: String, gate: Gate, place: Place, hold: Hold) -> Self {
        Self {
            bytes: text.len() as u64,
            rest: Bytes::from(text),
            gate,
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

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, CutOff>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let gate = self.gate.clone();
        let passed = gate.pass(|| {
            let piece = self.rest.len().min(PIECE_BYTES_MAX);
            self.rest.split_to(piece)
        });
        Poll::Ready(Some(passed.map_err(|GateClosed(reason)| CutOff(reason))))
    }
}
