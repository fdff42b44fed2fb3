//! The booking day of a pending transaction that was sent without one: inferred from its other fields, and marked as inferred
//! (docs/pushing.md#records). Pure.
//!
//! An inferred day is replaced only by one of a better source, so that neither a repeat nor a change of the zone moves it.
//! This file decides among the rows of one push; against the stored row, the upsert applies the same rule
//! (`statements/write.rs`).

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use chrono_tz::Tz;
use serde_json::Value;

use crate::catalog::{InferredDay, Kind, Table};

use super::row::SectorRow;

/// The years that a date may have; the local day of an instant at their edge may be outside.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// Gives `row` an inferred day if its table has one and the row was sent without a day. `zone` is the operator's, `now` the
/// instant of the push.
pub(super) fn infer(table: &Table, row: &mut SectorRow, zone: Tz, now: DateTime<Utc>) {
    let Some(rule) = table.inferred_day else {
        return;
    };
    let (field, value) = rule.applies_to;
    let applies = row.columns.get(field).and_then(Value::as_str) == Some(value);
    if !applies || row.columns.contains_key(rule.day) {
        return;
    }
    let inferred = rule.sources.iter().find_map(|source| {
        let day = match table.field(source).map(|field| field.kind) {
            Some(kind) => local_day(kind, row.columns.get(*source)?.as_str()?, zone)?,
            None => now.with_timezone(&zone).date_naive(),
        };
        Some((day, source))
    });
    if let Some((day, source)) = inferred {
        let columns = &mut row.columns;
        columns.insert(rule.day.to_owned(), day.to_string().into());
        columns.insert(rule.source.to_owned(), (*source).into());
    }
}

/// The local day of a date or an instant; `None` if its year is outside 1–9999.
fn local_day(kind: Kind, value: &str, zone: Tz) -> Option<NaiveDate> {
    let day = match kind {
        Kind::Date => value.parse().ok()?,
        _ => DateTime::parse_from_rfc3339(value)
            .ok()?
            .with_timezone(&zone)
            .date_naive(),
    };
    YEARS.contains(&day.year()).then_some(day)
}

/// Copies the day of an `earlier` row with the same source id to `row`, unless the row's own day has a better source.
pub(super) fn keep(table: &Table, row: &mut SectorRow, earlier: &SectorRow) {
    let Some(rule) = table.inferred_day else {
        return;
    };
    let (Some(now), Some(before)) = (rank(rule, row), rank(rule, earlier)) else {
        return;
    };
    if now == 0 || now < before {
        return;
    }
    for name in [rule.day, rule.source] {
        match earlier.columns.get(name) {
            Some(kept) => row.columns.insert(name.to_owned(), kept.clone()),
            None => row.columns.remove(name),
        };
    }
}

/// The rank of the source of the row's day: 0 for a day that was sent, then the order of the sources; `None` without a day.
fn rank(rule: &InferredDay, row: &SectorRow) -> Option<usize> {
    row.columns.get(rule.day)?;
    let source = row.columns.get(rule.source).and_then(Value::as_str);
    let position = |source| rule.sources.iter().position(|known| *known == source);
    Some(source.and_then(position).map_or(0, |position| position + 1))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};
    use uuid::Uuid;

    use super::*;
    use crate::catalog;

    fn row(columns: Value) -> SectorRow {
        SectorRow {
            id: Uuid::nil(),
            source_id: "p".to_owned(),
            columns: columns.as_object().cloned().unwrap_or_else(Map::new),
            references: vec![],
            extra: None,
            raw: None,
            updated_at: None,
        }
    }

    fn transactions() -> &'static Table {
        catalog::by_target("finance.transactions").unwrap()
    }

    /// The day and its source, in a zone where it is already the next day when UTC is still at 23:30.
    fn inferred(columns: Value) -> [Value; 2] {
        let mut row = row(columns);
        let now = "2026-03-05T23:30:00Z".parse().unwrap();
        infer(transactions(), &mut row, Tz::Europe__Vienna, now);
        ["booked_on", "booked_on_from"].map(|name| row.columns.get(name).cloned().into())
    }

    #[test]
    fn a_pending_row_has_the_day_of_the_best_that_it_tells() {
        let pending = |told: Value| {
            let mut columns = json!({ "status": "pending" });
            let told = told.as_object().unwrap().clone();
            columns.as_object_mut().unwrap().extend(told);
            inferred(columns)
        };
        let at = "2026-03-01T23:30:00Z";
        for (told, expected) in [
            (
                json!({"transacted_at": at, "value_on": "2026-03-04"}),
                ["2026-03-02", "transacted_at"],
            ),
            (
                json!({"value_on": "2026-03-04"}),
                ["2026-03-04", "value_on"],
            ),
            (json!({}), ["2026-03-06", "first_seen"]),
            (
                json!({"transacted_at": "9999-12-31T23:30:00Z", "value_on": "2026-03-04"}),
                ["2026-03-04", "value_on"],
            ),
        ] {
            assert_eq!(pending(told), expected.map(Value::from));
        }
        assert_eq!(
            pending(json!({"booked_on": "2026-03-03", "transacted_at": at})),
            [json!("2026-03-03"), Value::Null]
        );
        for other in [json!({"status": "posted", "transacted_at": at}), json!({})] {
            assert_eq!(inferred(other), [Value::Null, Value::Null]);
        }
    }

    #[test]
    fn a_better_source_wins_and_else_the_day_stays() {
        let day = |day: u32, made_of: Option<&str>| match made_of {
            Some(made_of) => {
                row(json!({"booked_on": format!("2026-03-{day:02}"), "booked_on_from": made_of}))
            }
            None => row(json!({"booked_on": format!("2026-03-{day:02}")})),
        };
        let order = [
            None,
            Some("transacted_at"),
            Some("value_on"),
            Some("first_seen"),
        ];
        for (before, earlier) in order.into_iter().enumerate() {
            for (now, later) in order.into_iter().enumerate() {
                let mut kept = day(2, later);
                keep(transactions(), &mut kept, &day(1, earlier));
                let expected = match now == 0 || now < before {
                    true => day(2, later),
                    false => day(1, earlier),
                };
                assert_eq!(kept, expected, "{later:?} after {earlier:?}");
            }
        }
    }
}
