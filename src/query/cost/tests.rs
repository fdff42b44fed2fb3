use serde_json::json;
use sextant_actors::domain::OPERATOR;

use super::*;
use crate::query::check::check_query;
use crate::query::time::LocalTime;

/// The text of a call's fault; `None` when it is accepted.
fn fault_text(arguments: &Value) -> Option<String> {
    let time = LocalTime {
        now: "2026-03-17T23:30:00Z".parse().unwrap(),
        zone: chrono_tz::Europe::Berlin,
    };
    let checked = |call: &Value| check_query(&Request::parse(call)?, OPERATOR, &time).map(drop);
    let fault = checked(arguments).err()?;
    Some(fault.settle(arguments, checked).say(arguments))
}

fn containing(field: &str, count: usize) -> Vec<Value> {
    let condition = |number| json!({field: {"contains": format!("word {number}")}});
    (0..count).map(condition).collect()
}

#[test]
fn ninety_eight_looks_through_mail_bodies_are_refused_by_name_and_the_rest_would_run() {
    let asked = json!({"target": "mail.messages", "count": true,
        "where": {"is_read": false, "or": containing("body_text", 98)}});
    let said = fault_text(&asked).unwrap();
    assert!(said.contains("`body_text` in `where` cost 6272"), "{said}");
    assert!(said.contains("it costs 6275 and may cost 1000"), "{said}");
    let (_, call) = said.split_once(". Try: ").unwrap();
    let call: Value = serde_json::from_str(call).unwrap();
    assert_eq!(call["where"], json!({"is_read": false}));
    assert_eq!(fault_text(&call), None);
}

#[test]
fn what_people_ask_for_is_let_through() {
    let ids: Vec<String> = (0..500)
        .map(|n| format!("{n:08}-8b86-4011-b42d-00c04fc964ff"))
        .collect();
    for asked in [
        json!({"target": "mail.messages", "where": {"or": containing("body_text", 15)}}),
        json!({"target": "finance.transactions", "where": {"or": containing("description", 100)}}),
        json!({"target": "finance.transactions", "where": {"id": ids, "account_id": ids}}),
        json!({"target": "mail.messages", "order_by": ["-subject", "from_email", "sent_at"]}),
        json!({"target": "contacts.people", "where": {"emails": {"contains": "@example.org"}, "notes": {"contains": "met"}}}),
        json!({"target": "mail.messages", "group_by": ["from_email", "received_at:month"],
            "aggregate": {"n": "count", "threads": "count_distinct(thread_id)", "largest": "max(size)", "usual": "median(size)"}}),
    ] {
        assert_eq!(fault_text(&asked), None, "{asked}");
    }
}

#[test]
fn what_is_computed_and_ordered_by_costs_too() {
    let asked = json!({"target": "mail.messages", "group_by": ["importance"],
        "aggregate": {"bodies": "count_distinct(body_text)", "n": "count"},
        "where": {"or": containing("body_text", 14)}});
    assert!(fault_text(&asked).unwrap().contains("may cost 1000"));
    let distinct = |name: &str| format!("count_distinct({name})");
    let many: Map<String, Value> = (0..10)
        .map(|n| (format!("n{n}"), distinct("body_text").into()))
        .collect();
    let said = fault_text(&json!({"target": "mail.messages", "aggregate": many})).unwrap();
    assert!(said.contains("in `aggregate`"), "{said}");
    let (_, call) = said.split_once(". Try: ").unwrap();
    assert_eq!(fault_text(&serde_json::from_str(call).unwrap()), None);
}
