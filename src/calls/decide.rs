//! Everything that is decided of a call before anything is read for it: the tool, the sector, the arguments.
//!
//! It is pure, so that the way from a request's bytes to a decided call is fuzzed as it stands (`fuzz/`).

use sextant_actors::domain::{Call, Caller, Sector, Served, Tool};

use super::target::{self, Admitted};
use super::verdict;
use super::{actions, describe_context, fetch_live, get_record, get_schema, query};
use crate::catalog::Table;
use crate::query::check::Checked;
use crate::query::fault::Fault;
use crate::query::time::LocalTime;

/// A call that was let through and can be served.
pub struct Decided {
    pub(super) sector: Option<Sector>,
    pub(super) wanted: Wanted,
}

/// What a call wants of its tool.
pub(super) enum Wanted {
    Context,
    Schema(Vec<&'static Table>),
    Rows(Box<Checked>),
    Record(get_record::Wanted),
    Live(fetch_live::Wanted),
    Actions,
}

/// Decides on `call`, which `caller` makes at `time`.
///
/// # Errors
/// What becomes of a call that is not let through (r065), or that is wrong.
pub fn decide(caller: &Caller, call: &Call, time: &LocalTime) -> Result<Decided, Box<Served>> {
    let tool = call
        .tool
        .parse()
        .map_err(|_| verdict::unknown_tool(call.tool.clone()))?;
    let aim = target::aim(tool, &call.arguments);
    let Admitted(sector) = target::admit(aim, caller.sectors).map_err(verdict::denied)?;
    let wanted = read(tool, sector, caller, call, time)
        .map_err(|fault| verdict::served(sector, &call.arguments, Err(fault.into())))?;
    Ok(Decided { sector, wanted })
}

fn read(
    tool: Tool,
    sector: Option<Sector>,
    caller: &Caller,
    call: &Call,
    time: &LocalTime,
) -> Result<Wanted, Fault> {
    let arguments = &call.arguments;
    match tool {
        Tool::DescribeContext => describe_context::read(arguments).map(|()| Wanted::Context),
        Tool::GetSchema => {
            let granted = target::sectors(sector, caller.sectors);
            get_schema::read(arguments, granted).map(Wanted::Schema)
        }
        Tool::Query => {
            query::read(arguments, caller, time).map(|checked| Wanted::Rows(checked.into()))
        }
        Tool::GetRecord => get_record::read(arguments).map(Wanted::Record),
        Tool::FetchLive => fetch_live::read(arguments, sector, caller, time).map(Wanted::Live),
        Tool::ListActions => actions::read(arguments).map(|()| Wanted::Actions),
        Tool::InvokeAction => Err(actions::refusal(arguments, sector)),
    }
}

impl Decided {
    /// The tables that will be read. None of them is outside the caller's grant.
    pub fn tables(&self) -> Vec<&'static Table> {
        match &self.wanted {
            Wanted::Context | Wanted::Actions => Vec::new(),
            Wanted::Schema(tables) => tables.clone(),
            Wanted::Rows(checked) => vec![checked.table],
            Wanted::Record(wanted) => wanted.tables.clone(),
            Wanted::Live(wanted) => wanted.rows.iter().map(|checked| checked.table).collect(),
        }
    }
}
