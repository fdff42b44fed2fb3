//! Everything that is decided of a call before anything is read for it: the tool, the sector, the arguments.
//!
//! It is pure, so that the path from the bytes of a request to a decided call can be fuzzed (`fuzz/`).

use serde_json::Value;
use sextant_actors::domain::{Call, Caller, Sector, Served, Tool};

use super::target::{self, AdmittedTarget};
use super::verdict;
use super::{actions, describe_context, fetch_live, get_record, get_schema, query};
use crate::catalog::{self, Table};
use crate::query::check::CheckedQuery;
use crate::query::fault::CallFault;
use crate::query::readers::TOO_SLOW;
use crate::query::repair::narrow::narrower;
use crate::query::time::LocalTime;

/// Most bytes of an answer that has no budget of its own: of `get_schema`, `describe_context` and the actions.
pub(super) const SMALL_BYTES_MAX: usize = 64 * 1024;

/// A call that the grant allows and whose arguments are right.
pub struct Decided {
    pub(super) sector: Option<Sector>,
    pub(super) checked: CheckedCall,
}

/// The tool of a decided call, with its arguments read.
pub(super) enum CheckedCall {
    /// `describe_context`.
    Context,
    /// `get_schema` of these tables.
    Schema(Vec<&'static Table>),
    /// `query`.
    Rows(Box<CheckedQuery>),
    /// `get_record`.
    Record(get_record::RecordRequest),
    /// `fetch_live`.
    Live(fetch_live::LiveRequest),
    /// `list_actions`.
    Actions(actions::ListRequest),
    /// `invoke_action`.
    Action(actions::InvokeRequest),
}

impl CheckedCall {
    /// The most bytes that the answer may have.
    pub(super) fn answer_bytes_max(&self) -> usize {
        match self {
            CheckedCall::Context
            | CheckedCall::Schema(_)
            | CheckedCall::Actions(_)
            | CheckedCall::Action(_) => SMALL_BYTES_MAX,
            CheckedCall::Rows(question) => question.budget().bytes(),
            CheckedCall::Record(_) => get_record::ANSWER_BYTES_MAX,
            CheckedCall::Live(request) => request.budget.bytes(),
        }
    }
}

/// Decides on `call`, which `caller` makes at `time`.
///
/// # Errors
/// What is returned of a call that the grant does not allow (r065), or whose arguments are wrong.
pub fn decide(caller: &Caller, call: &Call, time: &LocalTime) -> Result<Decided, Box<Served>> {
    let tool = call
        .tool
        .parse()
        .map_err(|_| verdict::unknown_tool(call.tool.clone()))?;
    let named = target::named_sector(tool, &call.arguments);
    let AdmittedTarget(sector) = target::admit(named, caller.sectors).map_err(verdict::denied)?;
    let checked = read(tool, sector, caller, &call.arguments, time).map_err(|fault| {
        let is_right = |arguments: &Value| check_call(tool, caller, arguments, time);
        let fault = fault.settle(&call.arguments, is_right);
        verdict::served(sector, &call.arguments, Err(fault.into()))
    })?;
    Ok(Decided { sector, checked })
}

/// The fault of a query that took too long, with a narrower query that would be served; `None` for other tools, which have nothing
/// to narrow.
pub(super) fn too_slow(caller: &Caller, call: &Call, time: &LocalTime) -> Option<CallFault> {
    let tool = call.tool.parse().ok()?;
    if !matches!(tool, Tool::Query | Tool::FetchLive) {
        return None;
    }
    let target = call.arguments.get("target")?.as_str()?;
    let narrower = narrower(catalog::by_target(target)?, &call.arguments)?;
    let is_right = |arguments: &Value| check_call(tool, caller, arguments, time);
    let fault = CallFault::new(TOO_SLOW).suggest(narrower);
    Some(fault.settle(&call.arguments, is_right))
}

/// Whether a call with these arguments would be served; no other is suggested as the corrected call.
fn check_call(
    tool: Tool,
    caller: &Caller,
    arguments: &Value,
    time: &LocalTime,
) -> Result<(), CallFault> {
    let named = target::named_sector(tool, arguments);
    let AdmittedTarget(sector) =
        target::admit(named, caller.sectors).map_err(|denied| CallFault::new(denied.reason))?;
    read(tool, sector, caller, arguments, time).map(drop)
}

fn read(
    tool: Tool,
    sector: Option<Sector>,
    caller: &Caller,
    arguments: &Value,
    time: &LocalTime,
) -> Result<CheckedCall, CallFault> {
    match tool {
        Tool::DescribeContext => describe_context::read(arguments).map(|()| CheckedCall::Context),
        Tool::GetSchema => {
            let granted = target::sectors(sector, caller.sectors);
            get_schema::read(arguments, granted).map(CheckedCall::Schema)
        }
        Tool::Query => {
            query::read(arguments, caller, time).map(|question| CheckedCall::Rows(question.into()))
        }
        Tool::GetRecord => get_record::read(arguments).map(CheckedCall::Record),
        Tool::FetchLive => fetch_live::read(arguments, sector, caller, time).map(CheckedCall::Live),
        Tool::ListActions => actions::read_list(arguments).map(CheckedCall::Actions),
        Tool::InvokeAction => actions::read_invoke(arguments, sector).map(CheckedCall::Action),
    }
}

impl Decided {
    /// The tables that will be read. None of them is outside the caller's grant.
    pub fn tables(&self) -> Vec<&'static Table> {
        match &self.checked {
            CheckedCall::Context | CheckedCall::Actions(_) | CheckedCall::Action(_) => Vec::new(),
            CheckedCall::Schema(tables) => tables.clone(),
            CheckedCall::Rows(question) => vec![question.scope().table],
            CheckedCall::Record(request) => request.tables.clone(),
            CheckedCall::Live(request) => {
                let questions = request.rows.iter();
                questions.map(|question| question.scope().table).collect()
            }
        }
    }
}
