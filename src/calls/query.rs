//! `query`: reads rows or groups of one table, through `crate::query` from request to answer.

use serde_json::Value;
use sextant_actors::domain::Caller;

use super::context::{CallContext, nonce};
use super::verdict::{CallFailure, ToolAnswer};
use crate::query::answer::{self, AnswerSpec};
use crate::query::check::{self, CheckedQuery};
use crate::query::effort::Effort;
use crate::query::fault::CallFault;
use crate::query::request::Request;
use crate::query::run;
use crate::query::time::LocalTime;

pub(super) fn read(
    arguments: &Value,
    caller: &Caller,
    time: &LocalTime,
) -> Result<CheckedQuery, CallFault> {
    check::check_query(&Request::parse(arguments)?, caller.user, time)
}

/// Answers the query; `fetched` is what `fetch_live` has fetched before.
pub(super) async fn run(
    context: &CallContext<'_>,
    question: &CheckedQuery,
    fetched: Option<&[Value]>,
) -> Result<ToolAnswer, CallFailure> {
    let mut reader = context.reader(Effort::of(question)).await?;
    let sources = context.published_sources(question.scope().table.sector);
    let page = match question {
        CheckedQuery::Rows(checked) => run::query(&mut reader, checked, sources).await?,
        CheckedQuery::Groups(grouped) => run::groups(&mut reader, grouped, sources).await?,
    };
    // Writing the answer needs no connection, which is free for another call now.
    drop(reader);
    let spec = AnswerSpec::from(question);
    let answer = answer::write(&spec, &page, &context.time, &nonce(), fetched)?;
    Ok(ToolAnswer {
        text: answer.text,
        count: Some(answer.returned),
    })
}
