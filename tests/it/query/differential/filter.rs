//! Whether a row matches `where` and `search`, implemented directly from the interface's description.
//!
//! Logic has two values: nothing compares with null, so `ne` and `not_in` hold for it.

use std::cmp::Ordering;

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::model::{Cell, Row, Table};
use super::wall::{Meaning, Wall};

pub fn holds(row: &Row, filter: &Value, wall: &Wall) -> bool {
    let conditions: &Map<String, Value> = filter.as_object().unwrap();
    conditions.iter().all(|(name, value)| {
        let nested = || value.as_array().unwrap().iter();
        match name.as_str() {
            "and" => nested().all(|filter| holds(row, filter, wall)),
            "or" => nested().any(|filter| holds(row, filter, wall)),
            "not" => !holds(row, value, wall),
            field => passes(row.get(field), value, wall),
        }
    })
}

/// A bare value means `eq`, an array `in`, null `is_null`.
fn passes(cell: &Cell, value: &Value, wall: &Wall) -> bool {
    match value {
        Value::Object(tests) => tests
            .iter()
            .all(|(operator, value)| test(cell, operator, value, wall)),
        Value::Array(_) => test(cell, "in", value, wall),
        Value::Null => *cell == Cell::Null,
        bare => test(cell, "eq", bare, wall),
    }
}

fn test(cell: &Cell, operator: &str, value: &Value, wall: &Wall) -> bool {
    let one_of = |value: &Value| {
        let mut values = value.as_array().unwrap().iter();
        values.any(|value| test(cell, "eq", value, wall))
    };
    match operator {
        "ne" => !test(cell, "eq", value, wall),
        "in" => one_of(value),
        "not_in" => !one_of(value),
        "is_null" => (*cell == Cell::Null) == value.as_bool().unwrap(),
        "eq" if value.is_null() => *cell == Cell::Null,
        "contains" | "starts_with" => {
            let sought = value.as_str().unwrap().to_lowercase();
            elements(cell).iter().any(|element| match element {
                Cell::Text(text) if operator == "contains" => text.to_lowercase().contains(&sought),
                Cell::Text(text) => text.to_lowercase().starts_with(&sought),
                other => panic!("no text: {other:?}"),
            })
        }
        comparison => elements(cell)
            .iter()
            .any(|element| compares(element, comparison, value, wall)),
    }
}

/// A list matches if one of its elements does, JSON if one string inside does; null has nothing to compare.
fn elements(cell: &Cell) -> Vec<Cell> {
    match cell {
        Cell::Null => Vec::new(),
        Cell::Texts(texts) => texts.iter().cloned().map(Cell::Text).collect(),
        Cell::Wholes(numbers) => numbers.iter().copied().map(Cell::Whole).collect(),
        Cell::Json(value) => strings(value).into_iter().map(Cell::Text).collect(),
        single => vec![single.clone()],
    }
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(map) => map.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

fn compares(cell: &Cell, operator: &str, value: &Value, wall: &Wall) -> bool {
    let is = |ordering: Ordering| match operator {
        "eq" => ordering.is_eq(),
        "lt" => ordering.is_lt(),
        "lte" => ordering.is_le(),
        "gt" => ordering.is_gt(),
        "gte" => ordering.is_ge(),
        other => panic!("no operator: {other}"),
    };
    let text = || value.as_str().unwrap();
    match cell {
        Cell::Text(cell) => is(cell.as_str().cmp(text())),
        Cell::Whole(cell) => is(cell.cmp(&value.as_i64().unwrap())),
        Cell::Real(cell) => is(cell.partial_cmp(&value.as_f64().unwrap()).unwrap()),
        Cell::Exact(cell) => is(cell.cmp(&exact(value))),
        Cell::Flag(cell) => is(cell.cmp(&value.as_bool().unwrap())),
        Cell::Id(cell) => is(cell.cmp(&text().parse().unwrap())),
        Cell::Day(cell) => is(cell.cmp(&match wall.meaning(text()) {
            Meaning::Day(day) => day,
            Meaning::Instant(instant) => wall.shows(instant).date(),
        })),
        Cell::Instant(cell) => match wall.meaning(text()) {
            Meaning::Instant(instant) => is(cell.cmp(&instant)),
            Meaning::Day(day) => {
                let (start, end) = (wall.start_of(day), wall.end_of(day));
                match operator {
                    "eq" => start <= *cell && *cell < end,
                    "lt" => *cell < start,
                    "lte" => *cell < end,
                    "gt" => *cell >= end,
                    _ => *cell >= start,
                }
            }
        },
        other => panic!("nothing to compare with: {other:?}"),
    }
}

fn exact(value: &Value) -> Decimal {
    let digits = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    digits.parse().unwrap()
}

/// Plain words: all of them must occur in the searched fields, those after a minus in none; `or` separates
/// alternatives.
pub fn is_found(table: &Table, row: &Row, search: &str) -> bool {
    let mut words: Vec<String> = Vec::new();
    for column in table.columns.iter().filter(|column| column.is_searched) {
        if let Cell::Text(text) = row.get(column.name) {
            words.extend(text.split_whitespace().map(str::to_lowercase));
        }
    }
    let has = |word: &str| words.iter().any(|own| own == word);
    search.split(" or ").any(|alternative| {
        let mut sought = alternative.split_whitespace();
        sought.all(|word| match word.strip_prefix('-') {
            Some(word) => !has(word),
            None => has(word),
        })
    })
}
