//! The result of a call, as the audit row and the agent get it.

use serde_json::Value;
use sextant_actors::domain::{
    AnswerHold, Decision, EscapedText, Obstacle, Outcome, Reply, Sector, Served,
};

use super::target::Denied;
use crate::query::answer::AnswerError;
use crate::query::fault::CallFault;
use crate::query::readers::ReadError;

/// The answer of a tool: compact JSON, and the count of the audit row.
#[derive(Debug)]
pub(super) struct ToolAnswer {
    pub(super) text: EscapedText,
    /// `None` where the tool has none.
    pub(super) count: Option<usize>,
}

/// Why an allowed call was not answered.
#[derive(Debug)]
pub(super) enum CallFailure {
    /// The call is wrong.
    Fault(CallFault),
    /// The database did not answer.
    Read(ReadError),
    /// The cause, and the sentence that the agent reads.
    Plain(Obstacle, String),
}

impl From<CallFault> for CallFailure {
    fn from(fault: CallFault) -> Self {
        CallFailure::Fault(fault)
    }
}

impl From<AnswerError> for CallFailure {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Fault(fault) => CallFailure::Fault(fault),
            AnswerError::Malformed(error) => CallFailure::Read(error.into()),
            AnswerError::Random(error) => CallFailure::Plain(Obstacle::Service, error.to_string()),
        }
    }
}

impl From<ReadError> for CallFailure {
    fn from(error: ReadError) -> Self {
        CallFailure::Read(error)
    }
}

/// The result of a call that was allowed.
pub(super) fn served(
    sector: Option<Sector>,
    arguments: &Value,
    result: Result<ToolAnswer, CallFailure>,
) -> Served {
    let (outcome, count, reply) = match result {
        Ok(answer) => {
            let count = answer.count;
            let count = count.map(|count| i32::try_from(count).unwrap_or(i32::MAX));
            (Outcome::Ok, count, Reply::Answer(answer.text))
        }
        Err(failure) => (Outcome::Error, None, reply(failure, arguments)),
    };
    Served {
        decision: Decision::Allow,
        outcome: Some(outcome),
        sector,
        count,
        reply,
        hold: AnswerHold::default(),
    }
}

/// The result of a call that the grant does not allow; nothing ran.
pub(super) fn denied(denied: Denied) -> Served {
    Served {
        decision: Decision::Deny(denied.reason.clone().into()),
        outcome: None,
        sector: denied.sector,
        count: None,
        reply: Reply::Fault(denied.reason),
        hold: AnswerHold::default(),
    }
}

/// The result of a call of a tool that does not exist.
pub(super) fn unknown_tool(name: String) -> Served {
    Served {
        decision: Decision::Allow,
        outcome: Some(Outcome::Error),
        sector: None,
        count: None,
        reply: Reply::UnknownTool(name),
        hold: AnswerHold::default(),
    }
}

fn reply(failure: CallFailure, arguments: &Value) -> Reply {
    match failure {
        CallFailure::Fault(fault) => Reply::Fault(fault.say(arguments)),
        CallFailure::Read(ReadError::TooSlow) => Reply::Fault(ReadError::TooSlow.to_string()),
        CallFailure::Read(error @ (ReadError::Unavailable | ReadError::Busy)) => {
            Reply::Failure(Obstacle::Database, error.to_string())
        }
        CallFailure::Read(error @ ReadError::Crowded) => {
            Reply::Failure(Obstacle::Busy, error.to_string())
        }
        CallFailure::Read(ReadError::Failed) => {
            Reply::Failure(Obstacle::Service, ReadError::Failed.to_string())
        }
        CallFailure::Plain(obstacle, text) => Reply::Failure(obstacle, text),
    }
}
