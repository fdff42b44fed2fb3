//! The connections that stand behind an answer: how they are, and how fresh.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Map, Value, json};
use tokio_postgres::Row;

use super::cell::stamp;
use crate::catalog::{self, Origin, Table};
use crate::providers::PUSH;

/// A pulled connection whose last success is older than this is stale. A device pushes when it likes.
const FRESH_HOURS: i64 = 24;

/// One connection as its readers may know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub sector: String,
    pub label: String,
    pub provider: String,
    /// The qualified table that a push connection fills.
    pub target: String,
    pub is_paused: bool,
    pub health: String,
    pub problem: Option<Value>,
    pub as_of: Option<DateTime<Utc>>,
    /// What it covers, where that was asked for.
    pub window_start: Option<DateTime<Utc>>,
    pub window_end: Option<DateTime<Utc>>,
}

impl Source {
    /// Reads a row of [`super::standing::statement`], which may be without a connection.
    ///
    /// # Errors
    /// When the statement was another.
    pub fn read(row: &Row) -> Result<Option<Self>, tokio_postgres::Error> {
        let Some(sector) = row.try_get("sector")? else {
            return Ok(None);
        };
        Self::of(row, sector).map(Some)
    }

    /// Reads a row of [`super::standing::covered`].
    ///
    /// # Errors
    /// When the statement was another.
    pub fn read_covered(row: &Row) -> Result<Self, tokio_postgres::Error> {
        Ok(Self {
            window_start: row.try_get("window_start")?,
            window_end: row.try_get("window_end")?,
            ..Self::of(row, row.try_get("sector")?)?
        })
    }

    fn of(row: &Row, sector: String) -> Result<Self, tokio_postgres::Error> {
        Ok(Self {
            sector,
            label: row.try_get("label")?,
            provider: row.try_get("provider")?,
            target: row.try_get("target_table")?,
            is_paused: row.try_get("is_paused")?,
            health: row.try_get("health")?,
            problem: row.try_get("problem")?,
            as_of: row.try_get("last_success_at")?,
            window_start: None,
            window_end: None,
        })
    }

    /// `active`, `paused`, or what is the matter.
    pub fn state(&self) -> &str {
        if self.is_paused {
            return "paused";
        }
        match self.health.as_str() {
            "ok" | "syncing" | "waiting" => "active",
            trouble => trouble,
        }
    }

    /// Only the operator can make it work again, by signing in.
    pub fn needs_sign_in(&self) -> bool {
        let needs = ["needs_sign_in", "needs_credentials", "consent_expired"];
        !self.is_paused && needs.contains(&self.health.as_str())
    }

    /// Whether newer data may exist than what is kept.
    pub fn is_stale(&self, now: DateTime<Utc>) -> bool {
        let is_late = |as_of: DateTime<Utc>| {
            self.provider != PUSH && now - as_of > Duration::hours(FRESH_HOURS)
        };
        self.state() != "active" || self.as_of.is_none_or(is_late)
    }

    /// Whether rows of `table` may come from it: a pulled connection fills its whole sector, a pushed one its table,
    /// what hangs on that, and what is made of it.
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

    /// As `sources` of an answer shows it.
    pub fn brief(&self, now: DateTime<Utc>) -> Value {
        json!({
            "connection": self.label,
            "state": self.state(),
            "as_of": self.as_of.map(stamp),
            "stale": self.is_stale(now),
        })
    }

    /// As `describe_context` shows it.
    pub fn fresh(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("label".into(), self.label.as_str().into());
        shown.insert("state".into(), self.state().into());
        shown.insert("as_of".into(), self.as_of.map(stamp).into());
        shown.insert("covers_from".into(), self.window_start.map(stamp).into());
        if let Some(problem) = &self.problem {
            shown.insert("problem".into(), problem.clone());
        }
        Value::Object(shown)
    }
}

/// The connections that fill `table`; if none of the sector's does, all of them, which is the best guess.
pub fn feeding<'a>(table: &Table, sources: &'a [Source]) -> Vec<&'a Source> {
    let feeding: Vec<&Source> = sources
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
pub fn example() -> Source {
    Source {
        sector: "finance".into(),
        label: "Bank".into(),
        provider: PUSH.into(),
        target: "finance.transactions".into(),
        is_paused: false,
        health: "ok".into(),
        problem: None,
        as_of: "2026-03-01T08:00:00Z".parse().ok(),
        window_start: None,
        window_end: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_connection_feeds_its_table_and_what_hangs_on_it() {
        let bank = example();
        let feeds = |target: &str| bank.feeds(catalog::by_target(target).unwrap());
        assert!(feeds("finance.transactions"));
        assert!(feeds("finance.accounts"), "nested as the account");
        assert!(feeds("finance.balances"), "derived");
        assert!(!feeds("finance.holdings"));
        let phone = Source {
            sector: "health".into(),
            target: "health.samples".into(),
            ..example()
        };
        assert!(
            phone.feeds(catalog::by_target("health.days").unwrap()),
            "merged"
        );
        let pulled = Source {
            provider: "google".into(),
            ..example()
        };
        assert!(pulled.feeds(catalog::by_target("finance.holdings").unwrap()));
    }

    #[test]
    fn only_a_pulled_connection_grows_stale_with_time() {
        let later = example().as_of.unwrap() + Duration::hours(FRESH_HOURS + 1);
        assert!(!example().is_stale(later));
        assert!(
            Source {
                provider: "google".into(),
                ..example()
            }
            .is_stale(later)
        );
        assert!(
            Source {
                is_paused: true,
                ..example()
            }
            .is_stale(example().as_of.unwrap())
        );
        assert!(
            Source {
                as_of: None,
                ..example()
            }
            .is_stale(later)
        );
    }
}
