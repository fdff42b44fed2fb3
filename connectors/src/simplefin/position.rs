//! What an account goes on from.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::limits::{SIMPLEFIN_BACK_MAX, SIMPLEFIN_QUIET_SPANS_MAX};
use crate::payments::WaitingPayments;

/// As it is stored with a page of the account. Nothing in it: nothing was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AccountPosition {
    /// When it was read last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_at: Option<DateTime<Utc>>,
    /// From here to `read_at` everything was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<DateTime<Utc>>,
    /// The beginning of the earliest span in which there was something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) told_from: Option<DateTime<Utc>>,
    /// Spans before that in which there was nothing.
    pub(super) quiet_spans: u32,
    /// Whether holdings were told of it at any time.
    pub(super) has_holdings: bool,
    pub(super) payments: WaitingPayments,
}

impl AccountPosition {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }

    /// After everything from `start` on was asked for. Where that leaves a gap to what was read before, what lies before is to be read.
    pub(super) fn reread(&mut self, start: DateTime<Utc>, now: DateTime<Utc>, is_quiet: bool) {
        let is_gap = self.read_at.is_none_or(|read_at| read_at < start);
        if is_gap {
            self.from = Some(start);
            self.quiet_spans = 0;
            self.told_from = self.told_from.filter(|_| self.read_at.is_some());
        }
        if !is_quiet {
            self.told_from = Some(self.told_from.map_or(start, |told| told.min(start)));
        }
        self.read_at = Some(now);
    }

    /// After a span before it was asked for.
    pub(super) fn back_to(&mut self, start: DateTime<Utc>, is_quiet: bool) {
        self.from = Some(start);
        self.quiet_spans = if is_quiet { self.quiet_spans + 1 } else { 0 };
        if !is_quiet {
            self.told_from = Some(start);
        }
    }

    /// Where a span back would end; `None` when there is no more, or no more is wanted.
    pub(super) fn unread_before(&self, since: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let is_left = self.quiet_spans < SIMPLEFIN_QUIET_SPANS_MAX;
        self.from.filter(|from| is_left && *from > since)
    }
}

/// Before which nothing is asked for.
pub(super) fn wanted_since(since: Option<DateTime<Utc>>, now: DateTime<Utc>) -> DateTime<Utc> {
    since.unwrap_or(now - SIMPLEFIN_BACK_MAX)
}
