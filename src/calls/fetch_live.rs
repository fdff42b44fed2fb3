//! `fetch_live`: reaches the sources of a sector, then answers like `query`.

use std::time::Duration;

use serde_json::{Map, Value, json};
use sextant_actors::connections::Fetched;
use sextant_actors::domain::{Caller, EscapedText, Obstacle, Sector};

use super::context::CallContext;
use super::query;
use super::verdict::{CallFailure, ToolAnswer};
use crate::catalog::{self, Table};
use crate::query::answer;
use crate::query::arguments::{object, refuse_unknown, whole_number};
use crate::query::budget::TokenBudget;
use crate::query::check::CheckedQuery;
use crate::query::effort::Effort;
use crate::query::ends;
use crate::query::fault::CallFault;
use crate::query::request::{self, Request, main_targets};
use crate::query::time::LocalTime;

/// How long the sources may take by default.
const TIMEOUT_DEFAULT_S: u64 = 30;
/// The longest that an agent may wait (docs/asking.md#fetch_live).
const TIMEOUT_MAX_S: u64 = 60;
/// The query's arguments that apply to a bare sector, whose answer has no rows.
const BARE_ARGUMENTS: [&str; 2] = ["target", "budget"];
/// Each of the two lists of an answer without rows may take one of this many parts of its budget.
const BARE_PARTS: usize = 3;

/// A sector to fetch, and the query to answer then.
pub(super) struct LiveRequest {
    sector: Sector,
    /// How long the sources may take.
    timeout: Duration,
    /// The rows to answer; none, if the target is a bare sector.
    pub(super) rows: Option<Box<CheckedQuery>>,
    pub(super) budget: TokenBudget,
    notes: Vec<String>,
}

/// Reads all arguments before anything is fetched, so that no source is asked for a call that is wrong.
pub(super) fn read(
    arguments: &Value,
    sector: Option<Sector>,
    caller: &Caller,
    time: &LocalTime,
) -> Result<LiveRequest, CallFault> {
    let (asked, timeout) = parse(arguments)?;
    let sector = sector.ok_or_else(|| {
        let fault = CallFault::new("`target` is missing: a sector or a table");
        main_targets().fold(fault, |fault, target| fault.set("target", target))
    })?;
    let is_bare = asked.get("target").and_then(Value::as_str) == Some(sector.name());
    let question = Request::parse(&asked)?;
    let mut notes = Vec::new();
    let rows = if is_bare {
        notes.extend(asks_for_rows(&asked).then(|| rows_need_a_table(sector)));
        None
    } else {
        Some(query::read(&asked, caller, time)?.into())
    };
    Ok(LiveRequest {
        sector,
        timeout,
        rows,
        budget: question.budget,
        notes,
    })
}

/// Whether an argument applies to rows, which the answer for a bare sector does not have.
fn asks_for_rows(asked: &Value) -> bool {
    let arguments = asked.as_object().into_iter().flatten();
    let mut given = arguments.filter(|(_, value)| !value.is_null());
    given.any(|(name, _)| !BARE_ARGUMENTS.contains(&name.as_str()))
}

fn rows_need_a_table(sector: Sector) -> String {
    let tables: Vec<String> = catalog::sector(sector).iter().map(Table::target).collect();
    format!(
        "a sector alone brings no rows: `query` reads what was fetched, with `target` one of {}",
        tables.join(", ")
    )
}

pub(super) async fn run(
    context: &CallContext<'_>,
    request: &LiveRequest,
) -> Result<ToolAnswer, CallFailure> {
    let fetched = fetch(context, request.sector, request.timeout).await?;
    match &request.rows {
        Some(question) => query::run(context, question, Some(&fetched)).await,
        None => bare_answer(context, request, fetched).await,
    }
}

/// The query's own arguments, and the time-out.
fn parse(arguments: &Value) -> Result<(Value, Duration), CallFault> {
    let map = object(arguments)?;
    let known: Vec<&str> = request::ARGUMENTS
        .iter()
        .copied()
        .chain(["timeout_s"])
        .collect();
    refuse_unknown(map, &known)?;
    let seconds = whole_number(map, "timeout_s")?.unwrap_or(TIMEOUT_DEFAULT_S);
    if !(1..=TIMEOUT_MAX_S).contains(&seconds) {
        let nearest = seconds.clamp(1, TIMEOUT_MAX_S);
        return Err(CallFault::new(format!(
            "`timeout_s` is 1 to {TIMEOUT_MAX_S}, not {seconds}"
        ))
        .set("timeout_s", nearest));
    }
    let asked: Map<String, Value> = map
        .iter()
        .filter(|(name, _)| *name != "timeout_s")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    Ok((Value::Object(asked), Duration::from_secs(seconds)))
}

/// Fetches from the sources of a sector, each for no longer than `timeout`; returns what each did. Without an active connection the message is that of r071.
async fn fetch(
    context: &CallContext<'_>,
    sector: Sector,
    timeout: Duration,
) -> Result<Vec<Value>, CallFailure> {
    let fetched = context.parts.connections.fetch(sector, timeout).await;
    if fetched.is_empty() {
        let text = format!("no active connection for sector '{sector}'");
        return Err(CallFailure::Plain(Obstacle::NoSource, text));
    }
    Ok(fetched.iter().map(fetched_json).collect())
}

fn fetched_json(fetched: &Fetched) -> Value {
    json!({
        "connection": fetched.connection,
        "outcome": fetched.outcome,
        "upserted": fetched.upserted,
        "deleted": fetched.deleted,
        "message": fetched.message,
    })
}

async fn bare_answer(
    context: &CallContext<'_>,
    request: &LiveRequest,
    fetched: Vec<Value>,
) -> Result<ToolAnswer, CallFailure> {
    let sources = match context.published_sources(request.sector) {
        Some(published) => published,
        None => {
            let mut reader = context.reader(Effort::Cheap).await?;
            context.sources(&mut reader, [request.sector]).await?
        }
    };
    let now = context.time.now;
    let ends = ends::note(&sources, now);
    let sources = sources.iter().map(|source| source.standing(now));
    let mut notes = request.notes.clone();
    notes.extend(ends);
    let room = request.budget.bytes() / BARE_PARTS;
    let fetched = answer::take_fitting(room, fetched.into_iter(), |left| {
        notes.push(answer::omitted_fetched_note(left));
    })?;
    let sources = answer::take_fitting(room, sources, |left| {
        notes.push(answer::omitted_sources_note(left));
    })?;
    let mut answer = json!({"target": request.sector, "fetched": fetched, "sources": sources});
    if let Some(members) = answer.as_object_mut().filter(|_| !notes.is_empty()) {
        members.insert("notes".to_owned(), notes.into());
    }
    Ok(ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: Some(0),
    })
}
