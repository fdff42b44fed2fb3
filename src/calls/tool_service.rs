//! The one path for every call of every surface: decided, given room for its answer, run, told.

use std::sync::Arc;

use sextant_actors::domain::{AnswerHold, Call, Caller, Reply, Sector, Served};
use sextant_actors::ports::{self, PortFuture};

use super::context::{CallContext, ToolServiceParts};
use super::decide::{CheckedCall, decide, too_slow};
use super::target::{self, Aim};
use super::verdict::{self, Answered, CallFailure};
use super::{actions, describe_context, fetch_live, get_record, get_schema, query};
use crate::capacity::Share;
use crate::query::readers::ReadError;
use crate::query::time::LocalTime;

/// Serves the seven tools.
#[derive(Clone)]
pub struct ToolService(Arc<ToolServiceParts>);

impl ToolService {
    /// A service over these parts.
    pub fn new(parts: ToolServiceParts) -> Self {
        Self(Arc::new(parts))
    }
}

impl ports::ToolCalls for ToolService {
    fn sector_of(&self, call: &Call) -> Option<Sector> {
        match target::aim(call.tool.parse().ok()?, &call.arguments) {
            Aim::Sector(sector) => Some(sector),
            Aim::None | Aim::Unknown(_) => None,
        }
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        let parts = self.0.clone();
        Box::pin(async move { serve(&parts, &caller, call).await })
    }
}

async fn serve(parts: &ToolServiceParts, caller: &Caller, call: Call) -> Served {
    let time = LocalTime {
        now: parts.clock.now(),
        zone: parts.zone,
    };
    let decided = match decide(caller, &call, &time) {
        Ok(decided) => decided,
        Err(served) => return *served,
    };
    let context = CallContext {
        parts,
        caller,
        time,
    };
    // Before anything is read: what has no room is not asked for.
    let bytes = decided.checked.answer_bytes_max();
    let (room, result) = match parts.clients.reserve(caller.agent.as_ref(), bytes) {
        Ok(room) => (room, dispatch(&context, decided.checked).await),
        Err(failure) => (None, Err(failure)),
    };
    let result = result.map_err(|failure| match failure {
        CallFailure::Read(ReadError::TooSlow) => {
            too_slow(caller, &call, &context.time).map_or(failure, CallFailure::Fault)
        }
        other => other,
    });
    let served = verdict::served(decided.sector, &call.arguments, result);
    hold_room(served, room)
}

/// Has the answer hold the room that it takes, and no more, until its last byte has been handed over.
fn hold_room(served: Served, room: Option<Share>) -> Served {
    let (Reply::Answer(text), Some(mut room)) = (&served.reply, room) else {
        return served;
    };
    room.settle(text.len());
    Served {
        hold: AnswerHold::of(room),
        ..served
    }
}

async fn dispatch(
    context: &CallContext<'_>,
    checked: CheckedCall,
) -> Result<Answered, CallFailure> {
    match checked {
        CheckedCall::Context => describe_context::run(context).await,
        CheckedCall::Schema(tables) => get_schema::run(context, &tables).await,
        CheckedCall::Rows(question) => query::run(context, &question, None).await,
        CheckedCall::Record(request) => get_record::run(context, &request).await,
        CheckedCall::Live(request) => fetch_live::run(context, &request).await,
        CheckedCall::Actions => Ok(actions::list()),
    }
}
