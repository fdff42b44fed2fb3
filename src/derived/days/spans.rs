//! Sleeps and workouts as spans of time: what one connection recorded twice is counted once. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

/// A span of time recorded by a connection, and how many minutes of it count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RecordedSpan {
    pub day: NaiveDate,
    pub connection: Uuid,
    pub start: DateTime<Utc>,
    pub end: DateTime<Utc>,
    pub minutes: f64,
    /// Whether the source measured these minutes; otherwise they are estimated from a longer time, such as that in bed.
    pub is_measured: bool,
}

/// The total of a connection's spans on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MeasuredTotal {
    pub minutes: f64,
    measured_minutes: f64,
}

impl MeasuredTotal {
    /// Whether at least half of the minutes were measured.
    pub(super) fn is_mostly_measured(&self) -> bool {
        self.measured_minutes * 2.0 >= self.minutes
    }

    fn with(self, span: &RecordedSpan) -> Self {
        let measured = if span.is_measured { span.minutes } else { 0.0 };
        Self {
            minutes: self.minutes + span.minutes,
            measured_minutes: self.measured_minutes + measured,
        }
    }
}

/// Spans that do not overlap, by their start.
#[derive(Default)]
struct DisjointSpans(BTreeMap<DateTime<Utc>, RecordedSpan>);

impl DisjointSpans {
    /// Adds the span unless it overlaps one that was added. Since those are disjoint, only the last that begins before this
    /// one's end can overlap, or one with the same start.
    fn add(&mut self, span: RecordedSpan) {
        let before = self.0.range(..span.end).next_back();
        let overlaps = before.is_some_and(|(_, added)| added.end > span.start);
        if !overlaps {
            self.0.entry(span.start).or_insert(span);
        }
    }
}

/// The total of each connection on each day. Of overlapping spans a measured one counts, and of several the one with the most
/// minutes.
pub(super) fn total_by_connection(
    mut spans: Vec<RecordedSpan>,
) -> BTreeMap<(NaiveDate, Uuid), MeasuredTotal> {
    spans.sort_by(|one, other| {
        let surer = other.is_measured.cmp(&one.is_measured);
        let longer = other.minutes.total_cmp(&one.minutes);
        surer
            .then(longer)
            .then((one.start, one.end).cmp(&(other.start, other.end)))
    });
    let mut disjoint: BTreeMap<(NaiveDate, Uuid), DisjointSpans> = BTreeMap::new();
    for span in spans {
        disjoint
            .entry((span.day, span.connection))
            .or_default()
            .add(span);
    }
    disjoint
        .into_iter()
        .map(|(key, DisjointSpans(spans))| {
            (
                key,
                spans
                    .values()
                    .fold(MeasuredTotal::default(), MeasuredTotal::with),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(connection: u128, start: i64, end: i64, minutes: f64) -> RecordedSpan {
        let at = |minute: i64| DateTime::from_timestamp(minute * 60, 0).unwrap();
        RecordedSpan {
            day: NaiveDate::MIN,
            connection: Uuid::from_u128(connection),
            start: at(start),
            end: at(end),
            minutes,
            is_measured: true,
        }
    }

    #[test]
    fn a_night_told_twice_counts_once_and_a_nap_is_added() {
        let total = total_by_connection(vec![
            span(1, 0, 480, 480.0),
            span(1, 10, 470, 430.0),
            span(1, 480, 500, 20.0),
            span(2, 0, 400, 400.0),
        ]);
        let minutes: Vec<f64> = total.into_values().map(|total| total.minutes).collect();
        assert_eq!(minutes, [500.0, 400.0]);
    }

    #[test]
    fn time_in_bed_counts_only_where_no_sleep_is_known() {
        let in_bed = |start, end| RecordedSpan {
            is_measured: false,
            ..span(1, start, end, (end - start) as f64)
        };
        let total = |spans| total_by_connection(spans).into_values().next().unwrap();
        let night = total(vec![in_bed(0, 480), span(1, 10, 470, 390.0)]);
        assert_eq!(night.minutes, 390.0);
        assert!(night.is_mostly_measured());
        let known_nap = total(vec![in_bed(0, 480), span(1, 600, 630, 30.0)]);
        assert_eq!(known_nap.minutes, 510.0);
        assert!(!known_nap.is_mostly_measured());
    }
}
