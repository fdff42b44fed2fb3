//! The connections that an answer's rows come from: their state, and how fresh their data is.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use sextant_actors::domain::{ConnectionState, KnownConnection};

use super::cell::rfc3339;
use crate::catalog::{self, Origin, Table};
use crate::db::{Cells, StoreError};
use crate::providers::PUSH;

/// How often a connection is read that has no interval of its own.
const INTERVAL_DEFAULT: TimeDelta = TimeDelta::minutes(15);
/// A pulled connection that missed so many intervals is stale. A push connection has no schedule, so it never is.
const MISSED_MAX: i32 = 3;
/// How long before its credential or consent ends a connection is warned of.
pub(crate) const WARNED_BEFORE: TimeDelta = TimeDelta::days(14);
/// The most characters of a connection's label in a sentence.
const LABEL_CHARS_MAX: usize = 30;
/// The columns of a connection in `connections/standing.sql`, after `sector`.
const COLUMNS_AFTER_SECTOR: usize = 12;

/// One connection, with what agents may know of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConnectedSource {
    pub sector: String,
    pub label: String,
    pub provider: String,
    /// The table that a push connection fills, as `sector.table`.
    pub target: String,
    pub is_paused: bool,
    /// As `public.connections` stores it: `ok`, `syncing`, `waiting`, or what is wrong.
    pub health: String,
    /// The last failure, as `describe_context` shows it.
    pub problem: Option<Value>,
    /// The end of the last sync or push that succeeded.
    pub as_of: Option<DateTime<Utc>>,
    /// It holds the sample household: invented data.
    pub is_sample: bool,
    /// How often it is read, if it has an interval of its own.
    pub interval: Option<TimeDelta>,
    /// When its credential or consent ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// The time that it covers; [`Self::published`] does not know it.
    pub window_start: Option<DateTime<Utc>>,
    pub window_end: Option<DateTime<Utc>>,
}

/// One element of `sources` in an answer.
#[derive(Debug, Serialize)]
pub(crate) struct SourceStanding<'a> {
    as_of: Option<String>,
    connection: &'a str,
    /// Left out where that is far.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at: Option<String>,
    /// Left out where it is not sample data.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<bool>,
    stale: bool,
    state: &'a str,
}

impl ConnectedSource {
    /// Takes the columns of a connection from a row of [`super::provenance::statement`]; `None` when the row holds no connection.
    ///
    /// # Errors
    /// When the statement was another.
    pub(crate) fn take(cells: &mut Cells<'_>) -> Result<Option<Self>, StoreError> {
        let Some(sector) = cells.named("sector")? else {
            cells.skip(COLUMNS_AFTER_SECTOR);
            return Ok(None);
        };
        Ok(Some(Self {
            sector,
            label: cells.named("label")?,
            provider: cells.named("provider")?,
            target: cells.named("target_table")?,
            is_paused: cells.named("is_paused")?,
            health: cells.named("health")?,
            problem: cells.named("problem")?,
            as_of: cells.named("last_success_at")?,
            is_sample: cells.named("is_sample")?,
            interval: cells.named::<Option<i32>>("interval_s")?.map(seconds),
            expires_at: cells.named("expires_at")?,
            window_start: cells.named("window_start")?,
            window_end: cells.named("window_end")?,
        }))
    }

    /// The connection as it is published, without the time that it covers.
    pub(crate) fn published(connection: &KnownConnection) -> Self {
        Self {
            sector: connection.sector.name().to_owned(),
            label: connection.label.clone(),
            provider: connection.provider.clone(),
            target: connection.target.clone(),
            is_paused: connection.state == ConnectionState::Paused,
            health: connection.health.clone(),
            problem: connection.problem.clone(),
            as_of: connection.last_success_at,
            is_sample: connection.is_sample,
            interval: connection
                .interval
                .and_then(|interval| TimeDelta::from_std(interval).ok()),
            expires_at: connection.expires_at,
            window_start: None,
            window_end: None,
        }
    }

    /// `active`, `paused`, or what is wrong with it.
    pub(crate) fn state(&self) -> &str {
        if self.is_paused {
            return "paused";
        }
        match self.health.as_str() {
            "ok" | "syncing" | "waiting" => "active",
            trouble => trouble,
        }
    }

    /// Whether it works again only after the operator signs in.
    pub(crate) fn needs_sign_in(&self) -> bool {
        let needs = ["needs_sign_in", "needs_credentials", "consent_expired"];
        !self.is_paused && needs.contains(&self.health.as_str())
    }

    /// Whether its source may hold newer data than the store. Trouble that passes by itself is none before it has lasted.
    pub(crate) fn is_stale(&self, now: DateTime<Utc>) -> bool {
        let is_pulled = self.provider != PUSH;
        let is_stopped = self.is_paused || self.needs_sign_in();
        let is_in_trouble = !is_pulled && self.state() != "active";
        let patience = self.interval.unwrap_or(INTERVAL_DEFAULT) * MISSED_MAX;
        let is_late = |as_of: DateTime<Utc>| is_pulled && now - as_of > patience;
        is_stopped || is_in_trouble || self.as_of.is_none_or(is_late)
    }

    /// When its credential or consent ends, if that is near or past.
    pub(crate) fn ends_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.expires_at
            .filter(|ends_at| *ends_at - now <= WARNED_BEFORE)
    }

    /// Its label as a sentence names it.
    pub(crate) fn quoted_label(&self) -> String {
        let label = &self.label;
        match label.char_indices().nth(LABEL_CHARS_MAX) {
            None => format!("'{label}'"),
            Some((end, _)) => format!("'{}…'", label.get(..end).unwrap_or(label)),
        }
    }

    /// Whether rows of `table` may come from it: a pulled connection fills its whole sector, a push connection its table,
    /// the tables nested in that or referred to by it, and the tables derived from it.
    fn feeds(&self, table: &Table) -> bool {
        let is_made = table.is_merged || matches!(table.origin, Origin::Derived | Origin::View);
        if self.provider != PUSH || is_made {
            return true;
        }
        catalog::by_target(&self.target).is_none_or(|own| {
            own.name == table.name
                || own.parts.iter().any(|part| part.table == table.name)
                || own.fields.iter().any(|field| {
                    field
                        .reference
                        .is_some_and(|reference| reference.table == table.name)
                })
        })
    }

    /// Its element of `sources` in an answer.
    pub(crate) fn standing(&self, now: DateTime<Utc>) -> SourceStanding<'_> {
        SourceStanding {
            as_of: self.as_of.map(rfc3339),
            connection: &self.label,
            ends_at: self.ends_at(now).map(rfc3339),
            sample: self.is_sample.then_some(true),
            stale: self.is_stale(now),
            state: self.state(),
        }
    }

    /// One connection in the answer of `describe_context`.
    pub(crate) fn to_context_json(&self, now: DateTime<Utc>) -> Value {
        let mut shown = Map::new();
        shown.insert("label".into(), self.label.as_str().into());
        shown.insert("state".into(), self.state().into());
        shown.insert("as_of".into(), self.as_of.map(rfc3339).into());
        shown.insert("covers_from".into(), self.window_start.map(rfc3339).into());
        if let Some(ends_at) = self.ends_at(now) {
            shown.insert("ends_at".into(), rfc3339(ends_at).into());
        }
        if self.is_sample {
            shown.insert("sample".into(), true.into());
        }
        if let Some(problem) = &self.problem {
            shown.insert("problem".into(), problem.clone());
        }
        Value::Object(shown)
    }
}

/// The column holds no negative numbers, and none that is no time.
fn seconds(stored: i32) -> TimeDelta {
    TimeDelta::seconds(stored.into())
}

/// The connections that fill `table`; if none does, all of `sources`, since rows must have come from one of them.
pub(crate) fn feeding<'a>(
    table: &Table,
    sources: &'a [ConnectedSource],
) -> Vec<&'a ConnectedSource> {
    let feeding: Vec<&ConnectedSource> = sources
        .iter()
        .filter(|source| source.feeds(table))
        .collect();
    if feeding.is_empty() {
        sources.iter().collect()
    } else {
        feeding
    }
}

/// A healthy push connection, for tests.
#[cfg(test)]
pub(crate) fn example() -> ConnectedSource {
    ConnectedSource {
        sector: "finance".into(),
        label: "Bank".into(),
        provider: PUSH.into(),
        target: "finance.transactions".into(),
        is_paused: false,
        health: "ok".into(),
        problem: None,
        as_of: "2026-03-01T08:00:00Z".parse().ok(),
        is_sample: false,
        interval: None,
        expires_at: None,
        window_start: None,
        window_end: None,
    }
}

#[cfg(test)]
mod tests;
