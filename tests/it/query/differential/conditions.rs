//! Random conditions on one column, mostly with values that some rows have.

use chrono::{Duration, FixedOffset};
use serde_json::{Map, Value, json};

use super::model::{Cell, Column, Kind, Table};
use super::values;
use crate::query::chance::Chance;

const BASES: [&str; 5] = [
    "now",
    "today",
    "start_of_week",
    "start_of_month",
    "start_of_year",
];
const SHIFTS: [&str; 14] = [
    "", "", "", "-0d", "-1d", "+1d", "-30d", "-2w", "+1w", "-1mo", "+1mo", "-1y", "-6h", "+26h",
];

/// The condition for a column in `where`.
pub fn condition(table: &Table, column: &Column, chance: &mut Chance) -> Value {
    match chance.below(10) {
        0 => Value::Null,
        1 => values_of(table, column, chance),
        2 | 3 => value(table, column, chance),
        _ => {
            let mut tests = Map::new();
            for _ in 0..=chance.below(2) {
                let (operator, value) = test(table, column, chance);
                tests.insert(operator.to_owned(), value);
            }
            Value::Object(tests)
        }
    }
}

fn test(table: &Table, column: &Column, chance: &mut Chance) -> (&'static str, Value) {
    let is_ordered = !matches!(
        column.kind,
        Kind::Flag | Kind::Id | Kind::Json | Kind::Texts | Kind::Wholes
    );
    let is_text = matches!(column.kind, Kind::Text | Kind::Texts | Kind::Json);
    match chance.below(4) {
        0 if is_text => {
            let operator = *chance.one_of(&["contains", "starts_with"]);
            (operator, json!(part(table, column, chance)))
        }
        1 | 2 if is_ordered => {
            let operator = *chance.one_of(&["lt", "lte", "gt", "gte"]);
            (operator, value(table, column, chance))
        }
        _ => match *chance.one_of(&["eq", "ne", "in", "not_in", "is_null"]) {
            "is_null" => ("is_null", json!(chance.is(50))),
            operator @ ("in" | "not_in") => (operator, values_of(table, column, chance)),
            operator if chance.is(10) => (operator, Value::Null),
            operator => (operator, value(table, column, chance)),
        },
    }
}

/// A few values, sometimes with null among them.
fn values_of(table: &Table, column: &Column, chance: &mut Chance) -> Value {
    let mut list = Vec::new();
    for _ in 0..chance.below(4) {
        list.push(if chance.is(15) {
            Value::Null
        } else {
            value(table, column, chance)
        });
    }
    json!(list)
}

/// One value, in the form in which it is compared with one element.
fn value(table: &Table, column: &Column, chance: &mut Chance) -> Value {
    let cell = cell(table, column, chance);
    match cell {
        Cell::Day(_) if chance.is(35) => json!(relative(chance)),
        Cell::Day(_) if chance.is(15) => moment(values::instant(chance), chance),
        Cell::Day(day) => json!(day.to_string()),
        Cell::Instant(_) if chance.is(35) => json!(relative(chance)),
        Cell::Instant(instant) if chance.is(40) => {
            let near = instant.date_naive() + Duration::days(chance.within(-1, 1));
            json!(near.to_string())
        }
        Cell::Instant(instant) => moment(instant, chance),
        Cell::Exact(number) if chance.is(30) => json!(number.normalize().to_string()),
        Cell::Texts(texts) => json!(texts.first().cloned().unwrap_or_default()),
        Cell::Wholes(numbers) => json!(numbers.first().copied().unwrap_or_default()),
        Cell::Json(value) => value[0]["address"].clone(),
        Cell::Null => json!("00000000-0000-4000-8000-000000000001"),
        cell => cell.written(),
    }
}

/// A time relative to now.
fn relative(chance: &mut Chance) -> String {
    format!("{}{}", chance.one_of(&BASES), chance.one_of(&SHIFTS))
}

/// RFC 3339 with a random offset.
fn moment(instant: chrono::DateTime<chrono::Utc>, chance: &mut Chance) -> Value {
    let minutes = *chance.one_of(&[0, 60, -210, 345, 630, 840]);
    let offset = FixedOffset::east_opt(minutes * 60).unwrap();
    json!(instant.with_timezone(&offset).to_rfc3339())
}

/// A value that some row has, or a random one.
fn cell(table: &Table, column: &Column, chance: &mut Chance) -> Cell {
    let own = chance.one_of(&table.rows).get(column.name).clone();
    if own != Cell::Null && chance.is(75) {
        return own;
    }
    values::of(chance, column.name, column.kind)
}

/// Part of a text that some row has, in random case, with wildcard characters in it.
fn part(table: &Table, column: &Column, chance: &mut Chance) -> String {
    let text = match cell(table, column, chance) {
        Cell::Text(text) => text,
        Cell::Texts(texts) => texts.concat(),
        Cell::Json(value) => value[0]["address"].as_str().unwrap_or_default().to_owned(),
        other => panic!("no text: {other:?}"),
    };
    let letters: Vec<char> = text.chars().collect();
    let start = chance.index(letters.len() + 1);
    let end = start + chance.index(letters.len() - start + 1);
    let stretch: String = letters[start..end].iter().collect();
    match chance.below(5) {
        0 => stretch.to_uppercase(),
        1 => stretch.to_lowercase(),
        2 => format!("{stretch}{}", chance.one_of(&["%", "_", "\\", " "])),
        _ => stretch,
    }
}
