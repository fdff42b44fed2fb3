//! What is wrong names what is right, in a corrected call.

use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::{checked, said, time};
use crate::query::check::check_query;
use crate::query::request::Request;

/// The corrected call of a wrong one.
fn corrected(arguments: Value) -> Value {
    let request = Request::parse(&arguments).unwrap();
    let fault = check_query(&request, OPERATOR, &time()).unwrap_err();
    let said = fault.say(&arguments);
    let (_, call) = said
        .split_once(". Try: ")
        .unwrap_or_else(|| panic!("{said}"));
    serde_json::from_str(call).unwrap()
}

#[test]
fn an_unknown_field_names_the_nearest_and_a_corrected_call() {
    let said = said(json!({"target": "finance.transactions", "where": {"ammount": {"lt": 0}}}));
    assert!(
        said.contains("has no field \"ammount\"; the nearest is amount"),
        "{said}"
    );
    assert!(
        said.ends_with(r#"Try: {"target":"finance.transactions","where":{"amount":{"lt":0}}}"#),
        "{said}"
    );
}

#[test]
fn an_unknown_table_names_those_of_the_sector() {
    let said = said(json!({"target": "finance.transaction"}));
    assert!(said.contains("finance.holdings"), "{said}");
    assert!(
        said.ends_with(r#"Try: {"target":"finance.transactions"}"#),
        "{said}"
    );
    let bare = self::said(json!({"target": "finance"}));
    assert!(bare.contains("finance.accounts"), "{bare}");
}

#[test]
fn an_unknown_operator_and_a_wrong_value_are_repaired() {
    let operator =
        said(json!({"target": "finance.transactions", "where": {"amount": {"less": 0}}}));
    assert!(operator.contains("unknown operator \"less\""), "{operator}");
    let value = said(
        json!({"target": "finance.transactions", "where": {"booked_on": {"gte": "last week"}}}),
    );
    assert!(value.contains("relative one such as today-30d"), "{value}");
    assert!(
        value.ends_with(r#""where":{"booked_on":{"gte":"start_of_week-1w"}}}"#),
        "{value}"
    );
}

#[test]
fn a_value_that_the_field_never_has_names_the_nearest() {
    for (sent, right) in [("booked", "posted"), ("Pending", "pending")] {
        let said = said(json!({"target": "finance.transactions", "where": {"status": sent}}));
        assert!(said.contains("only ever one of: pending, posted"), "{said}");
        let call = json!({"target": "finance.transactions", "where": {"status": right}});
        assert!(said.ends_with(&format!("Try: {call}")), "{said}");
    }
    let near = json!({"target": "finance.transactions", "where": {"status": {"contains": "post"}}});
    assert!(checked(&near).is_ok());
}

#[test]
fn what_is_no_id_is_looked_up_by_its_name_where_the_field_refers_to() {
    let asked =
        json!({"target": "home.history", "where": {"entity_id": "sensor.hall"}, "limit": 9});
    let either = json!([{"entity_id": "sensor.hall"}, {"entity_id": {"contains": "sensor.hall"}}]);
    let expected = json!({"target": "home.entities", "where": {"or": either}, "limit": 5});
    assert_eq!(corrected(asked), expected);
    let asked = json!({"target": "finance.transactions", "where": {"account_id": {"in": ["Joint account"]}}});
    let named = json!({"or": [{"name": {"contains": "Joint account"}}]});
    let expected = json!({"target": "finance.accounts", "where": named, "limit": 5});
    assert_eq!(corrected(asked), expected);
}

#[test]
fn a_number_is_asked_of_the_field_that_holds_numbers() {
    let asked = json!({"target": "home.history", "where": {"state": {"gt": 20}}});
    let expected = json!({"target": "home.history", "where": {"state_num": {"gt": 20}}});
    assert_eq!(corrected(asked), expected);
}

#[test]
fn a_bucket_without_its_field_is_one_of_the_tables_own_time() {
    let asked = json!({"target": "finance.transactions", "group_by": ["category", "month"]});
    let expected =
        json!({"target": "finance.transactions", "group_by": ["category", "booked_on:month"]});
    assert_eq!(corrected(asked), expected);
    let asked = json!({"target": "health.days", "group_by": ["day"]});
    assert!(check_query(&Request::parse(&asked).unwrap(), OPERATOR, &time()).is_ok());
}

#[test]
fn a_bucket_as_a_function_is_one() {
    for asked in [
        "month(booked_on)",
        "date_trunc('month', booked_on)",
        "Extract(MONTH from booked_on)",
    ] {
        let asked = json!({"target": "finance.transactions", "group_by": ["category", asked]});
        let expected =
            json!({"target": "finance.transactions", "group_by": ["category", "booked_on:month"]});
        assert_eq!(corrected(asked), expected);
    }
}

#[test]
fn a_month_that_a_time_is_to_be_is_asked_for_whole() {
    for (asked, right) in [
        (
            json!({"booked_on": "2026-02"}),
            json!({"booked_on": {"gte": "2026-02-01", "lt": "2026-03-01"}}),
        ),
        (
            json!({"or": [{"booked_on": {"eq": "2025", "is_null": false}}, {"amount": 1}]}),
            json!({"or": [{"booked_on": {"is_null": false, "gte": "2025-01-01", "lt": "2026-01-01"}}, {"amount": 1}]}),
        ),
    ] {
        let target = "finance.transactions";
        let expected = json!({"target": target, "where": right});
        assert_eq!(
            corrected(json!({"target": target, "where": asked})),
            expected
        );
    }
    let other = said(json!({"target": "finance.transactions", "where": {"booked_on": "2026-13"}}));
    assert!(other.contains("the nearest is"), "{other}");
}

#[test]
fn a_select_of_functions_becomes_groups() {
    let target = "finance.transactions";
    let select = |names: Value| corrected(json!({"target": target, "select": names}));
    assert_eq!(select(json!(["amount", "*"])), json!({"target": target}));
    assert_eq!(
        select(json!(["count(*)", "SUM(amount) AS spent"])),
        json!({"target": target, "aggregate": {"count": "count(*)", "spent": "SUM(amount)"}})
    );
    let grouped = select(json!(["category", "sum(amount)"]));
    assert_eq!(
        grouped,
        json!({"target": target, "select": ["category", "sum(amount)"], "group_by": ["category"]})
    );
    assert_eq!(
        corrected(grouped),
        json!({"target": target, "group_by": ["category"], "aggregate": {"sum_amount": "sum(amount)"}})
    );
}
