//! What is sent instead of an answer, or of the rest of it, when its session ends first: nothing that was computed under the grant.

use actix_web::web::Bytes;
use rmcp::model::{JsonRpcError, RequestId};
use serde::Serialize;
use sextant_actors::sessions::CloseReason;

use super::envelope::Envelope;
use super::error_response::session_closed;
use super::protocol::listen_result;
use crate::http::gated_body::CutNotice;

/// What replaces the answer to a request whose session ends.
#[derive(Debug, PartialEq, Eq)]
pub enum Farewell {
    /// A JSON-RPC error with the reason, which also keeps a client from trying to resume the stream.
    Error(RequestId),
    /// The final result of a listen stream.
    ListenResult(RequestId),
    /// Nothing: there is no request to answer.
    Silence,
}

impl Farewell {
    /// The farewell of this message's answer.
    pub fn of(envelope: &Envelope) -> Self {
        match (&envelope.id, envelope.method.as_deref()) {
            (None, _) => Farewell::Silence,
            (Some(id), Some("subscriptions/listen")) => Farewell::ListenResult(id.clone()),
            (Some(id), _) => Farewell::Error(id.clone()),
        }
    }
}

impl CutNotice for Farewell {
    fn last_event(self, reason: CloseReason) -> Option<Bytes> {
        let message = match self {
            Farewell::Error(id) => json(&error(id, reason)),
            Farewell::ListenResult(id) => json(&listen_result(id)),
            Farewell::Silence => return None,
        };
        Some(Bytes::from(format!("data: {}\n\n", message?)))
    }

    /// Padded with spaces to the announced length: JSON allows them after a text (RFC 8259 §2).
    fn in_place_of_answer(self, reason: CloseReason, announced_bytes: u64) -> Option<Bytes> {
        let (Farewell::Error(id) | Farewell::ListenResult(id)) = self else {
            return None;
        };
        let mut message = json(&error(id, reason))?;
        let length = usize::try_from(announced_bytes).ok()?;
        let padding = length.checked_sub(message.len())?;
        message.extend(std::iter::repeat_n(' ', padding));
        Some(Bytes::from(message))
    }
}

fn error(id: RequestId, reason: CloseReason) -> JsonRpcError {
    JsonRpcError::new(Some(id), session_closed(reason))
}

fn json(message: &impl Serialize) -> Option<String> {
    serde_json::to_string(message).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farewell_in_place_of_an_answer_has_its_length_or_is_none() {
        let error = || Farewell::Error(RequestId::Number(7));
        let padded = error()
            .in_place_of_answer(CloseReason::GrantChanged, 120)
            .unwrap();
        assert_eq!(padded.len(), 120);
        let read: JsonRpcError = serde_json::from_slice(&padded).unwrap();
        assert_eq!(read.error.message, "grant changed, retry");
        assert_eq!(
            error().in_place_of_answer(CloseReason::GrantChanged, 20),
            None
        );
        assert_eq!(Farewell::Silence.last_event(CloseReason::Ended), None);
    }
}
