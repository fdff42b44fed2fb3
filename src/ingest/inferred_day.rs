//! The booking day of a pending transaction that tells none: made of what it does tell, and marked (docs/pushing.md#records).
//!
//! A made day stays until a better source comes, so that neither a repeat nor another zone moves it. Here a row gets its
//! day and keeps it among the rows of one push; against the row that is stored, the statement decides in the same way
//! (`statements/write.rs`).

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use chrono_tz::Tz;
use serde_json::Value;

use crate::catalog::{Kind, MadeDay, Table};

use super::row::Row;

/// The years that the store can hold; an instant at their edge has its local day beyond.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// Gives `row` its day if it may lack one and does. `zone` is the person's, `now` the instant of the push.
pub fn make(table: &Table, row: &mut Row, zone: Tz, now: DateTime<Utc>) {
    let Some(made) = table.made_day else { return };
    let (field, value) = made.may_lack;
    let may_lack = row.columns.get(field).and_then(Value::as_str) == Some(value);
    if !may_lack || row.columns.contains_key(made.day) {
        return;
    }
    let told = made.sources.iter().find_map(|source| {
        let day = match table.field(source).map(|field| field.kind) {
            Some(kind) => told_day(kind, row.columns.get(*source)?.as_str()?, zone)?,
            None => now.with_timezone(&zone).date_naive(),
        };
        Some((day, source))
    });
    if let Some((day, source)) = told {
        let columns = &mut row.columns;
        columns.insert(made.day.to_owned(), day.to_string().into());
        columns.insert(made.made_of.to_owned(), (*source).into());
    }
}

/// The local day of what a field holds, if the store can hold it.
fn told_day(kind: Kind, told: &str, zone: Tz) -> Option<NaiveDate> {
    let day = match kind {
        Kind::Date => told.parse().ok()?,
        _ => DateTime::parse_from_rfc3339(told)
            .ok()?
            .with_timezone(&zone)
            .date_naive(),
    };
    YEARS.contains(&day.year()).then_some(day)
}

/// Lets `row` keep the day of an `earlier` row of its name, unless its own is of a better source.
pub fn keep(table: &Table, row: &mut Row, earlier: &Row) {
    let Some(made) = table.made_day else { return };
    let (Some(now), Some(before)) = (rank(made, row), rank(made, earlier)) else {
        return;
    };
    if now == 0 || now < before {
        return;
    }
    for name in [made.day, made.made_of] {
        match earlier.columns.get(name) {
            Some(kept) => row.columns.insert(name.to_owned(), kept.clone()),
            None => row.columns.remove(name),
        };
    }
}

/// How good the source of the row's day is: 0 where the record told it, more the worse it is; none without a day.
fn rank(made: &MadeDay, row: &Row) -> Option<usize> {
    row.columns.get(made.day)?;
    let source = row.columns.get(made.made_of).and_then(Value::as_str);
    let place = |source| made.sources.iter().position(|known| *known == source);
    Some(source.and_then(place).map_or(0, |place| place + 1))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};
    use uuid::Uuid;

    use super::*;
    use crate::catalog;

    fn row(columns: Value) -> Row {
        Row {
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

    /// The day and what it was made of, in a zone where it is already the next day when UTC is still at 23:30.
    fn made(columns: Value) -> [Value; 2] {
        let mut row = row(columns);
        let now = "2026-03-05T23:30:00Z".parse().unwrap();
        make(transactions(), &mut row, Tz::Europe__Vienna, now);
        ["booked_on", "booked_on_from"].map(|name| row.columns.get(name).cloned().into())
    }

    #[test]
    fn a_pending_row_has_the_day_of_the_best_that_it_tells() {
        let pending = |told: Value| {
            let mut columns = json!({ "status": "pending" });
            let told = told.as_object().unwrap().clone();
            columns.as_object_mut().unwrap().extend(told);
            made(columns)
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
            assert_eq!(made(other), [Value::Null, Value::Null]);
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
