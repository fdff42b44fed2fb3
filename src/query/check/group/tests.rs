use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::*;

fn checked(arguments: &Value) -> Result<GroupQuery, CallFault> {
    let time = LocalTime {
        now: "2026-03-17T12:00:00Z".parse().unwrap(),
        zone: chrono_tz::UTC,
    };
    Request::parse(arguments).and_then(|request| check_groups(&request, OPERATOR, &time))
}

fn names(arguments: Value) -> Vec<String> {
    let grouped = checked(&arguments).unwrap();
    let keys = grouped.keys.into_iter().map(|key| key.name);
    keys.chain(grouped.measures.into_iter().map(|measure| measure.name))
        .collect()
}

#[test]
fn rows_are_counted_when_nothing_is_said() {
    let asked = json!({"target": "finance.transactions", "group_by": "category"});
    assert_eq!(names(asked), ["category", "count"]);
}

#[test]
fn what_values_are_measured_in_joins_the_groups_unless_it_is_fixed() {
    let spent = |filter: Value| {
        names(
            json!({"target": "finance.transactions", "where": filter, "group_by": ["booked_on:month"],
            "aggregate": {"spent": "sum(amount)", "n": "count"}}),
        )
    };
    let added = ["booked_on:month", "currency", "n", "spent"];
    assert_eq!(spent(json!({})), added);
    assert_eq!(spent(json!({"currency": {"ne": "EUR"}})), added);
    assert_eq!(
        spent(json!({"or": [{"currency": "EUR"}, {"amount": 1}]})),
        added
    );
    assert_eq!(spent(json!({"currency": ["EUR", "USD"]})), added);
    let fixed = ["booked_on:month", "n", "spent"];
    assert_eq!(spent(json!({"currency": "EUR"})), fixed);
    assert_eq!(spent(json!({"currency": ["EUR"]})), fixed);
    assert_eq!(spent(json!({"currency": null})), fixed);
    assert_eq!(
        spent(json!({"and": [{"currency": "EUR"}, {"amount": 1}]})),
        fixed
    );
    let samples = json!({"target": "health.samples", "where": {"metric": "weight"}, "aggregate": {"mean": "avg(value)"}});
    assert_eq!(names(samples), ["unit", "mean"]);
    let counted =
        json!({"target": "finance.transactions", "aggregate": {"n": "count_distinct(amount)"}});
    assert_eq!(names(counted), ["n"]);
}

#[test]
fn the_order_is_total() {
    let grouped = checked(
        &json!({"target": "mail.messages", "group_by": ["from_email", "received_at:weekday"],
        "order_by": ["-n", "received_at"], "aggregate": {"n": "count"}}),
    )
    .unwrap();
    let order: Vec<_> = grouped
        .order
        .iter()
        .map(|key| (key.by, key.is_descending))
        .collect();
    let expected = [
        (GroupColumn::Measure(0), true),
        (GroupColumn::Key(1), false),
        (GroupColumn::Key(0), false),
    ];
    assert_eq!(order, expected);
}

#[test]
fn each_fault_suggests_a_call_that_checks() {
    let base = json!({"target": "finance.transactions", "group_by": ["category"], "aggregate": {"n": "count"}});
    let faults = [
        json!({"group_by": ["categry"]}),
        json!({"group_by": ["booked_on:mnth"]}),
        json!({"group_by": ["bookd_on:month"]}),
        json!({"group_by": ["booked_on:hour"]}),
        json!({"group_by": ["category:day"]}),
        json!({"aggregate": {"n": "sum(ammount)"}}),
        json!({"aggregate": {"n": "total(amount)"}}),
        json!({"aggregate": {"n": "sum(description)"}}),
        json!({"aggregate": {"n": "amount"}}),
        json!({"aggregate": {"n": "sum"}}),
        json!({"aggregate": {"n": 1}}),
        json!({"aggregate": {"the sum": "sum(amount)"}}),
        json!({"select": ["amount"]}),
        json!({"cursor": "abc"}),
        json!({"order_by": ["-nn"]}),
    ];
    for fault in faults {
        let mut arguments = base.clone();
        arguments
            .as_object_mut()
            .unwrap()
            .extend(fault.as_object().unwrap().clone());
        let said = checked(&arguments).unwrap_err().say(&arguments);
        let (_, call) = said
            .split_once(". Try: ")
            .unwrap_or_else(|| panic!("{said}"));
        let call: Value = serde_json::from_str(call).unwrap();
        assert!(checked(&call).is_ok(), "{said}");
    }
}
