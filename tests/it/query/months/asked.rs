//! Random queries that sums can answer, and both ways to the answer.

use serde_json::{Map, Value, json};
use sextant::query::check::{GroupQuery, check_groups};
use sextant::query::compile::{Statement, groups, groups_of_rows};
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::super::chance::Chance;
use super::super::house::{asked, now};
use crate::support::TestApp;
use crate::support::cluster::connect;

/// How deep filters nest.
const DEPTH_MAX: u64 = 2;
const TEXT_CHARS: usize = 300;
const KEYS: [&str; 8] = [
    "account_id",
    "status",
    "currency",
    "category",
    "connection",
    "booked_on:month",
    "booked_on:quarter",
    "booked_on:year",
];
const MEASURES: [&str; 6] = [
    "count",
    "count(amount)",
    "count(id)",
    "count(booked_on)",
    "sum(amount)",
    "avg(amount)",
];

pub fn time() -> LocalTime {
    LocalTime {
        now: now(),
        zone: chrono_tz::Europe::Berlin,
    }
}

/// Runs queries on the sums and on the rows: types, values and order are the same, and the tool service returns as
/// many. Returns how many of the answers had several groups.
pub async fn assert_answered_alike(app: &TestApp, chance: &mut Chance, questions: u64) -> usize {
    let mut filled = 0;
    let reader = connect(&app.database.reader_config()).await;
    let owner = app.database.connect().await;
    let tool_service = app.tool_service(time().zone, time().now);
    let accounts = "SELECT id::text FROM finance.accounts UNION ALL SELECT gen_random_uuid()::text";
    let accounts = owner.query(accounts, &[]).await.unwrap();
    let accounts: Vec<String> = accounts.iter().map(|row| row.get(0)).collect();
    for _ in 0..questions {
        let question = question(chance, &accounts);
        let grouped = check_groups(&Request::parse(&question).unwrap(), OPERATOR, &time());
        let grouped = grouped.unwrap_or_else(|fault| panic!("{}", fault.say(&question)));
        let found = both(&reader, &grouped, &question).await;
        let told = asked(&tool_service, &question).await;
        let shown = told["rows"].as_array().unwrap().len();
        let limit = question["limit"].as_u64().unwrap() as usize;
        assert_eq!(shown, found.min(limit), "{question}");
        filled += usize::from(found > 1);
    }
    filled
}

/// Runs the query both ways; returns the number of groups.
async fn both(reader: &Client, grouped: &GroupQuery, question: &Value) -> usize {
    let from_sums = groups(grouped, TEXT_CHARS);
    let from_rows = groups_of_rows(grouped, TEXT_CHARS);
    assert!(is_from(&from_sums, "sums"), "{question}\n{}", from_sums.sql);
    assert!(
        is_from(&from_rows, "finance"),
        "{question}\n{}",
        from_rows.sql
    );
    let (sums, rows) = (
        result(reader, &from_sums).await,
        result(reader, &from_rows).await,
    );
    assert_eq!(sums, rows, "{question}");
    sums.1.len()
}

fn is_from(statement: &Statement, schema: &str) -> bool {
    let tables = statement.sql.matches("FROM \"").count();
    tables == 1
        && statement
            .sql
            .contains(&format!("FROM \"{schema}\".\"transactions"))
}

/// The types of the columns, and each row as the server writes it, after its watermark: transactions end between the two ways.
async fn result(reader: &Client, statement: &Statement) -> (Vec<Type>, Vec<String>) {
    let types: Vec<Type> = statement.params.iter().map(Param::sql_type).collect();
    let values: Vec<&(dyn ToSql + Sync)> = statement.params.iter().map(Param::as_sql).collect();
    let plain = reader.prepare_typed(&statement.sql, &types).await.unwrap();
    let columns = plain.columns().iter().map(|column| column.type_().clone());
    let text = format!("SELECT found::text FROM ({}) AS found", statement.sql);
    let text = reader.prepare_typed(&text, &types).await.unwrap();
    let rows = reader.query(&text, &values).await.unwrap();
    (
        columns.collect(),
        rows.iter().map(|row| after_watermark(row.get(0))).collect(),
    )
}

fn question(chance: &mut Chance, accounts: &[String]) -> Value {
    let mut keys: Vec<&str> = chance.some_of(&KEYS, 3);
    let measures = chance.some_of(&MEASURES, 4);
    let measured = measures.iter().enumerate();
    let aggregate: Map<String, Value> = measured
        .map(|(number, measure)| (format!("m{number}"), json!(measure)))
        .collect();
    if keys.is_empty() && aggregate.is_empty() {
        keys.push("booked_on:month");
    }
    let named: Vec<String> = keys
        .iter()
        .map(|key| (*key).to_owned())
        .chain(aggregate.keys().cloned())
        .collect();
    let order: Vec<String> = chance
        .some_of(&named, 2)
        .into_iter()
        .map(|name| format!("{}{name}", if chance.is(50) { "-" } else { "" }))
        .collect();
    let limit = if chance.is(30) {
        chance.within(1, 5)
    } else {
        1000
    };
    let mut question = json!({
        "target": "finance.transactions", "order_by": order, "limit": limit, "budget": 25_000,
    });
    if chance.is(80) {
        question["where"] = filter(chance, accounts, 0);
    }
    if aggregate.is_empty() || !keys.is_empty() {
        question["group_by"] = json!(keys);
    }
    if !aggregate.is_empty() {
        question["aggregate"] = Value::Object(aggregate);
    }
    question
}

fn filter(chance: &mut Chance, accounts: &[String], depth: u64) -> Value {
    let mut filter = Map::new();
    for _ in 0..1 + chance.below(2) {
        if depth >= DEPTH_MAX || chance.is(65) {
            let (field, test) = condition(chance, accounts);
            filter.insert(field.to_owned(), test);
            continue;
        }
        let part = |chance: &mut Chance| self::filter(chance, accounts, depth + 1);
        match *chance.one_of(&["and", "or", "not"]) {
            "not" => filter.insert("not".to_owned(), part(chance)),
            word => filter.insert(word.to_owned(), json!([part(chance), part(chance)])),
        };
    }
    Value::Object(filter)
}

fn condition(chance: &mut Chance, accounts: &[String]) -> (&'static str, Value) {
    let is_null = chance.is(50);
    match chance.below(8) {
        0 | 1 => ("booked_on", stretch(chance)),
        2 => {
            let operator = chance.one_of(&["lt", "lte", "gt", "gte", "eq", "ne"]);
            (
                "amount",
                json!({ *operator: chance.one_of(&["0", "0.00", "-0"]) }),
            )
        }
        3 => {
            let field = *chance.one_of(&["booked_on", "amount", "category", "account_id"]);
            (field, json!({ "is_null": is_null }))
        }
        4 => ("account_id", json!(chance.some_of(accounts, 2))),
        5 => (
            "status",
            json!({ "ne": chance.one_of(&["posted", "pending"]) }),
        ),
        6 => {
            let field = *chance.one_of(&["connection", "currency"]);
            (field, json!(chance.one_of(&["Bank", "Zwei", "EUR", "CHF"])))
        }
        _ => ("category", text(chance)),
    }
}

fn text(chance: &mut Chance) -> Value {
    let operator = *chance.one_of(&["eq", "ne", "contains", "starts_with", "in", "not_in", "gte"]);
    let value = *chance.one_of(&["food", "Rent 100%", "", "R"]);
    match operator {
        "in" | "not_in" => json!({ operator: [value, "food", null] }),
        operator => json!({ operator: value }),
    }
}

/// A period that begins and ends with months, in one of the possible notations.
fn stretch(chance: &mut Chance) -> Value {
    let (first, last) = *chance.one_of(&[
        ("2026-01-01", "2025-12-31"),
        ("2026-02-01", "2026-01-31"),
        ("2026-03-01", "2026-02-28"),
        ("2027-01-01", "2026-12-31"),
    ]);
    match chance.below(5) {
        0 => json!({ "gte": first }),
        1 => json!({ "gt": last }),
        2 => json!({ "lt": first }),
        3 => json!({ "lte": last }),
        _ => json!({ "gte": "2026-01-01", "lt": first }),
    }
}

fn after_watermark(row: &str) -> String {
    row.splitn(3, ',').nth(2).unwrap().to_owned()
}
