//! What single tables ask of a record beyond the catalogue.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::catalog::Table;
use sextant_formats::recurrence;

use super::problem::Fault;
use super::row::{Root, Row};
use super::series::{Component, assembled};
use super::units;

/// Applies them to a record that is complete otherwise. `zone` is the operator's.
///
/// # Errors
/// What the table refuses.
pub fn apply(table: &Table, root: &mut Root, zone: Tz) -> Result<(), Fault> {
    match table.target().as_str() {
        "health.samples" => measure(&mut root.row),
        "calendar.series" => {
            name_rules(&mut root.row);
            expandable(root, zone)
        }
        _ => Ok(()),
    }
}

/// A sample in another known unit is converted; what was sent stays in `extra`.
fn measure(row: &mut Row) -> Result<(), Fault> {
    let (Some(metric), Some(sent)) = (column::<String>(row, "metric"), column::<f64>(row, "value"))
    else {
        return Ok(());
    };
    let Some(kept) = units::kept_unit(&metric) else {
        return Ok(());
    };
    let unit: String = column(row, "unit").unwrap_or_else(|| kept.to_owned());
    let measured = units::convert(sent, &unit, kept).ok_or_else(|| {
        Fault::new(
            "unit",
            format!("does not lead to {kept}, in which {metric} is kept; send {kept}"),
        )
    })?;
    if unit != kept {
        row.extra.get_or_insert_default().insert(
            "value_as_sent".to_owned(),
            json!({ "value": sent, "unit": unit }),
        );
    }
    row.columns
        .insert("value".to_owned(), measured.value.into());
    row.columns.insert("unit".to_owned(), measured.unit.into());
    Ok(())
}

/// A bare rule (`FREQ=DAILY`) is taken for what its field says it is: an `RRULE` line.
fn name_rules(row: &mut Row) {
    let Some(Value::Array(lines)) = row.columns.get_mut("rrule") else {
        return;
    };
    for line in lines {
        if let Some(bare) = line.as_str().filter(|line| !line.contains(':')) {
            *line = format!("RRULE:{bare}").into();
        }
    }
}

/// A series whose rule cannot be read is refused: leaving a part of it out would show wrong days.
fn expandable(root: &Root, zone: Tz) -> Result<(), Fault> {
    let overrides = root.parts.iter().flat_map(|(_, rows)| rows);
    let components: Vec<Component> = std::iter::once(&root.row)
        .chain(overrides)
        .map(component)
        .collect();
    // Any instant does: only whether it can be read is asked here.
    let read = recurrence::expand(&assembled(&components), zone, DateTime::<Utc>::UNIX_EPOCH);
    read.map(drop)
        .map_err(|fault| Fault::new("rrule", fault.to_string()))
}

fn component(row: &Row) -> Component {
    Component {
        id: Uuid::nil(),
        source_id: row.source_id.clone(),
        series_source_id: column(row, "series_source_id"),
        recurrence_id: column(row, "recurrence_id"),
        calendar_id: None,
        start_at: column(row, "start_at"),
        end_at: column(row, "end_at"),
        start_date: column::<NaiveDate>(row, "start_date"),
        end_date: column(row, "end_date"),
        zone: column::<String>(row, "time_zone").and_then(|zone| zone.parse().ok()),
        status: column(row, "status"),
        lines: column(row, "rrule").unwrap_or_default(),
        updated_at: row.updated_at,
        details: serde_json::Map::new(),
    }
}

fn column<T: DeserializeOwned>(row: &Row, name: &str) -> Option<T> {
    row.columns
        .get(name)
        .and_then(|value: &Value| serde_json::from_value(value.clone()).ok())
}
