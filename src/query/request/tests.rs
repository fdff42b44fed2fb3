use serde_json::json;

use super::*;

fn said(arguments: Value) -> String {
    Request::parse(&arguments).unwrap_err().say(&arguments)
}

#[test]
fn an_unknown_argument_names_the_nearest_valid_one_and_a_corrected_call() {
    let said = said(json!({"target": "mail.messages", "limitt": 5}));
    assert!(said.contains("unknown argument \"limitt\""), "{said}");
    assert!(
        said.ends_with(r#"Try: {"limit":5,"target":"mail.messages"}"#),
        "{said}"
    );
}

#[test]
fn what_has_no_like_here_is_left_out_and_the_way_to_further_rows_is_told() {
    for name in ["offset", "skip", "page"] {
        let said = said(json!({"target": "mail.messages", name: 50}));
        assert!(said.contains("pass `next_cursor`"), "{said}");
        assert!(
            said.ends_with(r#"Try: {"target":"mail.messages"}"#),
            "{said}"
        );
    }
    let said = said(json!({"target": "mail.messages", "sql": "SELECT subject"}));
    assert!(
        said.ends_with(r#"Try: {"target":"mail.messages"}"#),
        "{said}"
    );
}

#[test]
fn a_list_that_cannot_be_read_is_told_the_bound_that_it_will_meet() {
    let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let objects: Vec<Value> = keys.iter().map(|key| json!({"field": key})).collect();
    for (name, most) in [("order_by", 4), ("group_by", 8)] {
        let said = said(json!({"target": "mail.messages", name: objects}));
        assert!(said.contains(&format!("at most {most}")), "{said}");
        let right = json!({"target": "mail.messages", name: keys[..most]});
        assert!(said.ends_with(&format!("Try: {right}")), "{said}");
    }
}

#[test]
fn bounds_hold_and_null_is_absent() {
    for wrong in [
        json!({"limit": 0}),
        json!({"limit": 1001}),
        json!({"limit": 2.5}),
        json!({"budget": 499}),
        json!({"budget": 25001}),
        json!({"count": "yes"}),
        json!({"format": "table"}),
        json!({"select": [1]}),
        json!({"where": ["amount"]}),
        json!({"aggregate": ["count"]}),
        json!({"changed_since": 1}),
    ] {
        let mut arguments = json!({"target": "mail.messages"});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(wrong.as_object().unwrap().clone());
        assert!(Request::parse(&arguments).is_err(), "{arguments}");
    }
    let request =
        Request::parse(&json!({"target": "mail.messages", "cursor": null, "limit": null})).unwrap();
    assert_eq!((request.limit, request.cursor), (None, None));
}
