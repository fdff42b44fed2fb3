//! Explains an answer without rows: an agent must never have to guess whether nothing happened or nothing is known.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sextant_actors::domain::Sector;

use super::check::{Condition, RowScope, Test};
use super::column::{self, Column};
use super::page::{FieldValues, ResultPage};
use super::param::Param;
use super::sources::{self, ConnectedSource};
use super::time::LocalTime;
use crate::catalog::Table;
use crate::providers::PUSH;

/// The reason when the sources work and only the query matches nothing.
pub(crate) const NO_MATCH: &str = "no_match";
/// The most connections that a hint names: with so many an answer still fits the smallest budget.
const NAMED_MAX: usize = 3;
/// The most values of a field that a hint lists.
const VALUES_MAX: usize = 5;
/// Why an answer is empty: one of the six reasons of docs/asking.md, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct EmptyReason {
    pub reason: &'static str,
    pub hint: String,
}

/// The reason why `page`, an answer to a query for the rows of `scope`, has no rows.
pub(crate) fn explain(scope: &RowScope, page: &ResultPage, time: &LocalTime) -> EmptyReason {
    let ResultPage {
        provenance,
        has_rows,
        ..
    } = page;
    let has_rows = *has_rows;
    let sector = scope.table.sector;
    let feeding = sources::feeding(scope.table, &provenance.sources);
    if feeding.is_empty() && !has_rows {
        return empty(
            "no_connection",
            format!(
                "nothing is connected in {sector}: the operator can connect a source or push a file; nothing is known here"
            ),
        );
    }
    let working: Vec<&ConnectedSource> = feeding
        .iter()
        .copied()
        .filter(|source| is_working(source))
        .collect();
    if working.is_empty() && !feeding.is_empty() {
        return no_working_source(&feeding);
    }
    if is_outside(scope, &working, time) {
        return empty("outside_window", window_hint(&working));
    }
    let rest: Vec<&ConnectedSource> = feeding
        .into_iter()
        .filter(|source| !is_working(source))
        .collect();
    let mut hint = no_match_hint(scope, has_rows, &rest);
    hint.extend(page.kinds.iter().filter_map(values_hint));
    empty(NO_MATCH, hint)
}

/// The values that do occur, so that an agent sees whether it misspelt one; none when no value is known.
fn values_hint(kind: &FieldValues) -> Option<String> {
    let values: Vec<&str> = kind.values.iter().map(String::as_str).collect();
    let listed: Vec<&str> = values.into_iter().take(VALUES_MAX).collect();
    (!listed.is_empty()).then(|| {
        let more = match usize::try_from(kind.total) {
            Ok(total) if total > listed.len() => format!(", and {} more", total - listed.len()),
            _ => String::new(),
        };
        format!("; `{}` is one of {}{more}", kind.field, listed.join(", "))
    })
}

fn empty(reason: &'static str, hint: String) -> EmptyReason {
    EmptyReason { reason, hint }
}

fn is_working(source: &ConnectedSource) -> bool {
    !source.is_paused && !source.needs_sign_in() && source.as_of.is_some()
}

fn no_working_source(feeding: &[&ConnectedSource]) -> EmptyReason {
    let labels = |chosen: fn(&ConnectedSource) -> bool| {
        let labels: Vec<String> = feeding
            .iter()
            .filter(|source| chosen(source))
            .take(NAMED_MAX)
            .map(|source| source.quoted_label())
            .collect();
        (!labels.is_empty()).then(|| labels.join(", "))
    };
    if let Some(labels) = labels(ConnectedSource::needs_sign_in) {
        let hint = format!(
            "the operator has to sign in again at {labels}; what happened since is not known"
        );
        return empty("needs_sign_in", hint);
    }
    if let Some(labels) = labels(|source| source.is_paused) {
        let hint = format!("{labels} is paused by the operator; what happened since is not known");
        return empty("paused", hint);
    }
    // There is at least one connection: the case of none was answered before.
    let labels = labels(|_| true).unwrap_or_default();
    empty(
        "never_synced",
        format!("{labels} is connected, but nothing has come from it yet"),
    )
}

fn no_match_hint(scope: &RowScope, has_rows: bool, rest: &[&ConnectedSource]) -> String {
    let mut hint = if has_rows {
        let target = scope.table.target();
        let exactly = match scope.filter.compares_text_exactly() {
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
            source.quoted_label(),
            unknown_state(source)
        ));
    }
    hint
}

fn unknown_state(source: &ConnectedSource) -> &str {
    match source.state() {
        "active" => "never synced",
        other => other,
    }
}

fn window_hint(working: &[&ConnectedSource]) -> String {
    let start = working
        .iter()
        .filter_map(|source| source.window_start)
        .min();
    let end = working.iter().filter_map(|source| source.window_end).max();
    let edge = |edge: Option<DateTime<Utc>>| edge.map_or("now".to_owned(), super::cell::rfc3339);
    format!(
        "only the time from {} to {} is kept; outside of it nothing is known",
        start.map_or("the beginning".to_owned(), super::cell::rfc3339),
        edge(end)
    )
}

/// Whether the conditions ask only for a time that none of the connections covers.
fn is_outside(scope: &RowScope, working: &[&ConnectedSource], time: &LocalTime) -> bool {
    let Some(column) = column::main_time(scope.table) else {
        return false;
    };
    let mut bounds = TimeBounds::default();
    bounds.narrow(&scope.filter, &column, time);
    let is_before = |source: &&ConnectedSource| {
        source
            .window_start
            .zip(bounds.to)
            .is_some_and(|(start, to)| to <= start)
    };
    let is_behind = |source: &&ConnectedSource| {
        source
            .window_end
            .zip(bounds.from)
            .is_some_and(|(end, from)| from >= end)
    };
    !working.is_empty()
        && working.iter().all(|source| {
            is_bounded(source, scope.table) && (is_before(source) || is_behind(source))
        })
}

/// Whether what a connection covers bounds the rows of a table: of a home that is read its past alone, since what is there now is known
/// whole.
fn is_bounded(source: &ConnectedSource, table: &Table) -> bool {
    source.provider == PUSH || table.sector != Sector::Home || table.is_purged
}

/// The time range that a condition leaves, as far as tests that must all hold bound it.
#[derive(Default)]
struct TimeBounds {
    from: Option<DateTime<Utc>>,
    to: Option<DateTime<Utc>>,
}

impl TimeBounds {
    fn narrow(&mut self, filter: &Condition, column: &Column, time: &LocalTime) {
        match filter {
            Condition::All(filters) => filters
                .iter()
                .for_each(|filter| self.narrow(filter, column, time)),
            Condition::Is(tested, test) if tested == column => self.apply(test, time),
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
