//! Two example calls of each table, which run as they are: one for rows, one for groups.

use serde_json::{Map, Value, json};

use crate::catalog::{Field, Kind, Table};
use crate::query::column::{self, Column};

pub(super) fn examples(table: &Table) -> Vec<Value> {
    vec![rows(table), groups(table)]
}

fn rows(table: &Table) -> Value {
    let target = table.target();
    if let Some(time) = column::main_time(table) {
        return json!({"target": target, "where": {time.name: {"gte": "today-30d"}}, "limit": 5});
    }
    if table.searchable().next().is_some() {
        return json!({"target": target, "search": "home"});
    }
    json!({"target": target, "limit": 5})
}

fn groups(table: &Table) -> Value {
    let kind = table.fields.iter().find(|field| field.is_kind);
    let month = column::main_time(table).map(|time| format!("{}:month", time.name));
    let keys: Vec<String> = kind
        .map(|field| field.name.to_owned())
        .into_iter()
        .chain(month)
        .collect();
    let mut aggregate = Map::new();
    aggregate.insert("n".into(), "count".into());
    if let Some(field) = table.fields.iter().find(|field| is_quantity(field)) {
        let function = match field.kind {
            Kind::Decimal { .. } => "sum",
            _ => "avg",
        };
        let computed = format!("{function}({})", field.name);
        aggregate.insert(function.into(), computed.into());
    }
    if keys.is_empty() {
        let column = table
            .fields
            .iter()
            .find(|field| field.kind == Kind::Text)
            .map_or(column::ID, Column::of);
        return json!({"target": table.target(), "where": {column.name: {"is_null": false}}, "aggregate": aggregate});
    }
    json!({"target": table.target(), "group_by": keys, "aggregate": aggregate})
}

/// Whether its sum or mean has a meaning.
fn is_quantity(field: &Field) -> bool {
    let is_measured = field.unit.is_some() || !field.measured_in.is_empty();
    let is_number = matches!(
        field.kind,
        Kind::Integer | Kind::BigInteger | Kind::Float | Kind::Decimal { .. }
    );
    is_measured && is_number
}
