//! Converts the stored rows of a calendar series to the input of the pure expansion, and its occurrences to rows.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use sextant_formats::recurrence::{
    self, Covers, EventSeries, EventTiming, Exception, Master, Occurrence, OccurrenceTime,
};

use super::instant::local_instant;
use super::row::SectorRow;
use crate::catalog::row_id;

/// The qualified table of occurrences.
const EVENTS: &str = "calendar.events";
/// The qualified table of series.
const SERIES: &str = "calendar.series";

/// One row of `calendar.series`, as far as its occurrences depend on it.
#[derive(Clone, Debug, Default)]
pub(super) struct SeriesComponent {
    pub id: Uuid,
    pub source_id: String,
    /// The series that an exception belongs to.
    pub series_source_id: Option<String>,
    pub recurrence_id: Option<String>,
    pub calendar_id: Option<Uuid>,
    pub start_at: Option<DateTime<Utc>>,
    pub end_at: Option<DateTime<Utc>>,
    pub start_date: Option<NaiveDate>,
    pub end_date: Option<NaiveDate>,
    pub zone: Option<Tz>,
    pub status: Option<String>,
    pub lines: Vec<String>,
    /// When its source last changed it.
    pub updated_at: Option<DateTime<Utc>>,
    /// The fields that are copied to the occurrences.
    pub details: Map<String, Value>,
}

impl SeriesComponent {
    /// The source id of the series it belongs to.
    pub(super) fn series(&self) -> &str {
        self.series_source_id.as_deref().unwrap_or(&self.source_id)
    }

    fn timing(&self) -> Option<EventTiming> {
        match (self.start_at, self.start_date) {
            (Some(start), _) => Some(EventTiming::Timed {
                start,
                end: self.end_at,
                zone: self.zone,
            }),
            (None, Some(start)) => Some(EventTiming::AllDay {
                start,
                end: self.end_date,
            }),
            (None, None) => None,
        }
    }

    fn is_exception(&self) -> bool {
        self.recurrence_id.is_some()
    }

    fn master(&self) -> Option<Master> {
        Some(Master {
            source_id: self.source_id.clone(),
            timing: self.timing()?,
            lines: self.lines.clone(),
            status: self.status(),
        })
    }

    fn exception(&self) -> Option<Exception> {
        Some(Exception {
            source_id: self.source_id.clone(),
            recurrence_id: self.recurrence_id.clone()?,
            timing: self.timing(),
            status: self.status(),
        })
    }

    /// Confirmed unless the row says otherwise; the catalogue admits no other words.
    fn status(&self) -> sextant_formats::recurrence::EventStatus {
        self.status
            .as_deref()
            .and_then(|status| status.parse().ok())
            .unwrap_or_default()
    }
}

/// The series made of a master and its exceptions.
pub(super) fn assemble(components: &[SeriesComponent]) -> EventSeries {
    EventSeries {
        master: components
            .iter()
            .find(|component| !component.is_exception())
            .and_then(SeriesComponent::master),
        exceptions: components
            .iter()
            .filter_map(SeriesComponent::exception)
            .collect(),
    }
}

/// Makes the rows of `calendar.events` of one series.
pub(super) struct EventRows {
    pub connection: Uuid,
    pub operator_zone: Tz,
    /// The series' source id.
    pub series: String,
    pub components: Vec<SeriesComponent>,
}

impl EventRows {
    /// The rows of all its occurrences, and the period they cover. A series that cannot be expanded is refused before it is
    /// stored; one that an older version stored nevertheless has no occurrences.
    pub(super) fn expand(&self, now: DateTime<Utc>) -> (Vec<SectorRow>, Option<Covers>) {
        match recurrence::expand(&assemble(&self.components), self.operator_zone, now) {
            Ok(expansion) => (
                expansion
                    .occurrences
                    .iter()
                    .map(|occurrence| self.row(occurrence))
                    .collect(),
                expansion.covers,
            ),
            Err(_) => (Vec::new(), None),
        }
    }

    /// The `series_id` of all its occurrences; the series itself may not have been sent.
    pub(super) fn series_id(&self) -> Uuid {
        row_id(self.connection, SERIES, &self.series)
    }

    /// The row of one occurrence: an exception's details take precedence over the master's.
    fn row(&self, occurrence: &Occurrence) -> SectorRow {
        let source_id = format!("{}/{}", self.series, occurrence.original_start);
        let master = self
            .components
            .iter()
            .find(|component| !component.is_exception());
        let replaced = occurrence.override_source_id.as_ref();
        let exception = replaced.and_then(|id| {
            self.components
                .iter()
                .find(|component| component.source_id == *id)
        });
        let mut columns = Map::new();
        for component in [exception, master].into_iter().flatten() {
            for (name, value) in component
                .details
                .iter()
                .filter(|(_, value)| !value.is_null())
            {
                columns.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        let mut set = |name: &str, value: Value| columns.insert(name.to_owned(), value);
        set("series_id", json!(self.series_id()));
        set(
            "override_id",
            json!(exception.map(|component| component.id)),
        );
        set(
            "calendar_id",
            json!(
                [exception, master]
                    .into_iter()
                    .flatten()
                    .find_map(|component| component.calendar_id)
            ),
        );
        set("original_start", json!(occurrence.original_start));
        set(
            "is_recurring",
            json!(exception.is_some() || master.is_some_and(|master| !master.lines.is_empty())),
        );
        set("status", json!(occurrence.status.as_str()));
        columns.extend(self.when(&occurrence.when));
        SectorRow {
            id: row_id(self.connection, EVENTS, &source_id),
            source_id,
            columns,
            references: Vec::new(),
            extra: None,
            raw: None,
            updated_at: [exception, master]
                .into_iter()
                .flatten()
                .find_map(|component| component.updated_at),
        }
    }

    /// The columns of date and time. All-day events have instants too, midnight in the operator's zone, so that one query
    /// finds all events of a day.
    fn when(&self, when: &OccurrenceTime) -> Vec<(String, Value)> {
        let midnight =
            |day: NaiveDate| local_instant(day.and_time(NaiveTime::MIN), self.operator_zone);
        let columns = match when {
            OccurrenceTime::Timed { start, end } => vec![
                ("start_at", json!(start)),
                ("end_at", json!(end)),
                ("is_all_day", json!(false)),
            ],
            OccurrenceTime::AllDay { start, end } => vec![
                ("start_at", json!(midnight(*start))),
                ("end_at", json!(midnight(*end))),
                ("start_date", json!(start)),
                ("end_date", json!(end)),
                ("is_all_day", json!(true)),
            ],
        };
        let columns = columns.into_iter();
        columns
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
