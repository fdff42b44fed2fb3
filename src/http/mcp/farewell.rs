//! What an answer says when its session ends before it does.

use actix_web::web::Bytes;
use rmcp::model::{JsonRpcError, RequestId};
use sextant_actors::sessions::CloseReason;

use super::envelope::Envelope;
use super::rpc::session_closed;
use super::service::listen_result;

/// How an answer ends when its session does.
pub enum Farewell {
    /// A last event, then the regular end of the stream. An event that was half sent cannot be followed by another: it is cut.
    Event(Box<dyn FnOnce(CloseReason) -> Bytes>),
    /// The regular end of the stream.
    Silence,
    /// An error, which cuts the connection: what was sent is not whole.
    Cut,
}

/// What the stream of this message says when its session ends: a listen stream its final result, any other the error that
/// keeps a client from trying to resume.
pub fn farewell(envelope: &Envelope) -> Farewell {
    let Some(id) = envelope.id.clone() else {
        return Farewell::Silence;
    };
    if envelope.method.as_deref() == Some("subscriptions/listen") {
        return Farewell::Event(Box::new(move |_| event(&listen_result(id))));
    }
    Farewell::Event(Box::new(move |reason| event(&closing_error(id, reason))))
}

fn closing_error(id: RequestId, reason: CloseReason) -> JsonRpcError {
    JsonRpcError::new(Some(id), session_closed(reason))
}

/// One server-sent event. What cannot be written as JSON is not said: the stream then ends without it.
fn event(message: &impl serde::Serialize) -> Bytes {
    let json = serde_json::to_string(message).unwrap_or_default();
    Bytes::from(format!("data: {json}\n\n"))
}
