//! The compiled SQL of a query of each shape, word for word.

use serde_json::{Value, json};
use sextant::query::check::{CheckedQuery, check_groups, check_query, check_rows};
use sextant::query::compile;
use sextant::query::cursor;
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant::query::watermark::Watermark;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::house::now;
use crate::support::golden;

fn shapes() -> Vec<(&'static str, Value)> {
    vec![
        ("plain", json!({"target": "finance.transactions"})),
        (
            "selected",
            json!({"target": "mail.messages", "select": ["received_at", "subject", "connection"], "limit": 5}),
        ),
        (
            "operators",
            json!({"target": "finance.transactions", "select": ["id"], "where": {
            "amount": {"gte": -100, "lt": 0.5}, "description": {"contains": "100%"}, "category": {"ne": "rent"},
            "merchant_name": {"starts_with": "Bä"}, "status": ["posted", null], "reference": null,
            "booked_on": {"not_in": ["today", "2026-01-01"]}, "value_on": {"is_null": false}}}),
        ),
        (
            "nested",
            json!({"target": "finance.transactions", "select": ["id"], "where": {
            "or": [{"category": "groceries"}, {"and": [{"amount": {"lte": -50}}, {"not": {"currency": "EUR"}}]}],
            "not": {"connection": "Cash"}}}),
        ),
        (
            "whole_days",
            json!({"target": "calendar.events", "select": ["title"], "where": {
            "start_at": {"gte": "today", "lte": "today+7d"}, "end_at": "2026-03-29"}}),
        ),
        (
            "lists_and_json",
            json!({"target": "contacts.people", "select": ["full_name"], "where": {
            "emails": {"contains": "@example.org"}, "categories": "friends", "nicknames": {"in": ["Bo", "Al"]},
            "urls": {"is_null": true}}}),
        ),
        (
            "search",
            json!({"target": "mail.messages", "select": ["subject"], "search": "invoice -paid"}),
        ),
        (
            "ranked",
            json!({"target": "mail.messages", "select": ["subject", "connection"], "search": "invoice -paid",
            "where": {"is_read": false}, "order_by": ["-rank"], "limit": 5}),
        ),
        (
            "mixed_order",
            json!({"target": "health.samples", "select": ["value"], "order_by": ["metric", "-start_at"]}),
        ),
        (
            "common_fields",
            json!({"target": "home.entities", "select": ["id", "connection", "as_of"], "order_by": ["-as_of"]}),
        ),
        (
            "in_nothing",
            json!({"target": "finance.transactions", "select": ["id"], "where": {"category": []}}),
        ),
        (
            "groups",
            json!({"target": "finance.transactions", "where": {"amount": {"lt": 0}, "currency": "EUR"},
            "group_by": ["category", "booked_on:month"], "aggregate": {"n": "count", "rent": "count(category)",
            "shops": "count_distinct(merchant_name)", "spent": "sum(amount)", "mean": "avg(amount)", "least": "min(amount)",
            "most": "max(amount)", "middle": "median(amount)", "last": "max(connection)"},
            "order_by": ["-spent", "category"], "limit": 10}),
        ),
        (
            "groups_of_months",
            json!({"target": "finance.transactions", "where": {"amount": {"lt": 0}, "currency": "EUR",
            "booked_on": {"gte": "2025-04-01", "lte": "2026-03-31"}, "connection": "Bank"},
            "group_by": ["category", "booked_on:month", "booked_on:quarter"],
            "aggregate": {"n": "count", "spent": "sum(amount)", "mean": "avg(amount)"}, "order_by": ["-spent"]}),
        ),
        (
            "groups_of_months_of_both_signs",
            json!({"target": "finance.transactions", "where": {"currency": "EUR", "booked_on": {"gte": "2025-04-01"},
            "account_id": ["6f9619ff-8b86-4011-b42d-00c04fc964ff"]},
            "group_by": ["category", "booked_on:month"], "aggregate": {"total": "sum(amount)"}}),
        ),
        (
            "groups_of_floats",
            json!({"target": "health.samples", "search": null, "where": {"metric": "steps", "unit": "count"},
            "group_by": ["start_at:hour", "start_at:day", "end_at:hour", "start_at:weekday", "connection"],
            "aggregate": {"mean": "avg(value)", "middle": "median(value)"}}),
        ),
    ]
}

fn time() -> LocalTime {
    LocalTime {
        now: now(),
        zone: chrono_tz::Europe::Berlin,
    }
}

fn written(arguments: &Value) -> String {
    let request = Request::parse(arguments).unwrap();
    let statements = match check_query(&request, OPERATOR, &time()).unwrap() {
        CheckedQuery::Rows(checked) => vec![compile::rows(&checked, 300), compile::count(&checked)],
        CheckedQuery::Groups(grouped) => vec![compile::groups(&grouped, 300)],
    };
    statements.iter().map(show).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The SQL of the page after a row with these keys.
fn written_after(mut arguments: Value, keys: &[Option<Param>]) -> String {
    let request = Request::parse(&arguments).unwrap();
    arguments["cursor"] = json!(cursor::encode(
        &cursor::digest(&request),
        keys,
        &Watermark::default()
    ));
    let checked = check_rows(&Request::parse(&arguments).unwrap(), OPERATOR, &time()).unwrap();
    show(&compile::rows(&checked, 300)) + "\n"
}

fn show(statement: &compile::Statement) -> String {
    let types = statement.params.iter().enumerate();
    let types: Vec<String> = types
        .map(|(place, param)| format!("-- ${}: {}", place + 1, param.sql_type()))
        .collect();
    format!("{}\n{}", statement.sql, types.join("\n"))
}

fn compare(name: &str, written: &str) {
    golden::assert_kept(&format!("tests/it/query/golden/{name}.sql"), written);
}

#[test]
fn the_compiled_sql_is_the_golden_one() {
    for (name, arguments) in shapes() {
        compare(name, &written(&arguments));
    }
}

#[test]
fn the_compiled_sql_of_changes_is_the_golden_one() {
    let mut asked =
        json!({"target": "finance.transactions", "select": ["id"], "where": {"amount": {"lt": 0}}});
    let digest = cursor::digest_of_rows(&Request::parse(&asked).unwrap());
    asked["changed_since"] = json!(Watermark::default().encode(&digest));
    compare("changes", &written(&asked));
}

/// In St John's the clock was once put back at one minute past midnight.
#[test]
fn the_compiled_sql_of_days_that_begin_twice_is_the_golden_one() {
    let asked = json!({"target": "calendar.events", "group_by": ["start_at:day", "start_at:hour"]});
    let time = LocalTime {
        zone: chrono_tz::America::St_Johns,
        ..time()
    };
    let grouped = check_groups(&Request::parse(&asked).unwrap(), OPERATOR, &time).unwrap();
    let statement = compile::groups(&grouped, 300);
    compare("groups_of_early_days", &(show(&statement) + "\n"));
}

#[test]
fn the_compiled_sql_of_further_pages_is_the_golden_one() {
    let id = || Some(Param::Id(Uuid::nil()));
    let text = |text: &str| Some(Param::Text(text.into()));
    let day = Some(Param::Date("2026-01-01".parse().unwrap()));
    let at = Some(Param::Time(now()));
    for (name, arguments, keys) in [
        (
            "page_uniform",
            json!({"target": "finance.transactions", "select": ["id"]}),
            vec![day.clone(), id()],
        ),
        (
            "page_nullable",
            json!({"target": "mail.messages", "select": ["id"]}),
            vec![at.clone(), id()],
        ),
        (
            "page_behind_null",
            json!({"target": "mail.messages", "select": ["id"]}),
            vec![None, id()],
        ),
        (
            "page_of_both_directions",
            json!({"target": "finance.transactions", "select": ["id"], "order_by": ["-amount", "booked_on"]}),
            vec![Some(Param::Decimal(5.into())), day.clone(), id()],
        ),
        (
            "page_mixed",
            json!({"target": "health.samples", "select": ["id"], "order_by": ["metric", "-start_at", "unit"]}),
            vec![text("steps"), at, text("count"), id()],
        ),
    ] {
        compare(name, &written_after(arguments, &keys));
    }
}
