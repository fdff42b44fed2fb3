//! Why an answer has no rows: an agent must never have to guess whether nothing happened or nothing is known.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::check::{Filter, Scope, Test};
use super::column::{self, Column};
use super::page::{Occurring, Page};
use super::param::Param;
use super::sources::{self, Source};
use super::time::LocalTime;

/// The reason that lies with the question.
pub const NO_MATCH: &str = "no_match";
/// Connections that a hint names.
const NAMED_MAX: usize = 3;
/// Values of a kind that a hint tells.
const VALUES_MAX: usize = 5;
/// Characters of a connection's label in a hint; with `NAMED_MAX` of them an answer still keeps the least budget.
const LABEL_CHARS_MAX: usize = 30;

/// The reason, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Empty {
    pub reason: &'static str,
    pub hint: String,
}

/// Explains an answer without rows.
pub fn explain(scope: &Scope, page: &Page, time: &LocalTime) -> Empty {
    let Page {
        standing, has_rows, ..
    } = page;
    let has_rows = *has_rows;
    let sector = scope.table.sector;
    let feeding = sources::feeding(scope.table, &standing.sources);
    if feeding.is_empty() && !has_rows {
        return empty(
            "no_connection",
            format!(
                "nothing is connected in {sector}: the operator can connect a source or push a file; nothing is known here"
            ),
        );
    }
    let working: Vec<&Source> = feeding
        .iter()
        .copied()
        .filter(|source| is_working(source))
        .collect();
    if working.is_empty() && !feeding.is_empty() {
        return troubled(&feeding);
    }
    if is_outside(scope, &working, time) {
        return empty("outside_window", window_hint(&working));
    }
    let rest: Vec<&Source> = feeding
        .into_iter()
        .filter(|source| !is_working(source))
        .collect();
    let mut hint = no_match_hint(scope, has_rows, &rest);
    hint.extend(page.kinds.iter().filter_map(values_hint));
    empty(NO_MATCH, hint)
}

/// A word that does not occur is told from one that does and stands elsewhere.
fn values_hint(kind: &Occurring) -> Option<String> {
    let values: Vec<&str> = kind.values.iter().map(String::as_str).collect();
    let told: Vec<&str> = values.into_iter().take(VALUES_MAX).collect();
    (!told.is_empty()).then(|| {
        let told_of = match usize::try_from(kind.total) {
            Ok(total) if total > told.len() => format!(", and {} more", total - told.len()),
            _ => String::new(),
        };
        format!("; `{}` is one of {}{told_of}", kind.field, told.join(", "))
    })
}

fn empty(reason: &'static str, hint: String) -> Empty {
    Empty { reason, hint }
}

fn is_working(source: &Source) -> bool {
    !source.is_paused && !source.needs_sign_in() && source.as_of.is_some()
}

fn troubled(feeding: &[&Source]) -> Empty {
    let labels = |chosen: fn(&Source) -> bool| {
        let labels: Vec<String> = feeding
            .iter()
            .filter(|source| chosen(source))
            .take(NAMED_MAX)
            .map(|source| named(source))
            .collect();
        (!labels.is_empty()).then(|| labels.join(", "))
    };
    if let Some(labels) = labels(Source::needs_sign_in) {
        let hint = format!(
            "the operator has to sign in again at {labels}; what happened since is not known"
        );
        return empty("needs_sign_in", hint);
    }
    if let Some(labels) = labels(|source| source.is_paused) {
        let hint = format!("{labels} is paused by the operator; what happened since is not known");
        return empty("paused", hint);
    }
    // Whoever has no connection at all was told so before.
    let labels = labels(|_| true).unwrap_or_default();
    empty(
        "never_synced",
        format!("{labels} is connected, but nothing has come from it yet"),
    )
}

fn no_match_hint(scope: &Scope, has_rows: bool, rest: &[&Source]) -> String {
    let mut hint = if has_rows {
        let target = scope.table.target();
        let exactly = match scope.filter.is_exact_about_text() {
            true => "; `eq` compares texts exactly, `contains` ignores case",
            false => "",
        };
        format!(
            "{target} has rows, but none matches: widen `where` or `search`, or ask get_schema what it covers{exactly}"
        )
    } else {
        format!(
            "{} holds no rows; another table of the sector may",
            scope.table.target()
        )
    };
    for source in rest.iter().take(NAMED_MAX) {
        hint.push_str(&format!(
            "; {} is {}, so its part is not known",
            named(source),
            unknown_state(source)
        ));
    }
    hint
}

fn named(source: &Source) -> String {
    let label = &source.label;
    match label.char_indices().nth(LABEL_CHARS_MAX) {
        None => format!("'{label}'"),
        Some((end, _)) => format!("'{}…'", label.get(..end).unwrap_or(label)),
    }
}

fn unknown_state(source: &Source) -> &str {
    match source.state() {
        "active" => "never synced",
        other => other,
    }
}

fn window_hint(working: &[&Source]) -> String {
    let start = working
        .iter()
        .filter_map(|source| source.window_start)
        .min();
    let end = working.iter().filter_map(|source| source.window_end).max();
    let edge = |edge: Option<DateTime<Utc>>| edge.map_or("now".to_owned(), super::cell::stamp);
    format!(
        "only the time from {} to {} is kept; outside of it nothing is known",
        start.map_or("the beginning".to_owned(), super::cell::stamp),
        edge(end)
    )
}

/// Whether the filter asks only for a time that none of the connections covers.
fn is_outside(scope: &Scope, working: &[&Source], time: &LocalTime) -> bool {
    let Some(column) = column::main_time(scope.table) else {
        return false;
    };
    let mut bounds = Bounds::default();
    bounds.narrow(&scope.filter, &column, time);
    let is_before = |source: &&Source| {
        source
            .window_start
            .zip(bounds.to)
            .is_some_and(|(start, to)| to <= start)
    };
    let is_behind = |source: &&Source| {
        source
            .window_end
            .zip(bounds.from)
            .is_some_and(|(end, from)| from >= end)
    };
    !working.is_empty()
        && working
            .iter()
            .all(|source| is_before(source) || is_behind(source))
}

/// The time that a filter leaves, as far as plain conditions say.
#[derive(Default)]
struct Bounds {
    from: Option<DateTime<Utc>>,
    to: Option<DateTime<Utc>>,
}

impl Bounds {
    fn narrow(&mut self, filter: &Filter, column: &Column, time: &LocalTime) {
        match filter {
            Filter::All(filters) => filters
                .iter()
                .for_each(|filter| self.narrow(filter, column, time)),
            Filter::Is(tested, test) if tested == column => self.apply(test, time),
            _ => {}
        }
    }

    fn apply(&mut self, test: &Test, time: &LocalTime) {
        match test {
            Test::Equal(param) => {
                self.raise(param, time);
                self.lower(param, time);
            }
            Test::Less(Param::Date(day)) => self.lower(&Param::Time(time.start_of(*day)), time),
            Test::Greater(Param::Date(day)) => self.raise(&Param::Time(time.end_of(*day)), time),
            Test::Greater(param) | Test::GreaterOrEqual(param) => self.raise(param, time),
            Test::Less(param) | Test::LessOrEqual(param) => self.lower(param, time),
            _ => {}
        }
    }

    fn raise(&mut self, param: &Param, time: &LocalTime) {
        let from = match param {
            Param::Time(instant) => Some(*instant),
            Param::Date(day) => Some(time.start_of(*day)),
            _ => None,
        };
        self.from = self.from.max(from);
    }

    fn lower(&mut self, param: &Param, time: &LocalTime) {
        let to = match param {
            Param::Time(instant) => Some(*instant),
            Param::Date(day) => Some(time.end_of(*day)),
            _ => None,
        };
        self.to = match (self.to, to) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
    }
}

#[cfg(test)]
mod tests;
