//! Rows in memory: what was pushed, as plain values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset, NaiveDate, SecondsFormat, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Whole,
    Real,
    Exact,
    Flag,
    Day,
    Instant,
    Id,
    Json,
    Texts,
    Wholes,
}

impl Kind {
    pub fn is_orderable(self) -> bool {
        !matches!(self, Kind::Json | Kind::Texts | Kind::Wholes)
    }

    pub fn is_number(self) -> bool {
        matches!(self, Kind::Whole | Kind::Real | Kind::Exact)
    }

    pub fn is_time(self) -> bool {
        matches!(self, Kind::Day | Kind::Instant)
    }
}

/// One value of one row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Text(String),
    Whole(i64),
    Real(f64),
    Exact(Decimal),
    Flag(bool),
    Day(NaiveDate),
    Instant(DateTime<Utc>),
    /// The beginning of an hour of local time, with the offset that was in force.
    Hour(DateTime<FixedOffset>),
    Id(Uuid),
    Json(Value),
    Texts(Vec<String>),
    Wholes(Vec<i64>),
}

impl Cell {
    /// The value as an agent writes it, and a device pushes it.
    pub fn written(&self) -> Value {
        match self {
            Cell::Null => Value::Null,
            Cell::Text(text) => json!(text),
            Cell::Whole(number) => json!(number),
            Cell::Real(number) => json!(number),
            Cell::Exact(number) => serde_json::from_str(&number.to_string()).unwrap(),
            Cell::Flag(flag) => json!(flag),
            Cell::Day(day) => json!(day.to_string()),
            Cell::Instant(instant) => {
                json!(instant.to_rfc3339_opts(SecondsFormat::AutoSi, true))
            }
            Cell::Hour(hour) => json!(hour.to_rfc3339_opts(SecondsFormat::Secs, false)),
            Cell::Id(id) => json!(id),
            Cell::Json(value) => value.clone(),
            Cell::Texts(texts) => json!(texts),
            Cell::Wholes(numbers) => json!(numbers),
        }
    }

    /// Whether an answer shows this value. Numbers are compared as numbers, decimals exactly.
    pub fn is_shown_as(&self, shown: &Value) -> bool {
        match self {
            Cell::Real(number) => shown.as_f64() == Some(*number),
            Cell::Exact(number) => shown
                .is_number()
                .then(|| shown.to_string().parse::<Decimal>().ok())
                .flatten()
                .is_some_and(|shown| shown == *number),
            other => other.written() == *shown,
        }
    }

    /// The order of two values of one kind; nulls last in either direction.
    pub fn compare(&self, other: &Self, is_descending: bool) -> Ordering {
        match (self, other) {
            (Cell::Null, Cell::Null) => Ordering::Equal,
            (Cell::Null, _) => Ordering::Greater,
            (_, Cell::Null) => Ordering::Less,
            (left, right) if is_descending => right.beside(left),
            (left, right) => left.beside(right),
        }
    }

    fn beside(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Cell::Text(left), Cell::Text(right)) => left.cmp(right),
            (Cell::Whole(left), Cell::Whole(right)) => left.cmp(right),
            (Cell::Real(left), Cell::Real(right)) => left.partial_cmp(right).unwrap(),
            (Cell::Exact(left), Cell::Exact(right)) => left.cmp(right),
            (Cell::Flag(left), Cell::Flag(right)) => left.cmp(right),
            (Cell::Day(left), Cell::Day(right)) => left.cmp(right),
            (Cell::Instant(left), Cell::Instant(right)) => left.cmp(right),
            (Cell::Hour(left), Cell::Hour(right)) => left.cmp(right),
            (Cell::Id(left), Cell::Id(right)) => left.cmp(right),
            other => panic!("unlike values have no order: {other:?}"),
        }
    }
}

/// One column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// The fields that hold the unit of its values.
    pub measured_in: &'static [&'static str],
    pub is_searched: bool,
}

pub fn column(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        measured_in: &[],
        is_searched: false,
    }
}

impl Column {
    pub fn measured_in(mut self, fields: &'static [&'static str]) -> Self {
        self.measured_in = fields;
        self
    }

    pub fn searched(mut self) -> Self {
        self.is_searched = true;
        self
    }
}

/// One table: its queryable columns, and its rows.
pub struct Table {
    pub target: &'static str,
    pub columns: Vec<Column>,
    /// The default order of rows.
    pub order: &'static str,
    pub rows: Vec<Row>,
}

impl Table {
    pub fn column(&self, name: &str) -> &Column {
        let mut columns = self.columns.iter();
        columns.find(|column| column.name == name).unwrap()
    }
}

/// One row by its columns' names.
#[derive(Clone, Debug)]
pub struct Row(pub BTreeMap<&'static str, Cell>);

impl Row {
    pub fn get(&self, name: &str) -> &Cell {
        self.0.get(name).unwrap_or(&Cell::Null)
    }
}
