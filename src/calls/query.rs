//! `query`: the engine's own tool.

use serde_json::Value;
use sextant_actors::domain::Caller;

use super::context::CallContext;
use super::verdict::{Answered, CallFailure};
use crate::query::answer::{self, Form};
use crate::query::check::{self, Question};
use crate::query::effort::Effort;
use crate::query::fault::Fault;
use crate::query::request::Request;
use crate::query::run;
use crate::query::time::LocalTime;

pub(super) fn read(
    arguments: &Value,
    caller: &Caller,
    time: &LocalTime,
) -> Result<Question, Fault> {
    check::question(&Request::parse(arguments)?, caller.user, time)
}

/// Answers the query; `fetched` is what a live fetch did before.
pub(super) async fn run(
    context: &CallContext<'_>,
    question: &Question,
    fetched: Option<&[Value]>,
) -> Result<Answered, CallFailure> {
    let mut reader = context.reader(Effort::of(question)).await?;
    let page = match question {
        Question::Rows(checked) => run::query(&mut reader, checked).await?,
        Question::Groups(grouped) => run::groups(&mut reader, grouped).await?,
    };
    // Writing the answer needs no connection.
    drop(reader);
    let form = Form::from(question);
    let answer = answer::write(&form, &page, &context.time, &context.nonce()?, fetched)?;
    Ok(Answered {
        text: answer.text,
        count: answer.returned,
    })
}
