//! What `GET /api/audit` is asked, read into a filter, a direction and a place to begin.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::cursor;
use crate::http::endpoint::{Parameter, Schema};
use crate::http::problem::Problem;
use crate::http::query_string::Parameters;
use crate::http::schema::{one_of, stamp as stamp_of, text};
use crate::store::audit_read::{AuditFilter, Direction, Position};

/// Rows of a page that says nothing.
const PAGE_ROWS: usize = 50;
/// The most rows of a page.
const PAGE_ROWS_MAX: usize = 500;
/// The value of `agent` that stands for null; no agent may have this name.
const NO_AGENT: &str = "-";
/// The parameters, as they are told of and as they are known.
pub(super) const ASKED: &[Parameter] = &[
    asked("agent", "Rows of this agent; `-` for rows of none.", text),
    asked("tool", "Rows of this verb.", text),
    asked("sector", "Rows of this sector.", text),
    asked("decision", "Let through or refused.", || one_of(&DECISIONS)),
    asked("outcome", "What the work reported.", || one_of(&OUTCOMES)),
    asked("result", "Decision and outcome in one word.", || {
        one_of(&RESULTS)
    }),
    asked("from", "Rows from this time on.", stamp_of),
    asked("to", "Rows before this time.", stamp_of),
    asked("q", "Rows that hold this text.", text),
    asked("limit", "Rows of a page.", rows_of),
    asked("before", "`next` of an earlier answer.", text),
    asked("after", "`prev` of an earlier answer.", text),
];
/// Those of them that choose rows, which the whole record may be asked with too.
pub(super) const FILTERS: &[Parameter] = ASKED.split_at(FILTERS_COUNT).0;
/// They stand first, and these are the rest: a page's size and place.
const FILTERS_COUNT: usize = ASKED.len() - 3;
const DECISIONS: [&str; 2] = ["allow", "deny"];
const OUTCOMES: [&str; 2] = ["ok", "error"];
const RESULTS: [&str; 3] = ["allowed", "denied", "errored"];

const fn asked(name: &'static str, about: &'static str, schema: Schema) -> Parameter {
    Parameter {
        name,
        about,
        schema,
    }
}

fn rows_of() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": PAGE_ROWS_MAX, "default": PAGE_ROWS })
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At the newest row.
    Newest,
    /// At the rows older than this place.
    Before(Position),
    /// At the rows newer than this place, the nearest first.
    After(Position),
}

/// One page, as asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageRequest {
    pub(super) filter: AuditFilter,
    pub(super) start: Start,
    pub(super) limit: usize,
}

impl PageRequest {
    /// Reads a query string.
    ///
    /// # Errors
    /// The parameter that cannot be taken.
    pub(super) fn parse(query: &str) -> Result<Self, Problem> {
        let mut sent = Parameters::parse(query, &names(ASKED))?;
        let limit = sent.take("limit").map_or(Ok(PAGE_ROWS), limit)?;
        let start = start(sent.take("before"), sent.take("after"))?;
        let filter = filter(sent)?;
        Ok(Self {
            filter,
            start,
            limit,
        })
    }

    pub(super) const fn direction(&self) -> Direction {
        match self.start {
            Start::Newest | Start::Before(_) => Direction::Older,
            Start::After(_) => Direction::Newer,
        }
    }

    pub(super) fn from(&self) -> Position {
        match self.start {
            Start::Newest => Position::newest(),
            Start::Before(position) | Start::After(position) => position,
        }
    }
}

/// Reads the query string of a question for all rows that pass a filter.
///
/// # Errors
/// The parameter that cannot be taken.
pub(super) fn whole(query: &str) -> Result<AuditFilter, Problem> {
    filter(Parameters::parse(query, &names(FILTERS))?)
}

fn names(asked: &[Parameter]) -> Vec<&'static str> {
    asked.iter().map(|asked| asked.name).collect()
}

fn limit(text: String) -> Result<usize, Problem> {
    text.parse()
        .ok()
        .filter(|limit| (1..=PAGE_ROWS_MAX).contains(limit))
        .ok_or_else(|| {
            Problem::invalid(
                "limit",
                format!("send a whole number from 1 to {PAGE_ROWS_MAX}"),
            )
        })
}

fn start(before: Option<String>, after: Option<String>) -> Result<Start, Problem> {
    match (before, after) {
        (None, None) => Ok(Start::Newest),
        (Some(cursor), None) => place("before", &cursor).map(Start::Before),
        (None, Some(cursor)) => place("after", &cursor).map(Start::After),
        (Some(_), Some(_)) => Err(Problem::invalid("after", "send before or after, not both")),
    }
}

fn place(field: &'static str, text: &str) -> Result<Position, Problem> {
    cursor::decode(text)
        .ok_or_else(|| Problem::invalid(field, "send a `next` or `prev` of an earlier answer"))
}

fn filter(mut sent: Parameters) -> Result<AuditFilter, Problem> {
    let decision = choice(&mut sent, "decision", &DECISIONS)?;
    let outcome = choice(&mut sent, "outcome", &OUTCOMES)?;
    let (decision, outcome) = match result(&mut sent)? {
        None => (decision, outcome),
        Some(classes) if decision.is_none() && outcome.is_none() => classes,
        Some(_) => {
            return Err(Problem::invalid(
                "result",
                "send result, or decision and outcome, not both",
            ));
        }
    };
    let agent = sent.take("agent");
    let without_agent = agent.as_deref() == Some(NO_AGENT);
    Ok(AuditFilter {
        agent: agent.filter(|_| !without_agent),
        without_agent,
        tool: sent.take("tool"),
        sector: sent.take("sector"),
        decision,
        outcome,
        text: sent.take("q").map(|text| text.to_lowercase()),
        from: stamp(&mut sent, "from")?,
        to: stamp(&mut sent, "to")?,
    })
    .and_then(without_nul)
}

/// PostgreSQL has no text with U+0000, so that nothing recorded can match it.
fn without_nul(filter: AuditFilter) -> Result<AuditFilter, Problem> {
    let texts = [
        ("agent", &filter.agent),
        ("tool", &filter.tool),
        ("sector", &filter.sector),
        ("q", &filter.text),
    ];
    let faulty = texts
        .into_iter()
        .find(|(_, text)| text.as_ref().is_some_and(|text| text.contains('\0')));
    match faulty {
        None => Ok(filter),
        Some((field, _)) => Err(Problem::invalid(
            field,
            "U+0000 is in no text of the record",
        )),
    }
}

type Classes = (Option<&'static str>, Option<&'static str>);

/// The three results of a call (r029) as decision and outcome.
fn result(sent: &mut Parameters) -> Result<Option<Classes>, Problem> {
    let word = choice(sent, "result", &RESULTS)?;
    Ok(word.map(|word| match word {
        "allowed" => (Some("allow"), Some("ok")),
        "errored" => (Some("allow"), Some("error")),
        _ => (Some("deny"), None),
    }))
}

fn choice(
    sent: &mut Parameters,
    field: &'static str,
    words: &[&'static str],
) -> Result<Option<&'static str>, Problem> {
    let Some(text) = sent.take(field) else {
        return Ok(None);
    };
    let known = words.iter().find(|word| **word == text).copied();
    known
        .map(Some)
        .ok_or_else(|| Problem::invalid(field, format!("send one of {}", words.join(", "))))
}

fn stamp(sent: &mut Parameters, field: &'static str) -> Result<Option<DateTime<Utc>>, Problem> {
    let within = Position::oldest().created_at..=Position::newest().created_at;
    sent.take(field)
        .map(|text| {
            DateTime::parse_from_rfc3339(&text)
                .ok()
                .map(|stamp| stamp.to_utc())
                .filter(|stamp| within.contains(stamp))
                .ok_or_else(|| {
                    Problem::invalid(
                        field,
                        "send a time as RFC 3339, such as 2026-01-31T00:00:00Z",
                    )
                })
        })
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_asks_nothing_is_the_newest_fifty() {
        let asked = PageRequest::parse("").unwrap();
        assert_eq!((asked.limit, asked.start), (50, Start::Newest));
        assert!(asked.filter.is_bounded_by_time_only());
    }

    #[test]
    fn every_filter_is_read() {
        let asked = PageRequest::parse(
            "agent=-&tool=query&sector=mail&result=errored&from=2026-01-01T00:00:00Z&to=2026-02-01T01:00:00%2B01:00&q=MiXed&limit=500",
        )
        .unwrap();
        let filter = asked.filter;
        assert!(filter.without_agent && filter.agent.is_none());
        assert_eq!(
            (filter.decision, filter.outcome),
            (Some("allow"), Some("error"))
        );
        assert_eq!(filter.text.as_deref(), Some("mixed"));
        assert_eq!(filter.to.unwrap().to_rfc3339(), "2026-02-01T00:00:00+00:00");
        assert_eq!(
            (filter.tool.as_deref(), filter.sector.as_deref()),
            (Some("query"), Some("mail"))
        );
    }

    #[test]
    fn what_cannot_be_taken_is_refused() {
        for query in [
            "limit=0",
            "limit=501",
            "limit=x",
            "before=x",
            "before=AA&after=AA",
            "decision=maybe",
            "outcome=fine",
            "result=ok",
            "result=denied&decision=deny",
            "from=yesterday",
            "to=2026-01-01",
            "user_id=1",
            "q=%00",
        ] {
            assert!(PageRequest::parse(query).is_err(), "{query}");
        }
    }
}
