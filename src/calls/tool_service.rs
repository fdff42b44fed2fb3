//! The one path of every call of every surface: decide, reserve memory for the answer, run, make the reply.

use std::sync::Arc;

use sextant_actors::domain::{AnswerHold, Call, Caller, Reply, Sector, Served};
use sextant_actors::ports::{self, PortFuture};

use super::context::{CallContext, ToolServiceParts};
use super::decide::{CheckedCall, SMALL_BYTES_MAX, decide, too_slow};
use super::target::{self, NamedSector};
use super::verdict::{self, CallFailure, ToolAnswer};
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
        match target::named_sector(call.tool.parse().ok()?, &call.arguments) {
            NamedSector::Sector(sector) => Some(sector),
            NamedSector::None | NamedSector::Unknown(_) => None,
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
    // Before anything is read: a call whose answer could not be held asks nothing of the database.
    let bytes = decided.checked.answer_bytes_max();
    let (share, result) = match parts.clients.reserve(caller.agent.as_ref(), bytes) {
        Ok(share) => (share, run(&context, decided.checked).await),
        Err(failure) => (None, Err(failure)),
    };
    let result = result.map_err(|failure| match failure {
        CallFailure::Read(ReadError::TooSlow) => {
            too_slow(caller, &call, &context.time).map_or(failure, CallFailure::Fault)
        }
        other => other,
    });
    let served = verdict::served(decided.sector, &call.arguments, result);
    hold_share(served, share)
}

/// The answer holds its share of the agent's bytes, reduced to its length, until its last byte has been sent.
fn hold_share(served: Served, share: Option<Share>) -> Served {
    let (Reply::Answer(text), Some(mut share)) = (&served.reply, share) else {
        return served;
    };
    share.settle(text.text_bytes());
    Served {
        hold: AnswerHold::of(share),
        ..served
    }
}

async fn run(context: &CallContext<'_>, checked: CheckedCall) -> Result<ToolAnswer, CallFailure> {
    match checked {
        CheckedCall::Context => describe_context::run(context).await,
        CheckedCall::Schema(tables) => get_schema::run(context, &tables).await,
        CheckedCall::Rows(question) => query::run(context, &question, None).await,
        CheckedCall::Record(request) => get_record::run(context, &request).await,
        CheckedCall::Live(request) => fetch_live::run(context, &request).await,
        CheckedCall::Actions(request) => {
            Ok(actions::list(context, &request, SMALL_BYTES_MAX).await)
        }
        CheckedCall::Action(request) => actions::invoke(context, &request, SMALL_BYTES_MAX).await,
    }
}
