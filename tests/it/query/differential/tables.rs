//! The tables that are queried, with a few columns of each kind, and random rows for them.

use std::collections::BTreeMap;

use super::model::{Cell, Column, Kind, Row, Table, column};
use super::values;
use crate::query::chance::Chance;

/// Percentage of nulls in a column that may be null.
const NULLS_PERCENT: u64 = 20;

pub fn all() -> Vec<Table> {
    vec![transactions(), people(), samples(), workouts(), sleeps()]
}

fn table(target: &'static str, order: &'static str, mut columns: Vec<Column>) -> Table {
    columns.insert(0, column("id", Kind::Id));
    columns.push(column("connection", Kind::Text));
    Table {
        target,
        columns,
        order,
        rows: Vec::new(),
    }
}

fn transactions() -> Table {
    let money = |name| column(name, Kind::Exact).measured_in(&["currency"]);
    let columns = vec![
        column("status", Kind::Text),
        money("amount"),
        column("currency", Kind::Text),
        column("booked_on", Kind::Day),
        column("value_on", Kind::Day),
        column("transacted_at", Kind::Instant),
        column("description", Kind::Text).searched(),
        column("counterparty_name", Kind::Text).searched(),
        column("category", Kind::Text).searched(),
        money("balance_after"),
        column("fx", Kind::Json),
        column("source_id_is_synthetic", Kind::Flag),
    ];
    table("finance.transactions", "-booked_on", columns)
}

fn people() -> Table {
    let columns = vec![
        column("full_name", Kind::Text).searched(),
        column("organization", Kind::Text).searched(),
        column("notes", Kind::Text).searched(),
        column("emails", Kind::Json),
        column("categories", Kind::Texts),
        column("nicknames", Kind::Texts),
        column("birthday_month", Kind::Whole),
        column("anniversary", Kind::Day),
    ];
    table("contacts.people", "full_name", columns)
}

fn samples() -> Table {
    let columns = vec![
        column("metric", Kind::Text),
        column("value", Kind::Real).measured_in(&["metric", "unit"]),
        column("unit", Kind::Text),
        column("start_at", Kind::Instant),
        column("end_at", Kind::Instant),
        column("is_daily_total", Kind::Flag),
        column("meta", Kind::Json),
    ];
    table("health.samples", "-start_at", columns)
}

fn workouts() -> Table {
    let columns = vec![
        column("sport_name", Kind::Text).searched(),
        column("sport_id", Kind::Whole),
        column("start_at", Kind::Instant),
        column("end_at", Kind::Instant),
        column("score_state", Kind::Text),
        column("strain", Kind::Real),
        column("zone_ms", Kind::Wholes),
    ];
    table("health.workouts", "-start_at", columns)
}

fn sleeps() -> Table {
    let columns = vec![
        column("start_at", Kind::Instant),
        column("is_nap", Kind::Flag),
        column("in_bed_ms", Kind::Whole),
        column("awake_ms", Kind::Whole),
        column("cycle_count", Kind::Whole),
        column("efficiency_percent", Kind::Real),
    ];
    table("health.sleeps", "-start_at", columns)
}

/// Columns that no record may lack.
const REQUIRED: [&str; 7] = [
    "amount",
    "booked_on",
    "organization",
    "metric",
    "value",
    "start_at",
    "id",
];

/// A random record, as the row that it becomes, without its id and connection.
pub fn row(table: &Table, chance: &mut Chance) -> Row {
    let mut cells = BTreeMap::new();
    for column in &table.columns {
        let is_absent = !REQUIRED.contains(&column.name) && chance.is(NULLS_PERCENT);
        let cell = match column.name {
            "id" | "connection" => continue,
            _ if is_absent => Cell::Null,
            name => values::of(chance, name, column.kind),
        };
        cells.insert(column.name, cell);
    }
    // A known metric has a unit of its own.
    if cells.get("metric") == Some(&Cell::Text("steps".into())) {
        cells.insert("unit", Cell::Text("count".into()));
    }
    Row(cells)
}
