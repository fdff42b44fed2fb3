//! `query`: the engine's own tool.

use serde_json::Value;
use sextant_actors::domain::Caller;

use super::desk::Visit;
use super::verdict::{Answered, Failure};
use crate::query::check::{self, Checked};
use crate::query::fault::Fault;
use crate::query::request::Request;
use crate::query::time::LocalTime;
use crate::query::{answer, run};

pub(super) fn read(arguments: &Value, caller: &Caller, time: &LocalTime) -> Result<Checked, Fault> {
    check::check(&Request::parse(arguments)?, caller.user, time)
}

/// Answers the query; `fetched` is what a live fetch did before.
pub(super) async fn run(
    visit: &Visit<'_>,
    checked: &Checked,
    fetched: Option<&Value>,
) -> Result<Answered, Failure> {
    let page = run::query(&visit.parts.readers, checked).await?;
    let answer = answer::write(checked, &page, &visit.time, &visit.nonce()?, fetched)?;
    Ok(Answered {
        text: answer.text,
        count: answer.returned,
    })
}
