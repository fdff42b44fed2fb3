//! `get_schema`: what can be asked, short enough to be read in whole: a sector in at most 1,500 tokens.

use serde_json::{Map, Value, json};
use sextant_actors::domain::SectorSet;

use super::desk::Visit;
use super::verdict::{Answered, Failure};
use crate::catalog::{self, Field, Kind, Table};
use crate::query::check;
use crate::query::column::{self, Column};
use crate::query::fault::Fault;
use crate::query::request::{object, refuse_unknown, text};
use crate::query::run::{self, Coverage};

/// The tables that are asked for; where none is named, all of the `granted` sectors.
pub(super) fn read(arguments: &Value, granted: SectorSet) -> Result<Vec<&'static Table>, Fault> {
    let map = object(arguments)?;
    refuse_unknown(map, &["target"])?;
    match text(map, "target")? {
        Some(target) if target.contains('.') => Ok(vec![check::table(&target)?]),
        _ => Ok(granted.iter().flat_map(catalog::sector).collect()),
    }
}

pub(super) async fn run(visit: &Visit<'_>, tables: &[&'static Table]) -> Result<Answered, Failure> {
    let described: Vec<Value> = if tables.is_empty() {
        Vec::new()
    } else {
        let mut reader = visit.reader().await?;
        let coverage = run::coverage(&mut reader, visit.caller.user, tables).await?;
        tables
            .iter()
            .zip(&coverage)
            .map(|(table, coverage)| describe(table, coverage))
            .collect()
    };
    let answer = json!({
        "every_record": {"id": "id", "connection": "text", "as_of": "timestamp"},
        "tables": described,
    });
    Ok(Answered {
        text: answer.to_string(),
        count: tables.len(),
    })
}

fn describe(table: &Table, coverage: &Coverage) -> Value {
    let mut described = Map::new();
    described.insert("target".into(), table.target().into());
    described.insert("about".into(), table.about.into());
    described.insert("rows".into(), coverage.rows.into());
    if let Some((first, last)) = &coverage.span {
        described.insert("covers".into(), json!([day(first), day(last)]));
    }
    let fields: Map<String, Value> = table
        .fields
        .iter()
        .map(|field| (field.name.to_owned(), describe_field(field)))
        .collect();
    described.insert("fields".into(), fields.into());
    let joins = joins(table);
    if !joins.is_empty() {
        described.insert("joins".into(), joins.into());
    }
    described.insert("examples".into(), examples(table).into());
    Value::Object(described)
}

/// The day of a date or a stamp: all that coverage needs.
fn day(value: &Value) -> Value {
    value.as_str().and_then(|text| text.get(..10)).into()
}

fn describe_field(field: &Field) -> Value {
    let mut described = Map::new();
    described.insert("type".into(), field.kind.name().into());
    if let Some(unit) = field.unit {
        described.insert("unit".into(), unit.into());
    }
    if !field.values.is_empty() {
        described.insert("values".into(), field.values.into());
    }
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

fn joins(table: &Table) -> Map<String, Value> {
    let references = table.fields.iter().filter_map(|field| {
        let reference = field.reference?;
        Some((field.name.to_owned(), reference.table.into()))
    });
    references.collect()
}

/// Two calls that run as they stand: the newest rows, and a filter or a search.
fn examples(table: &Table) -> Vec<Value> {
    let target = table.target();
    let first = json!({"target": target, "limit": 5});
    let second = if let Some(time) = column::main_time(table) {
        json!({"target": target, "where": {time.name: {"gte": "today-30d"}}})
    } else if table.searchable().next().is_some() {
        json!({"target": target, "search": "home"})
    } else {
        let text = table.fields.iter().find(|field| field.kind == Kind::Text);
        let column = text.map_or(column::ID, Column::of);
        json!({"target": target, "where": {column.name: {"is_null": false}}})
    };
    vec![first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_actors::domain::Sector;

    /// A token is four bytes (interfaces §7).
    const SECTOR_BYTES_MAX: usize = 1500 * 4;

    #[test]
    fn a_sector_fits_into_1500_tokens() {
        let full = Coverage {
            rows: 12_345_678,
            span: Some(("2016-01-01".into(), "2026-12-31".into())),
        };
        for sector in Sector::ALL {
            let tables: Vec<Value> = catalog::sector(sector)
                .iter()
                .map(|table| describe(table, &full))
                .collect();
            let bytes = json!({"every_record": {"id": "id", "connection": "text", "as_of": "timestamp"}, "tables": tables})
                .to_string()
                .len();
            assert!(bytes < SECTOR_BYTES_MAX, "{sector}: {bytes} bytes");
        }
    }
}
