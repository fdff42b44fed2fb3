//! Random queries, all of them valid: every operator on every kind of column, every function, every bucket.

use serde_json::{Map, Value, json};

use super::conditions::condition;
use super::model::{Column, Kind, Table};
use super::values::WORDS;
use crate::query::chance::Chance;

/// How deep filters nest.
const DEPTH_MAX: u64 = 3;

pub fn question(table: &Table, chance: &mut Chance) -> Value {
    let mut asked = Map::new();
    asked.insert("target".into(), json!(table.target));
    // Whole answers are compared: what the budget cuts is continued with a cursor, which groups do not have.
    asked.insert("budget".into(), json!(25_000));
    if chance.is(85) {
        asked.insert("where".into(), filter(table, chance, 0));
    }
    let is_searched = table.columns.iter().any(|column| column.is_searched);
    if is_searched && chance.is(20) {
        asked.insert("search".into(), json!(search(chance)));
    }
    if chance.is(45) {
        group(table, chance, &mut asked);
    } else {
        list(table, chance, &mut asked);
    }
    if chance.is(30) {
        asked.insert("format".into(), json!("records"));
    }
    Value::Object(asked)
}

fn filter(table: &Table, chance: &mut Chance, depth: u64) -> Value {
    let mut filter = Map::new();
    // Often there is one condition alone: of many, one can hide what is wrong with another.
    let count = if chance.is(50) {
        1
    } else {
        2 + chance.below(2)
    };
    for _ in 0..count {
        let is_nested = depth < DEPTH_MAX && chance.is(25);
        if !is_nested {
            let column = chosen(table, chance);
            filter.insert(column.name.into(), condition(table, column, chance));
            continue;
        }
        match *chance.one_of(&["and", "or", "not"]) {
            "not" => filter.insert("not".into(), self::filter(table, chance, depth + 1)),
            word => {
                let parts = 1 + chance.below(3);
                let parts: Vec<Value> = (0..parts)
                    .map(|_| self::filter(table, chance, depth + 1))
                    .collect();
                filter.insert(word.into(), json!(parts))
            }
        };
    }
    Value::Object(filter)
}

/// A column to filter on; columns of time more often than others, since they have more cases.
fn chosen<'a>(table: &'a Table, chance: &mut Chance) -> &'a Column {
    let times = table.columns.iter().filter(|column| column.kind.is_time());
    let times: Vec<&Column> = times.collect();
    if !times.is_empty() && chance.is(40) {
        return times[chance.index(times.len())];
    }
    chance.one_of(&table.columns)
}

fn search(chance: &mut Chance) -> String {
    let word = |chance: &mut Chance| chance.one_of(&WORDS).to_lowercase();
    let (one, other) = (word(chance), word(chance));
    match chance.below(4) {
        0 => format!("{one} {other}"),
        1 => format!("{one} -{other}"),
        2 => format!("{one} or {other}"),
        _ => one,
    }
}

fn list(table: &Table, chance: &mut Chance, asked: &mut Map<String, Value>) {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    if chance.is(75) {
        let mut select = chance.some_of(&names, 4);
        select.push("id");
        asked.insert("select".into(), json!(select));
    }
    let orderable = table
        .columns
        .iter()
        .filter(|column| column.kind.is_orderable());
    let orderable: Vec<&str> = orderable.map(|column| column.name).collect();
    let order = chance.some_of(&orderable, 3);
    if !order.is_empty() {
        asked.insert("order_by".into(), directions(&order, chance));
    }
    // So large that not too many pages are read.
    let limit = if chance.is(40) {
        chance.within(9, 60)
    } else {
        1000
    };
    asked.insert("limit".into(), json!(limit));
    asked.insert("count".into(), json!(chance.is(30)));
}

fn directions(names: &[impl AsRef<str>], chance: &mut Chance) -> Value {
    let directed = names.iter().map(|name| {
        let sign = if chance.is(50) { "-" } else { "" };
        format!("{sign}{}", name.as_ref())
    });
    json!(directed.collect::<Vec<_>>())
}

fn group(table: &Table, chance: &mut Chance, asked: &mut Map<String, Value>) {
    let keyed = table
        .columns
        .iter()
        .filter(|column| column.kind.is_orderable());
    let keyed: Vec<&Column> = keyed.filter(|column| column.kind != Kind::Id).collect();
    let keys: Vec<String> = chance
        .some_of(&keyed, 3)
        .into_iter()
        .map(|column| key(column, chance))
        .collect();
    let measures: Vec<String> = (0..chance.below(4))
        .filter_map(|_| measure(chance.one_of(&table.columns), chance))
        .collect();
    let names = (0..measures.len()).map(|number| format!("m{number}"));
    let aggregate: Map<String, Value> = names
        .zip(measures.iter().map(|measure| json!(measure)))
        .collect();
    let named: Vec<&String> = keys.iter().chain(aggregate.keys()).collect();
    let order = chance.some_of(&named, 2);
    if !order.is_empty() {
        asked.insert("order_by".into(), directions(&order, chance));
    }
    if chance.is(20) {
        asked.insert("limit".into(), json!(chance.within(1, 12)));
    }
    if aggregate.is_empty() || !keys.is_empty() {
        asked.insert("group_by".into(), json!(keys));
    }
    if !aggregate.is_empty() {
        asked.insert("aggregate".into(), Value::Object(aggregate));
    } else if keys.is_empty() {
        asked.insert("aggregate".into(), json!({"n": "count"}));
        asked.remove("group_by");
    }
}

fn key(column: &Column, chance: &mut Chance) -> String {
    let buckets = ["day", "week", "month", "quarter", "year", "weekday", "hour"];
    let fitting = match column.kind {
        Kind::Day => &buckets[..6],
        _ => &buckets[..],
    };
    if column.kind.is_time() && chance.is(85) {
        return format!("{}:{}", column.name, chance.one_of(fitting));
    }
    column.name.to_owned()
}

/// A function that suits the column, if there is one besides counting.
fn measure(column: &Column, chance: &mut Chance) -> Option<String> {
    let functions: &[&str] = match column.kind {
        kind if kind.is_number() => &[
            "sum",
            "avg",
            "min",
            "max",
            "median",
            "count",
            "count_distinct",
        ],
        Kind::Text | Kind::Day | Kind::Instant => &["min", "max", "count", "count_distinct"],
        Kind::Json => &["count"],
        Kind::Id | Kind::Flag | Kind::Texts | Kind::Wholes => &["count", "count_distinct"],
        _ => return None,
    };
    let function = chance.one_of(functions);
    Some(match column.kind {
        Kind::Json => "count".to_owned(),
        _ => format!("{function}({})", column.name),
    })
}
