//! Rules of single tables that the catalogue does not express: units of measurements, and recurrence rules.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::catalog::Table;
use sextant_formats::recurrence;

use super::problem::FieldFault;
use super::row::{PushedRecord, SectorRow};
use super::series::{SeriesComponent, assemble};
use super::units;

/// Applies them to a record that is otherwise complete. `zone` is the operator's time zone.
///
/// # Errors
/// When a value has no conversion to the unit that is stored, or a series cannot be expanded.
pub(super) fn apply(table: &Table, root: &mut PushedRecord, zone: Tz) -> Result<(), FieldFault> {
    match table.target().as_str() {
        "health.samples" => convert_unit(&mut root.row),
        "calendar.series" => {
            prefix_bare_rules(&mut root.row);
            check_expandable(root, zone)
        }
        _ => Ok(()),
    }
}

/// Converts a sample in another known unit to the unit that is stored; the value as sent is kept in `extra`.
fn convert_unit(row: &mut SectorRow) -> Result<(), FieldFault> {
    let (Some(metric), Some(sent)) = (column::<String>(row, "metric"), column::<f64>(row, "value"))
    else {
        return Ok(());
    };
    let Some(kept) = units::kept_unit(&metric) else {
        return Ok(());
    };
    let unit: String = column(row, "unit").unwrap_or_else(|| kept.to_owned());
    let measured = units::convert(sent, &unit, kept).ok_or_else(|| {
        FieldFault::new(
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

/// A rule without a property name (`FREQ=DAILY`) is an `RRULE` line, as its field says.
fn prefix_bare_rules(row: &mut SectorRow) {
    let Some(Value::Array(lines)) = row.columns.get_mut("rrule") else {
        return;
    };
    for line in lines {
        if let Some(bare) = line.as_str().filter(|line| !line.contains(':')) {
            *line = format!("RRULE:{bare}").into();
        }
    }
}

/// A series whose rule cannot be parsed is refused: ignoring a part of it would show wrong days.
fn check_expandable(root: &PushedRecord, zone: Tz) -> Result<(), FieldFault> {
    let overrides = root.parts.iter().flat_map(|(_, rows)| rows);
    let components: Vec<SeriesComponent> = std::iter::once(&root.row)
        .chain(overrides)
        .map(component)
        .collect();
    // Whether a series can be expanded does not depend on the instant.
    let expanded = recurrence::expand(&assemble(&components), zone, DateTime::<Utc>::UNIX_EPOCH);
    expanded
        .map(drop)
        .map_err(|fault| FieldFault::new("rrule", fault.to_string()))
}

fn component(row: &SectorRow) -> SeriesComponent {
    SeriesComponent {
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

/// A column of the row, or `None` without one. Each value has been checked against the catalogue (`value.rs`), so that it has
/// the type of its column.
fn column<T: DeserializeOwned>(row: &SectorRow, name: &str) -> Option<T> {
    row.columns
        .get(name)
        .and_then(|value: &Value| serde_json::from_value(value.clone()).ok())
}
