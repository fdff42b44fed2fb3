//! Groups in memory: keys, buckets of local time, and what is computed of each group.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use chrono::{Datelike, Days, NaiveDate};
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::Value;

use super::expected::{Expected, directed, names_of};
use super::model::{Cell, Kind, Row, Table};
use super::wall::Wall;

/// Groups that an answer has at the most.
const GROUPS_MAX: u64 = 1000;

/// One entry of `aggregate`.
struct Measure {
    name: String,
    function: String,
    field: Option<String>,
}

pub fn expected(table: &Table, rows: &[&Row], arguments: &Value, wall: &Wall) -> Expected {
    let measures = measures(arguments);
    let mut keys = arguments.get("group_by").map(names_of).unwrap_or_default();
    for name in units(table, &measures, arguments) {
        if !keys.contains(&name) {
            keys.push(name);
        }
    }
    let mut groups: Vec<(Vec<Cell>, Vec<&Row>)> = Vec::new();
    if keys.is_empty() {
        groups.push((Vec::new(), Vec::new()));
    }
    for row in rows {
        let key: Vec<Cell> = keys.iter().map(|key| key_of(row, key, wall)).collect();
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    let computed = groups.iter().map(|(key, group)| {
        let measured = measures
            .iter()
            .map(|measure| compute(table, measure, group));
        key.iter().cloned().chain(measured).collect()
    });
    let mut computed: Vec<Vec<Cell>> = computed.collect();
    let names = measures.into_iter().map(|measure| measure.name);
    let columns: Vec<String> = keys.iter().cloned().chain(names).collect();
    sort(&columns, keys.len(), &mut computed, arguments);
    let matched = computed.len();
    let limit = arguments["limit"].as_u64().unwrap_or(GROUPS_MAX);
    computed.truncate(usize::try_from(limit).unwrap());
    Expected {
        columns,
        rows: computed,
        matched,
    }
}

fn measures(arguments: &Value) -> Vec<Measure> {
    let Some(Value::Object(asked)) = arguments.get("aggregate") else {
        return vec![Measure {
            name: "count".into(),
            function: "count".into(),
            field: None,
        }];
    };
    let measure = |(name, text): (&String, &Value)| {
        let text = text.as_str().unwrap();
        let (function, field) = match text.split_once('(') {
            Some((function, rest)) => (function, Some(rest.trim_end_matches(')').to_owned())),
            None => (text, None),
        };
        Measure {
            name: name.clone(),
            function: function.to_owned(),
            field,
        }
    };
    asked.iter().map(measure).collect()
}

/// The fields with the values' units; they become keys unless `where` fixes one unit for every row.
fn units(table: &Table, measures: &[Measure], arguments: &Value) -> Vec<String> {
    let mut units = Vec::new();
    for measure in measures {
        let mixes = ["sum", "avg", "min", "max", "median"].contains(&measure.function.as_str());
        let Some(field) = measure.field.as_ref().filter(|_| mixes) else {
            continue;
        };
        let named = table.column(field).measured_in.iter();
        units.extend(
            named
                .filter(|unit| !is_fixed(&arguments["where"], unit))
                .map(|unit| (*unit).to_owned()),
        );
    }
    units
}

fn is_fixed(filter: &Value, unit: &str) -> bool {
    let Some(filter) = filter.as_object() else {
        return false;
    };
    filter
        .iter()
        .any(|(name, value)| match (name.as_str(), value) {
            ("and", Value::Array(filters)) => filters.iter().any(|filter| is_fixed(filter, unit)),
            ("or", Value::Array(filters)) => filters.len() == 1 && is_fixed(&filters[0], unit),
            (name, value) if name == unit => match value {
                Value::Object(tests) => {
                    tests
                        .iter()
                        .any(|(operator, value)| match operator.as_str() {
                            "eq" => true,
                            "is_null" => *value == Value::Bool(true),
                            "in" => value.as_array().unwrap().len() == 1,
                            _ => false,
                        })
                }
                Value::Array(values) => values.len() == 1,
                _ => true,
            },
            _ => false,
        })
}

fn key_of(row: &Row, key: &str, wall: &Wall) -> Cell {
    let Some((field, bucket)) = key.split_once(':') else {
        return row.get(key).clone();
    };
    let day = match (row.get(field), bucket) {
        (Cell::Null, _) => return Cell::Null,
        (Cell::Instant(instant), "hour") => return Cell::Hour(wall.hour_of(*instant)),
        (Cell::Instant(instant), _) => wall.shows(*instant).date(),
        (Cell::Day(day), _) => *day,
        other => panic!("no bucket: {other:?}"),
    };
    let first = |year, month| NaiveDate::from_ymd_opt(year, month, 1).unwrap();
    Cell::Day(match bucket {
        "weekday" => return Cell::Whole(day.weekday().number_from_monday().into()),
        "day" => day,
        "week" => day - Days::new(day.weekday().num_days_from_monday().into()),
        "month" => first(day.year(), day.month()),
        "quarter" => first(day.year(), (day.month() - 1) / 3 * 3 + 1),
        _ => first(day.year(), 1),
    })
}

fn compute(table: &Table, measure: &Measure, rows: &[&Row]) -> Cell {
    let count = |count: usize| Cell::Whole(i64::try_from(count).unwrap());
    let Some(field) = &measure.field else {
        return count(rows.len());
    };
    let values = rows.iter().map(|row| row.get(field));
    let mut values: Vec<Cell> = values
        .filter(|cell| **cell != Cell::Null)
        .cloned()
        .collect();
    match measure.function.as_str() {
        "count" => return count(values.len()),
        "count_distinct" => {
            let written = values.iter().map(|cell| cell.written().to_string());
            return count(written.collect::<BTreeSet<_>>().len());
        }
        _ if values.is_empty() => return Cell::Null,
        _ => values.sort_by(|left, right| left.compare(right, false)),
    }
    match measure.function.as_str() {
        "min" => values[0].clone(),
        "max" => values[values.len() - 1].clone(),
        function if table.column(field).kind == Kind::Real => {
            let numbers: Vec<f64> = values.iter().map(real).collect();
            Cell::Real(match function {
                "sum" => numbers.iter().sum(),
                "avg" => numbers.iter().sum::<f64>() / numbers.len() as f64,
                _ => f64::midpoint(numbers[(numbers.len() - 1) / 2], numbers[numbers.len() / 2]),
            })
        }
        function => {
            let numbers: Vec<Decimal> = values.iter().map(exact).collect();
            let sum: Decimal = numbers.iter().sum();
            Cell::Exact(match function {
                "sum" => sum,
                "avg" => mean(sum, numbers.len(), table.column(field).kind),
                _ => {
                    let middle = numbers[(numbers.len() - 1) / 2] + numbers[numbers.len() / 2];
                    middle * Decimal::new(5, 1)
                }
            })
        }
    }
}

/// With four decimals more than the values have.
fn mean(sum: Decimal, count: usize, kind: Kind) -> Decimal {
    let digits = if kind == Kind::Exact { 8 } else { 4 };
    (sum / Decimal::from(count))
        .round_dp_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero)
}

fn real(cell: &Cell) -> f64 {
    match cell {
        Cell::Real(number) => *number,
        other => panic!("no real number: {other:?}"),
    }
}

fn exact(cell: &Cell) -> Decimal {
    match cell {
        Cell::Exact(number) => *number,
        Cell::Whole(number) => Decimal::from(*number),
        other => panic!("no exact number: {other:?}"),
    }
}

/// Sorts in the given order, then by the keys.
fn sort(columns: &[String], keys: usize, groups: &mut [Vec<Cell>], arguments: &Value) {
    let place = |name: &str| columns.iter().position(|column| column == name).unwrap();
    let asked = arguments["order_by"].as_array().into_iter().flatten();
    let asked = asked.map(|name| directed(name.as_str().unwrap()));
    let mut order: Vec<(usize, bool)> = asked
        .map(|(name, is_descending)| (place(name), is_descending))
        .collect();
    order.extend((0..keys).map(|place| (place, false)));
    groups.sort_by(|left, right| {
        let mut orderings = order
            .iter()
            .map(|(place, is_descending)| left[*place].compare(&right[*place], *is_descending));
        orderings
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
    });
}
