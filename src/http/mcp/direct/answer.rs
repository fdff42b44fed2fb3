//! The answer to a direct call: one JSON-RPC frame, written once, behind the session's gate.

use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Bytes;
use http_body_util::{BodyExt, Full};
use rmcp::ErrorData;
use rmcp::model::{JsonRpcError, RequestId};
use serde::Serialize;
use sextant_actors::domain::{AnswerHold, EscapedText, Obstacle, Reply, Served};
use sextant_actors::sessions::CallError;

use crate::http::gated_body::GatedBody;
use crate::http::mcp::error::McpError;
use crate::http::mcp::error_response::mark_turned_away;
use crate::http::mcp::farewell::Farewell;
use crate::http::mcp::service::{cancelled_call, unknown_tool};
use crate::http::wire::Passage;

/// Bytes of a frame beside its id and its text.
const FRAME_BYTES: usize = 128;

/// The frame of a call's answer, and what goes with it.
pub(in crate::http::mcp) struct DirectAnswer {
    id: RequestId,
    frame: Bytes,
    is_turned_away: bool,
    hold: AnswerHold,
}

impl DirectAnswer {
    /// The answer to the call of request `id`.
    ///
    /// # Errors
    /// [`McpError::SessionClosed`] when the session ended first.
    pub(in crate::http::mcp) fn new(
        id: RequestId,
        served: Result<Served, CallError>,
    ) -> Result<Self, McpError> {
        let (reply, hold) = match served {
            Ok(Served { reply, hold, .. }) => (reply, hold),
            Err(CallError::Closed(reason)) => return Err(McpError::SessionClosed(reason)),
            Err(CallError::Cancelled) => return Self::of_error(id, cancelled_call()),
        };
        let is_turned_away = matches!(reply, Reply::Failure(Obstacle::Busy, _));
        let (text, is_error) = match reply {
            Reply::Answer(json) => (json, false),
            Reply::Fault(words) | Reply::Failure(_, words) => (EscapedText::of(&words), true),
            Reply::UnknownTool(name) => return Self::of_error(id, unknown_tool(&name)),
        };
        Ok(Self {
            frame: result_frame(&id, &text, is_error)?.into(),
            is_turned_away,
            hold,
            id,
        })
    }

    fn of_error(id: RequestId, error: ErrorData) -> Result<Self, McpError> {
        let frame = JsonRpcError::new(Some(id.clone()), error);
        Ok(Self {
            frame: json(&frame)?.into(),
            is_turned_away: false,
            hold: AnswerHold::default(),
            id,
        })
    }

    /// The answer as actix-web sends it. A call that was turned away gets the status 503, as in `convert`.
    pub(in crate::http::mcp) fn into_response(self, passage: Passage) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        response.insert_header((CONTENT_TYPE, "application/json"));
        if self.is_turned_away {
            mark_turned_away(&mut response);
        }
        let body = Full::new(self.frame).boxed();
        let farewell = Farewell::Error(self.id);
        response.body(GatedBody::new(body, passage, farewell, self.hold))
    }
}

/// rmcp's `CallToolResult` of one text, in the frame of its request's answer.
fn result_frame(id: &RequestId, text: &EscapedText, is_error: bool) -> Result<String, McpError> {
    let (id, text) = (json(id)?, text.as_escaped());
    let mut frame = String::with_capacity(FRAME_BYTES + id.len() + text.len());
    for piece in [
        r#"{"jsonrpc":"2.0","id":"#,
        &id,
        r#","result":{"resultType":"complete","content":[{"type":"text","text":""#,
        text,
        r#""}],"isError":"#,
        if is_error { "true" } else { "false" },
        "}}",
    ] {
        frame.push_str(piece);
    }
    Ok(frame)
}

fn json(value: &impl Serialize) -> Result<String, McpError> {
    serde_json::to_string(value).map_err(|_| McpError::Unavailable)
}
