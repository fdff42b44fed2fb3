//! The answer to a direct call: one JSON-RPC frame, written once, behind the session's gate.

use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Bytes;
use http_body_util::{BodyExt, Full};
use rmcp::ErrorData;
use rmcp::model::{JsonRpcError, RequestId};
use serde::Serialize;
use sextant_actors::domain::{AnswerHold, Obstacle, Reply, Served};
use sextant_actors::sessions::CallError;

use super::error::McpError;
use super::error_response::mark_turned_away;
use super::farewell::Farewell;
use super::service::{cancelled_call, unknown_tool};
use crate::http::gated_body::GatedBody;
use crate::http::wire::Passage;

/// Bytes of a frame beside its text, and room for what escaping adds to a short one.
const FRAME_BYTES: usize = 256;

/// The frame of a call's answer, and what goes with it.
pub(super) struct DirectAnswer {
    id: RequestId,
    frame: Bytes,
    is_turned_away: bool,
    hold: AnswerHold,
}

#[derive(Serialize)]
struct ResultFrame<'a> {
    jsonrpc: &'static str,
    id: &'a RequestId,
    result: CallResult<'a>,
}

/// rmcp's `CallToolResult` of one text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    result_type: &'static str,
    content: [TextBlock<'a>; 1],
    is_error: bool,
}

#[derive(Serialize)]
struct TextBlock<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl DirectAnswer {
    /// The answer to the call of request `id`.
    ///
    /// # Errors
    /// [`McpError::SessionClosed`] when the session ended first.
    pub(super) fn new(id: RequestId, served: Result<Served, CallError>) -> Result<Self, McpError> {
        let (reply, hold) = match served {
            Ok(Served { reply, hold, .. }) => (reply, hold),
            Err(CallError::Closed(reason)) => return Err(McpError::SessionClosed(reason)),
            Err(CallError::Cancelled) => return Self::of_error(id, cancelled_call()),
        };
        let (text, is_error) = match &reply {
            Reply::Answer(json) => (json, false),
            Reply::Fault(words) | Reply::Failure(_, words) => (words, true),
            Reply::UnknownTool(name) => return Self::of_error(id, unknown_tool(name)),
        };
        let frame = ResultFrame {
            jsonrpc: "2.0",
            id: &id,
            result: CallResult {
                result_type: "complete",
                content: [TextBlock {
                    r#type: "text",
                    text,
                }],
                is_error,
            },
        };
        Ok(Self {
            frame: write(&frame, text.len())?,
            is_turned_away: matches!(reply, Reply::Failure(Obstacle::Busy, _)),
            hold,
            id,
        })
    }

    fn of_error(id: RequestId, error: ErrorData) -> Result<Self, McpError> {
        let frame = JsonRpcError::new(Some(id.clone()), error);
        Ok(Self {
            frame: write(&frame, 0)?,
            is_turned_away: false,
            hold: AnswerHold::default(),
            id,
        })
    }

    /// The answer as actix-web sends it. A call that was turned away gets the status 503, as in `convert`.
    pub(super) fn into_response(self, passage: Passage) -> HttpResponse {
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

/// Writes a frame around a text of `text_bytes`.
fn write(frame: &impl Serialize, text_bytes: usize) -> Result<Bytes, McpError> {
    // An answer is JSON itself, whose quotes are escaped: about an eighth more.
    let mut bytes = Vec::with_capacity(text_bytes + text_bytes / 8 + FRAME_BYTES);
    serde_json::to_writer(&mut bytes, frame).map_err(|_| McpError::Unavailable)?;
    Ok(bytes.into())
}
