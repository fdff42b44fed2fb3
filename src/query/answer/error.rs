//! Why a page was not written as an answer.

use sextant_actors::random::Unavailable;

use crate::db::StoreError;
use crate::query::fault::CallFault;

/// Why there is no answer, although the page was read.
#[derive(Debug)]
pub(crate) enum AnswerError {
    /// The call is wrong, or asks for more than its budget holds.
    Fault(CallFault),
    /// A value is none of its kind.
    Malformed(StoreError),
    /// There is no randomness for the nonce of a fence.
    Random(Unavailable),
}

impl From<CallFault> for AnswerError {
    fn from(fault: CallFault) -> Self {
        AnswerError::Fault(fault)
    }
}

impl From<StoreError> for AnswerError {
    fn from(error: StoreError) -> Self {
        AnswerError::Malformed(error)
    }
}

impl From<Unavailable> for AnswerError {
    fn from(error: Unavailable) -> Self {
        AnswerError::Random(error)
    }
}

/// Every value of an answer has a form in JSON, so that this does not happen.
impl From<serde_json::Error> for AnswerError {
    fn from(_: serde_json::Error) -> Self {
        AnswerError::Fault(CallFault::new("the answer cannot be written"))
    }
}
