use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::*;
use crate::catalog;
use crate::query::check::check_groups;
use crate::query::request::Request;
use crate::query::time::LocalTime;

/// In the middle of a month.
fn time() -> LocalTime {
    LocalTime {
        now: "2026-03-17T23:30:00Z".parse().unwrap(),
        zone: chrono_tz::Europe::Berlin,
    }
}

fn source(arguments: &Value) -> GroupSource {
    let request = Request::parse(arguments).unwrap();
    let grouped = check_groups(&request, OPERATOR, &time());
    GroupSource::of(&grouped.unwrap_or_else(|fault| panic!("{}", fault.say(arguments))))
}

fn from_months(changed: Value) -> bool {
    let mut arguments = json!({
        "target": "finance.transactions", "group_by": ["category", "booked_on:month"],
        "aggregate": {"total": "sum(amount)"},
    });
    let members = changed.as_object().unwrap().clone();
    arguments.as_object_mut().unwrap().extend(members);
    source(&arguments) != GroupSource::Rows
}

#[test]
fn whole_months_are_answered_from_their_sums() {
    for asked in [
        json!({}),
        json!({"group_by": ["booked_on:quarter", "account_id", "status", "currency", "connection"]}),
        json!({"group_by": ["booked_on:year"], "order_by": ["-total"], "limit": 3}),
        json!({"group_by": null, "where": {"currency": "EUR"}}),
        json!({"aggregate": null}),
        json!({"aggregate": {"n": "count", "m": "count(amount)", "i": "count(id)", "mean": "avg(amount)"}}),
        json!({"where": {"booked_on": {"gte": "2025-11-01", "lt": "2026-02-01"}}}),
        json!({"where": {"booked_on": {"gt": "2025-10-31", "lte": "2026-02-28"}}}),
        json!({"where": {"booked_on": {"lte": "2024-02-29"}}}),
        json!({"where": {"booked_on": {"gte": "start_of_month"}}}),
        json!({"where": {"booked_on": {"is_null": false}, "amount": {"is_null": false}}}),
        json!({"where": {"amount": {"lt": 0}, "currency": ["EUR", "CHF", null]}}),
        json!({"where": {"not": {"amount": {"gte": 0.00}}, "status": {"ne": "pending"}}}),
        json!({"where": {"or": [{"amount": 0}, {"amount": {"gt": 0}}, {"amount": {"lte": 0}}]}}),
        json!({"where": {"category": {"contains": "food"}, "connection": {"starts_with": "B"}}}),
        json!({"where": {"account_id": ["6f9619ff-8b86-4011-b42d-00c04fc964ff"], "category": []}}),
    ] {
        assert!(from_months(asked.clone()), "{asked}");
    }
}

#[test]
fn what_tells_rows_of_one_sum_apart_is_answered_from_the_rows() {
    for asked in [
        json!({"group_by": ["booked_on"]}),
        json!({"group_by": ["booked_on:day"]}),
        json!({"group_by": ["booked_on:week"]}),
        json!({"group_by": ["booked_on:weekday"]}),
        json!({"group_by": ["value_on:month"]}),
        json!({"group_by": ["transacted_at:month"]}),
        json!({"group_by": ["merchant_name"]}),
        json!({"group_by": ["as_of"]}),
        json!({"group_by": ["amount"]}),
        json!({"aggregate": {"least": "min(amount)"}}),
        json!({"aggregate": {"most": "max(amount)"}}),
        json!({"aggregate": {"middle": "median(amount)"}}),
        json!({"aggregate": {"n": "count_distinct(amount)"}}),
        json!({"aggregate": {"n": "count(category)"}}),
        json!({"aggregate": {"n": "count(merchant_name)"}}),
        json!({"aggregate": {"total": "sum(amount)", "left": "sum(balance_after)"}}),
        json!({"aggregate": {"first": "min(booked_on)"}}),
        json!({"where": {"booked_on": {"gte": "2025-11-02"}}}),
        json!({"where": {"booked_on": {"lt": "2025-11-30"}}}),
        json!({"where": {"booked_on": {"gt": "2025-11-01"}}}),
        json!({"where": {"booked_on": {"lte": "2025-11-01"}}}),
        json!({"where": {"booked_on": {"lte": "2023-02-27"}}}),
        json!({"where": {"booked_on": {"lte": "today"}}}),
        json!({"where": {"booked_on": "2025-11-01"}}),
        json!({"where": {"booked_on": ["2025-11-01"]}}),
        json!({"where": {"booked_on": {"ne": "2025-11-01"}}}),
        json!({"where": {"amount": {"lt": 5}}}),
        json!({"where": {"amount": {"gt": -0.0001}}}),
        json!({"where": {"amount": [0]}}),
        json!({"where": {"description": {"contains": "food"}}}),
        json!({"where": {"balance_after": {"lt": 0}}}),
        json!({"where": {"value_on": {"gte": "2025-11-01"}}}),
        json!({"where": {"payment_channel": "card"}}),
        json!({"where": {"as_of": {"gte": "2025-11-01"}}}),
        json!({"where": {"category": "food", "or": [{"currency": "EUR"}, {"not": {"mcc": "1"}}]}}),
        json!({"search": "food"}),
    ] {
        assert!(!from_months(asked.clone()), "{asked}");
    }
}

#[test]
fn signs_are_read_apart_only_where_a_filter_tells_them_apart() {
    let whole_months = |filter: Value| {
        json!({
            "target": "finance.transactions", "group_by": ["booked_on:month"], "aggregate": {"total": "sum(amount)"},
            "where": filter,
        })
    };
    for filter in [json!({}), json!({"category": "food"})] {
        let source = source(&whole_months(filter));
        assert_eq!(source.sums(), Some("transactions_by_month"));
    }
    for filter in [
        json!({"amount": {"lt": 0}}),
        json!({"or": [{"category": "food"}, {"not": {"amount": {"gte": 0}}}]}),
    ] {
        let source = source(&whole_months(filter));
        assert_eq!(source.sums(), Some("transactions_by_month_and_sign"));
    }
}

#[test]
fn only_a_table_whose_months_are_summed_up_is_answered_so() {
    let holdings = json!({"target": "finance.holdings", "group_by": ["as_of:month"]});
    assert_eq!(source(&holdings), GroupSource::Rows);
    let summed: Vec<String> = catalog::tables()
        .filter(|table| table.months.is_some())
        .map(catalog::Table::target)
        .collect();
    assert_eq!(summed, ["finance.transactions"]);
}
