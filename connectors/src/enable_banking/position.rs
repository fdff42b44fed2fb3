//! What an account goes on from.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::payments::WaitingPayments;
use crate::round::ScopeCoverage;

/// As it is stored with the last page of the account in a round. Nothing in it: nothing was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LinkedPosition {
    /// The consent in which all that the bank tells was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) consent: Option<String>,
    /// When it was read last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_at: Option<DateTime<Utc>>,
    /// From this day to `read_at` everything was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<NaiveDate>,
    /// How many days back the bank tells, where it refused more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) span_days: Option<i64>,
    pub(super) payments: WaitingPayments,
}

impl LinkedPosition {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }

    /// From when on the account is covered.
    pub(super) fn coverage(&self) -> ScopeCoverage {
        let beginning = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
        let from = self.from.map(beginning);
        from.map_or(ScopeCoverage::AsAsked, ScopeCoverage::From)
    }

    /// After everything from `start` on was told. Where that leaves a gap to what was read before, only what lies behind the gap counts.
    pub(super) fn reread(&mut self, start: NaiveDate, now: DateTime<Utc>) {
        let is_gap = self.read_at.is_none_or(|read| read.date_naive() < start);
        self.from = match self.from {
            Some(from) if !is_gap => Some(from.min(start)),
            _ => Some(start),
        };
        self.read_at = Some(now);
    }
}
