use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::*;
use crate::query::check;
use crate::query::provenance::Provenance;
use crate::query::request::Request;
use crate::query::sources::example;

fn time() -> LocalTime {
    LocalTime {
        now: "2026-03-17T12:00:00Z".parse().unwrap(),
        zone: chrono_tz::UTC,
    }
}

fn reason(sources: &[ConnectedSource], has_rows: bool, filter: Value) -> EmptyReason {
    let arguments = json!({"target": "finance.transactions", "where": filter});
    let request = Request::parse(&arguments).unwrap();
    let checked = check::check_rows(&request, OPERATOR, &time()).unwrap();
    explain(&checked.scope, &page(sources, has_rows), &time())
}

fn page(sources: &[ConnectedSource], has_rows: bool) -> ResultPage {
    ResultPage {
        rows: Vec::new(),
        has_more: false,
        matched: Some(0),
        is_empty: true,
        has_rows,
        provenance: Provenance {
            sources: sources.to_vec(),
            ..Provenance::default()
        },
        kinds: Vec::new(),
    }
}

#[test]
fn each_of_the_six_reasons_is_given_where_it_holds() {
    let in_health = |health: &str| ConnectedSource {
        health: health.into(),
        ..example()
    };
    let paused = ConnectedSource {
        is_paused: true,
        ..example()
    };
    let silent = ConnectedSource {
        as_of: None,
        ..example()
    };
    let windowed = ConnectedSource {
        window_start: Some("2026-01-01T00:00:00Z".parse().unwrap()),
        window_end: Some("2026-12-31T00:00:00Z".parse().unwrap()),
        ..example()
    };
    let none = || json!({});
    let cases = [
        (vec![], false, none(), "no_connection"),
        (vec![], true, none(), "no_match"),
        (vec![example()], true, none(), "no_match"),
        (vec![example()], false, none(), "no_match"),
        (vec![silent.clone()], false, none(), "never_synced"),
        (vec![paused.clone()], true, none(), "paused"),
        (
            vec![in_health("needs_sign_in")],
            true,
            none(),
            "needs_sign_in",
        ),
        (
            vec![in_health("needs_credentials")],
            true,
            none(),
            "needs_sign_in",
        ),
        (
            vec![in_health("consent_expired")],
            true,
            none(),
            "needs_sign_in",
        ),
        (vec![in_health("backing_off")], true, none(), "no_match"),
        (vec![in_health("quota_spent")], true, none(), "no_match"),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"lt": "2025-06-01"}}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"gte": "2027-06-01"}}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": "2020-01-01"}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"gte": "2025-06-01"}}),
            "no_match",
        ),
        // Up to the very edge, and from it on.
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"lte": "2025-12-31"}}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"lt": "2026-01-01"}}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"lte": "2026-01-01"}}),
            "no_match",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"gt": "2026-12-30"}}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"booked_on": {"gte": "2026-12-30"}}),
            "no_match",
        ),
        // Of two bounds the narrower holds, in whichever order.
        (
            vec![windowed.clone()],
            true,
            json!({"and": [{"booked_on": {"lt": "2025-06-01"}}, {"booked_on": {"lt": "2030-01-01"}}]}),
            "outside_window",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"and": [{"booked_on": {"gte": "2027-06-01"}}, {"booked_on": {"gte": "2020-01-01"}}]}),
            "outside_window",
        ),
        // Another source may know.
        (
            vec![windowed.clone(), example()],
            true,
            json!({"booked_on": {"lt": "2025-06-01"}}),
            "no_match",
        ),
        (
            vec![windowed.clone()],
            true,
            json!({"transacted_at": {"lt": "2025-06-01"}}),
            "no_match",
        ),
        (
            vec![windowed],
            true,
            json!({"not": {"booked_on": {"lt": "2025-06-01"}}}),
            "no_match",
        ),
        (vec![example(), paused], true, none(), "no_match"),
    ];
    for (sources, has_rows, filter, expected) in cases {
        let empty = reason(&sources, has_rows, filter.clone());
        assert_eq!(empty.reason, expected, "{filter} {sources:?}");
    }
}

#[test]
fn a_part_that_is_not_known_is_named_beside_no_match() {
    let paused = ConnectedSource {
        label: "Old bank".into(),
        is_paused: true,
        ..example()
    };
    let hint = reason(&[example(), paused], true, json!({})).hint;
    assert!(hint.contains("'Old bank' is paused"), "{hint}");
}

#[test]
fn a_hint_tells_the_values_of_the_kinds_that_were_asked_for_and_how_texts_are_compared() {
    let mut told = page(&[example()], true);
    told.kinds = vec![FieldValues {
        field: "category",
        values: vec!["groceries".to_owned(), "rent".to_owned()],
        total: 9,
    }];
    let arguments = json!({"target": "finance.transactions", "where": {"category": "Groceries"}});
    let request = Request::parse(&arguments).unwrap();
    let checked = check::check_rows(&request, OPERATOR, &time()).unwrap();
    let hint = explain(&checked.scope, &told, &time()).hint;
    assert!(
        hint.contains("`category` is one of groceries, rent, and 7 more"),
        "{hint}"
    );
    assert!(hint.contains("`contains` ignores case"), "{hint}");
    let hint = reason(&[example()], true, json!({"amount": 5})).hint;
    assert!(!hint.contains("ignores case"), "{hint}");
}
