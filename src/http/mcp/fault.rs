//! Why a request of the agent port gets no answer from rmcp. `rpc` says what the client gets to read of it.

use rmcp::model::RequestId;
use sextant_actors::sessions::CloseReason;

use crate::capacity::QuotaExceeded;
use crate::http::admission::NotAdmitted;

/// Why a request gets no answer from rmcp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
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
    /// The body is made of more values than any message of ours.
    TooManyValues,
    /// The body nests deeper than any message of ours.
    TooDeep,
    /// The body is JSON, but no JSON-RPC message.
    NotAMessage(&'static str),
    /// `params._meta` is not an object.
    MalformedMeta,
    /// The params of `initialize` are not what they must be, or it is no request.
    MalformedHandshake,
    /// A header that may stand once stands more often.
    RepeatedHeader(&'static str),
    /// The protocol version is none of the served ones.
    UnsupportedVersion(String),
    /// The path is not the one that is served.
    PathUnknown,
    /// The method is not served in any era.
    MethodUnknown,
    /// The method is not served in this era.
    MethodNotServed,
    /// A request of the session era without a session id.
    SessionMissing,
    /// The session is unknown, over, or another agent's.
    SessionUnknown,
    /// The session ended while the request was under way.
    SessionClosed(CloseReason),
    /// The service takes no sessions now.
    Unavailable,
}

impl Fault {
    /// Whether what was sent as the message is refused, for itself or because its head contradicts it. What is no JSON is no message.
    pub(crate) fn is_of_message(&self) -> bool {
        matches!(
            self,
            Fault::BodyTooLarge
                | Fault::Batch
                | Fault::TooManyValues
                | Fault::TooDeep
                | Fault::NotAMessage(_)
                | Fault::MalformedMeta
                | Fault::RepeatedHeader(_)
                | Fault::UnsupportedVersion(_)
        )
    }
}

/// A fault, and the request that it answers if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFault {
    /// The id of the request; none where none was read.
    pub id: Option<RequestId>,
    /// What is wrong.
    pub fault: Fault,
}

impl From<Fault> for RequestFault {
    fn from(fault: Fault) -> Self {
        Self { id: None, fault }
    }
}

impl From<NotAdmitted> for Fault {
    fn from(reason: NotAdmitted) -> Self {
        Fault::NotAdmitted(reason)
    }
}

impl From<QuotaExceeded> for Fault {
    fn from(exceeded: QuotaExceeded) -> Self {
        NotAdmitted::from(exceeded).into()
    }
}
