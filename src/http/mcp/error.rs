//! Why the agent port refuses a request itself, instead of passing it to rmcp. `error_response` makes the answer of it.

use rmcp::model::RequestId;
use sextant_actors::sessions::CloseReason;

use crate::capacity::QuotaExceeded;
use crate::http::admission::NotAdmitted;

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum McpError {
    /// The `Host` is not of this computer (r501).
    ForeignHost,
    /// The `Origin` is not of this computer.
    ForeignOrigin,
    /// The headers are too many or too long.
    HeadTooLarge,
    /// The caller is not admitted.
    NotAdmitted(NotAdmitted),
    /// The body is larger than the port takes.
    BodyTooLarge,
    /// The body did not arrive, or not in time.
    BodyIncomplete,
    /// The body is not declared as JSON, or in two ways.
    NotDeclaredJson,
    /// The body is declared as compressed.
    Encoded,
    /// The body is not JSON.
    NotJson,
    /// The body is an array: batches ended with 2025-03-26.
    Batch,
    /// The body holds more than [`MESSAGE_VALUES_MAX`](super::limits::MESSAGE_VALUES_MAX) values.
    TooManyValues,
    /// The body nests deeper than [`MESSAGE_LEVELS_MAX`](super::limits::MESSAGE_LEVELS_MAX) levels.
    TooDeep,
    /// The body is JSON, but no JSON-RPC message; what is wrong with it.
    NotAMessage(&'static str),
    /// `params._meta` is not an object.
    MalformedMeta,
    /// `initialize` lacks a required parameter, or is no request.
    MalformedHandshake,
    /// A header that may occur once occurs more often; its name.
    RepeatedHeader(&'static str),
    /// The protocol version is not served; the one that was requested.
    UnsupportedVersion(String),
    /// The path is not the one that is served.
    PathUnknown,
    /// The method is not served in any era.
    MethodUnknown,
    /// The method is not served in this era.
    MethodNotServed,
    /// A request of the session era has no session id.
    SessionMissing,
    /// The session is unknown, has ended, or is another agent's.
    SessionUnknown,
    /// The session ended while the request was under way.
    SessionClosed(CloseReason),
    /// The service takes no sessions now.
    Unavailable,
}

impl McpError {
    /// Whether a message was sent and is refused, for what it holds or because a header contradicts it; such a call costs an audit
    /// row (r043). A body that is not JSON is no message.
    pub(crate) fn is_of_message(&self) -> bool {
        matches!(
            self,
            McpError::BodyTooLarge
                | McpError::Batch
                | McpError::TooManyValues
                | McpError::TooDeep
                | McpError::NotAMessage(_)
                | McpError::MalformedMeta
                | McpError::RepeatedHeader(_)
                | McpError::UnsupportedVersion(_)
        )
    }
}

/// An error, with the id of the request that it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// `None` where no id was read.
    pub id: Option<RequestId>,
    /// Why the request is refused.
    pub error: McpError,
}

impl From<McpError> for RequestError {
    fn from(error: McpError) -> Self {
        Self { id: None, error }
    }
}

impl From<NotAdmitted> for McpError {
    fn from(reason: NotAdmitted) -> Self {
        McpError::NotAdmitted(reason)
    }
}

impl From<QuotaExceeded> for McpError {
    fn from(exceeded: QuotaExceeded) -> Self {
        NotAdmitted::from(exceeded).into()
    }
}
