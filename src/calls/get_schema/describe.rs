//! The description of one table.

use serde_json::{Map, Value, json};

use super::examples::examples;
use crate::catalog::{Field, Table};
use crate::query::page::FieldValues;
use crate::query::run::Coverage;

/// Describes `table`; of each kind at most `values_max` values.
pub(super) fn describe(table: &Table, coverage: &Coverage, values_max: usize) -> Value {
    let mut described = Map::new();
    described.insert("target".into(), table.target().into());
    described.insert("about".into(), table.about.into());
    described.insert("rows".into(), coverage.rows.into());
    if coverage.is_estimated {
        described.insert("rows_estimated".into(), true.into());
    }
    if let Some((first, last)) = &coverage.span {
        described.insert("covers".into(), json!([day(first), day(last)]));
    }
    let fields: Map<String, Value> = table
        .fields
        .iter()
        .map(|field| {
            let mut kinds = coverage.kinds.iter();
            let occurring = kinds.find(|kind| kind.field == field.name);
            let described = describe_field(field, occurring, values_max);
            (field.name.to_owned(), described)
        })
        .collect();
    described.insert("fields".into(), fields.into());
    let joins = joins(table);
    if !joins.is_empty() {
        described.insert("joins".into(), joins.into());
    }
    described.insert("examples".into(), examples(table).into());
    Value::Object(described)
}

/// The day of a date or a timestamp, which is enough for coverage.
fn day(value: &Value) -> Value {
    value.as_str().and_then(|text| text.get(..10)).into()
}

fn describe_field(field: &Field, occurring: Option<&FieldValues>, values_max: usize) -> Value {
    let mut described = Map::new();
    described.insert("type".into(), field.kind.name().into());
    if let Some(unit) = field.unit {
        described.insert("unit".into(), unit.into());
    }
    describe_values(&mut described, field, occurring, values_max);
    for (name, holds) in [
        ("untrusted", field.untrusted),
        ("searchable", field.searchable.is_some()),
    ] {
        if holds {
            described.insert(name.into(), true.into());
        }
    }
    Value::Object(described)
}

/// The values that occur; if none does yet, those that may.
fn describe_values(
    described: &mut Map<String, Value>,
    field: &Field,
    occurring: Option<&FieldValues>,
    values_max: usize,
) {
    match occurring {
        Some(kind) if !kind.values.is_empty() => {
            let listed: Vec<&String> = kind.values.iter().take(values_max).collect();
            let left = usize::try_from(kind.total)
                .unwrap_or(usize::MAX)
                .saturating_sub(listed.len());
            if !listed.is_empty() {
                described.insert("values".into(), json!(listed));
            }
            if left > 0 {
                described.insert("more_values".into(), left.into());
            }
        }
        _ if !field.values.is_empty() => {
            described.insert("values".into(), field.values.into());
        }
        _ => {}
    }
}

/// Field by field, the field of another table of the sector with the same values.
fn joins(table: &Table) -> Map<String, Value> {
    let joined = table.fields.iter().filter_map(|field| {
        let reference = field
            .reference
            .map(|reference| format!("{}.id", reference.table));
        let other = reference.or(field.meets.map(str::to_owned))?;
        Some((field.name.to_owned(), other.into()))
    });
    joined.collect()
}
