//! The faults of an entry of `aggregate`, each with a corrected entry.

use serde_json::{Map, Value, json};

use super::function::{COUNT, Function};
use crate::catalog::Table;
use crate::query::column::{self, Column};
use crate::query::fault::{CallFault, quoted};
use crate::query::nearest::nearest;
use crate::query::repair::{fields, shapes};

/// `fault` with the aggregate in our shape as its first correction, if only the shape was wrong.
pub(super) fn reshaped(
    fault: CallFault,
    table: &Table,
    aggregate: &Map<String, Value>,
) -> CallFault {
    let original = Value::Object(aggregate.clone());
    let normalised = shapes::aggregate(&original, &|name| Column::find(table, name).is_some());
    fault.prefer_set("aggregate", (normalised != original).then_some(normalised))
}

/// The fault of a word that is no function.
pub(super) fn unknown_function(entry: &str, word: &str) -> CallFault {
    let names = Function::ALL.map(Function::name);
    let text = format!(
        "{} is no aggregate; there are: {}",
        quoted(word),
        names.join(", ")
    );
    let right = match word.to_lowercase().as_str() {
        "average" | "mean" => "avg",
        "minimum" | "least" => "min",
        "maximum" | "greatest" => "max",
        "total" => "sum",
        "distinct" | "unique" | "nunique" => "count_distinct",
        other => nearest(other, names).unwrap_or(COUNT),
    };
    CallFault::new(text).replace_word("aggregate", entry, &entry.replacen(word, right, 1))
}

pub(super) fn unknown_field(
    table: &Table,
    entry: &str,
    field: &str,
    function: Function,
) -> CallFault {
    let fitting = column::all(table).filter(|column| function.takes(column.kind));
    let right =
        fields::nearest_field(table, field, fitting.map(|column| column.name)).unwrap_or("id");
    let text = format!(
        "{} has no field {}; the nearest that {} takes is {right}, get_schema lists all",
        table.target(),
        quoted(field),
        function.name()
    );
    CallFault::new(text).replace_word("aggregate", entry, &format!("{}({right})", function.name()))
}

pub(super) fn unfit(table: &Table, entry: &str, function: Function, column: &Column) -> CallFault {
    let right = fitting(table, function);
    let text = format!(
        "{} does not take `{}`, which is {}",
        function.name(),
        column.name,
        column.kind.name()
    );
    CallFault::new(format!("{text}; the nearest is {right}")).replace_word(
        "aggregate",
        entry,
        &right,
    )
}

/// The fault of an entry that is not of the form `function(field)`.
pub(super) fn misshapen(table: &Table, text: &str) -> CallFault {
    let function = |word: &str| Function::ALL.into_iter().find(|known| known.name() == word);
    let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words: Vec<&str> = text
        .split(|letter| !letters(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let right = match words.as_slice() {
        [first, second, ..] if function(second).is_some() => format!("{second}({first})"),
        [first, second, ..] => format!("{first}({second})"),
        [only] => match (function(only), Column::find(table, only)) {
            (Some(function), _) => fitting(table, function),
            (None, Some(column)) if Function::Sum.takes(column.kind) => format!("sum({only})"),
            (None, Some(_)) => format!("count_distinct({only})"),
            (None, None) => COUNT.to_owned(),
        },
        [] => COUNT.to_owned(),
    };
    wrong_shape().replace_word("aggregate", text, &right)
}

/// `function` of the first field whose kind it takes.
fn fitting(table: &Table, function: Function) -> String {
    let mut fitting = column::all(table).filter(|column| function.takes(column.kind));
    let found = fitting.next();
    found.map_or_else(
        || COUNT.to_owned(),
        |column| format!("{}({})", function.name(), column.name),
    )
}

pub(super) fn wrong_shape() -> CallFault {
    CallFault::new("an entry of `aggregate` is count or a function of a field, such as sum(amount)")
        .set("aggregate", json!({"n": COUNT}))
}
