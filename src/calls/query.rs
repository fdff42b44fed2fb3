//! `query`: the engine's own tool.

use serde_json::Value;

use super::desk::Visit;
use super::verdict::{Answered, Failure};
use crate::query::answer::{self, Form};
use crate::query::request::Request;
use crate::query::{check, run};

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
    let (user, time, readers) = (visit.caller.user, &visit.time, &visit.parts.readers);
    let answer = if request.is_grouped() {
        let grouped = check::grouped(&request, user, time)?;
        let page = run::groups(readers, &grouped).await?;
        answer::write(&Form::from(&grouped), &page, time, &visit.nonce()?, fetched)?
    } else {
        let checked = check::check(&request, user, time)?;
        let page = run::query(readers, &checked).await?;
        answer::write(&Form::from(&checked), &page, time, &visit.nonce()?, fetched)?
    };
    Ok(Answered {
        text: answer.text,
        count: answer.returned,
    })
}
