//! Messages of 2026-07-28 that are exactly as the protocol writes them, served without rmcp: calls of tools, and streams.
//!
//! Each is read once, strictly; whatever deviates is not direct, and rmcp gets the same bytes. To a direct message its answer would be
//! the same, byte by byte (`tests/it/mcp/differential.rs`).

pub(super) mod answer;
pub mod call;
pub(super) mod listen;
mod wire;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::http::header::HeaderMap;
use rmcp::model::{RequestId, Tool};

use self::call::DirectCall;
use self::listen::DirectListen;

/// The keyword in a tool's schema by which a header must repeat an argument; rmcp compares those.
const HEADER_KEYWORD: &str = "\"x-mcp-header\"";

/// Whether messages are served without rmcp, and how many were: the tests send the same to a port that passes all of them to rmcp.
#[derive(Clone)]
pub struct DirectCalls(Option<Arc<AtomicU64>>);

/// Reads the messages that are served without rmcp.
pub(super) struct DirectMessages {
    /// The tools whose calls are.
    tools: HashSet<Cow<'static, str>>,
    served: DirectCalls,
}

/// A message that is served without rmcp.
pub(super) enum DirectMessage {
    /// A call of a tool.
    Call(DirectCall),
    /// A request for a stream.
    Listen(DirectListen),
}

impl DirectCalls {
    /// Messages are served without rmcp where that is possible.
    pub fn enabled() -> Self {
        Self(Some(Arc::default()))
    }

    /// Every message is passed to rmcp.
    pub const fn disabled() -> Self {
        Self(None)
    }

    /// How many messages were served without rmcp.
    pub fn count(&self) -> u64 {
        self.0
            .as_ref()
            .map_or(0, |count| count.load(Ordering::Relaxed))
    }
}

impl DirectMessages {
    /// Calls of `tools` are among them, but for a tool of which a header must repeat an argument.
    pub(super) fn new(tools: &[Tool], served: DirectCalls) -> Self {
        let without_headers = tools.iter().filter(|tool| {
            let schema = serde_json::to_string(&*tool.input_schema);
            schema.is_ok_and(|schema| !schema.contains(HEADER_KEYWORD))
        });
        let tools = without_headers.map(|tool| tool.name.clone()).collect();
        Self { tools, served }
    }

    /// The message of this body, if it is served without rmcp.
    pub(super) fn read(&self, headers: &HeaderMap, body: &[u8]) -> Option<DirectMessage> {
        let count = self.served.0.as_ref()?;
        let call = DirectCall::read(headers, body);
        let call = call.filter(|direct| self.tools.contains(&*direct.call.tool));
        let message = match call {
            Some(call) => DirectMessage::Call(call),
            None => DirectMessage::Listen(DirectListen::read(headers, body)?),
        };
        count.fetch_add(1, Ordering::Relaxed);
        Some(message)
    }
}

impl DirectMessage {
    /// The id of its request.
    pub(super) const fn id(&self) -> &RequestId {
        match self {
            DirectMessage::Call(call) => &call.id,
            DirectMessage::Listen(listen) => &listen.id,
        }
    }
}
