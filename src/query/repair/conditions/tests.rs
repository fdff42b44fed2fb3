use super::*;

fn is_field(name: &str) -> bool {
    ["amount", "booked_on", "category"].contains(&name)
}

fn rewritten(filter: Value) -> Option<Value> {
    normalised(filter.as_object().unwrap(), &is_field)
}

#[test]
fn a_filter_in_another_shape_is_read() {
    for (written, expected) in [
        (
            json!({"field": "amount", "op": "<", "value": 0}),
            json!({"amount": {"lt": 0}}),
        ),
        (json!({"amount__lt": 0}), json!({"amount": {"lt": 0}})),
        (json!({"amount >=": 0}), json!({"amount": {"gte": 0}})),
        (
            json!({"amount>=": 0, "amount<": 5}),
            json!({"amount": {"gte": 0, "lt": 5}}),
        ),
        (json!({"$lt": {"amount": 0}}), json!({"amount": {"lt": 0}})),
        (json!({"amount": {"$lt": 0}}), json!({"amount": {"lt": 0}})),
        (
            json!({"amount": {"between": [1, 2]}}),
            json!({"amount": {"gte": 1, "lte": 2}}),
        ),
        (
            json!({"or": {"amount": 1, "category": "a"}}),
            json!({"or": [{"amount": 1}, {"category": "a"}]}),
        ),
        (
            json!({"and": [["amount", "<", 0], "category = 'a'"]}),
            json!({"and": [{"amount": {"lt": 0}}, {"category": {"eq": "a"}}]}),
        ),
        (
            json!({"not": [{"amount": 1}, {"amount": 2}]}),
            json!({"not": {"or": [{"amount": 1}, {"amount": 2}]}}),
        ),
        (
            json!({"amount": {"or": [{"lt": 0}, {"gt": 5}]}}),
            json!({"or": [{"amount": {"lt": 0}}, {"amount": {"gt": 5}}]}),
        ),
        (
            json!({"category": {"like": "gro%"}}),
            json!({"category": {"starts_with": "gro"}}),
        ),
        (
            json!({"amount": {"$exists": true}}),
            json!({"amount": {"is_null": false}}),
        ),
        (json!({"where": {"amount": 1}}), json!({"amount": 1})),
        (json!({"or": [], "amount": 1}), json!({"amount": 1})),
    ] {
        assert_eq!(rewritten(written.clone()), Some(expected), "{written}");
    }
}

#[test]
fn a_sentence_is_read_whole_or_not_at_all() {
    for (written, expected) in [
        ("amount < -100", json!({"amount": {"lt": -100}})),
        (
            "WHERE amount<=-100.5 AND booked_on >= '2026-10-01' ORDER BY amount DESC LIMIT 5",
            json!({"and": [{"amount": {"lte": -100.5}}, {"booked_on": {"gte": "2026-10-01"}}]}),
        ),
        (
            "category = eating out or (category like '%coffee%' and not amount > 0)",
            json!({"or": [{"category": {"eq": "eating out"}},
                {"and": [{"category": {"contains": "coffee"}}, {"not": {"amount": {"gt": 0}}}]}]}),
        ),
        (
            "amount between -50 and -10 and category in ('a and b', c d)",
            json!({"and": [{"amount": {"gte": -50, "lte": -10}}, {"category": {"in": ["a and b", "c d"]}}]}),
        ),
        (
            "category IS NOT NULL and category not in ('a') and amount is 5",
            json!({"and": [{"category": {"is_null": false}}, {"not": {"category": {"in": ["a"]}}}, {"amount": {"eq": 5}}]}),
        ),
    ] {
        assert_eq!(parse(&json!(written)), expected, "{written}");
    }
    let deep = format!("{}amount < 0{}", "(".repeat(100_000), ")".repeat(100_000));
    for unreadable in [
        "amount < 0 and lower(category) = 'a'",
        "amount < 0 and category = 'a",
        "amount < 0 or",
        "amount < and category = 'a'",
        "(amount < 0",
        "category in ('a', 'b'",
        "",
        deep.as_str(),
    ] {
        assert_eq!(parse(&json!(unreadable)), Value::Null, "{unreadable}");
    }
}

#[test]
fn a_filter_in_its_own_shape_stays() {
    for filter in [
        json!({}),
        json!({"amount": {"lt": 0}, "or": [{"category": "a"}, {"not": {"booked_on": null}}]}),
        json!({"amount": {}}),
        json!({"unknown": {"lt": 0}}),
    ] {
        assert_eq!(rewritten(filter.clone()), None, "{filter}");
    }
}

#[test]
fn one_place_is_changed_and_what_is_left_empty_goes() {
    let filter =
        json!({"amount": {"lt": "x", "gt": 1}, "or": [{"category": ["a", "x"]}, {"amount": "x"}]});
    let filter = filter.as_object().unwrap();
    assert_eq!(
        with_value(filter, "amount", &json!("x"), Some(&json!(5))),
        json!({"amount": {"lt": 5, "gt": 1}, "or": [{"category": ["a", "x"]}, {"amount": 5}]})
    );
    let nothing_left = json!({"or": [{"amount": "x"}], "not": {"amount": "x"}});
    assert_eq!(
        with_value(
            nothing_left.as_object().unwrap(),
            "amount",
            &json!("x"),
            None
        ),
        json!({})
    );
    assert_eq!(
        with_value(filter, "amount", &json!("x"), None),
        json!({"amount": {"gt": 1}, "or": [{"category": ["a", "x"]}]})
    );
    assert_eq!(
        with_operator(filter, "amount", "lt", Some("lte"))["amount"],
        json!({"lte": "x", "gt": 1})
    );
    assert_eq!(
        without(filter, "or"),
        json!({"amount": {"lt": "x", "gt": 1}})
    );
}

#[test]
fn a_filter_that_is_no_object_is_read() {
    assert_eq!(
        parse(&json!([{"amount": 1}, ["amount", "!=", 2]])),
        json!({"and": [{"amount": 1}, {"amount": {"ne": 2}}]})
    );
    assert_eq!(parse(&json!("amount < -5")), json!({"amount": {"lt": -5}}));
    assert_eq!(parse(&json!("{\"amount\": 1}")), json!({"amount": 1}));
    assert_eq!(parse(&json!(7)), Value::Null);
}

/// Once it was put beside itself again and again, until the stack was full.
#[test]
fn an_and_that_is_no_list_is_kept_beside_what_is_added_to_it() {
    let filter = json!({"lt": {"and": 1, "contains": 2}, "contains": 3});
    let read = rewritten(filter).unwrap();
    let both = json!([{"and": {"lt": 1}}, {"contains": {"lt": 2}}]);
    assert_eq!(read, json!({"and": both, "contains": 3}));
    for other in [json!(1), json!({"lt": 1}), json!("a")] {
        let filter = json!({"and": other, "amount": 1});
        let filter = filter.as_object().unwrap().clone();
        let more = with_condition(filter, json!({"category": "a"}));
        let both = json!([{"and": other}, {"category": "a"}]);
        assert_eq!(more, json!({"and": both, "amount": 1}));
    }
}
