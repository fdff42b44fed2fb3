//! `query`: the engine's own tool.

use serde_json::Value;

use super::desk::Visit;
use super::verdict::{Answered, Failure};
use crate::query::request::Request;
use crate::query::{answer, check, run};

pub(super) async fn run(visit: &Visit<'_>) -> Result<Answered, Failure> {
    answer(visit, visit.arguments, None).await
}

/// Answers `arguments`; `fetched` is what a live fetch did before.
pub(super) async fn answer(
    visit: &Visit<'_>,
    arguments: &Value,
    fetched: Option<&Value>,
) -> Result<Answered, Failure> {
    let request = Request::parse(arguments)?;
    let checked = check::check(&request, visit.caller.user, &visit.time)?;
    let page = run::query(&visit.parts.readers, &checked).await?;
    let answer = answer::write(&checked, &page, &visit.time, &visit.nonce()?, fetched)?;
    Ok(Answered {
        text: answer.text,
        count: answer.returned,
    })
}
