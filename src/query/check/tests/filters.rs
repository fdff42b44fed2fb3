//! What a `where` means, and which are refused.

use serde_json::{Value, json};

use super::checked;
use crate::catalog;
use crate::query::check::{Condition, Test, find};
use crate::query::compile;
use crate::query::param::Param;

#[test]
fn every_faulty_where_is_refused() {
    for filter in [
        json!({"amount": {}}),
        json!({"amount": {"eq": "a lot"}}),
        json!({"amount": {"contains": "1"}}),
        json!({"amount": {"in": 5}}),
        json!({"amount": {"is_null": "yes"}}),
        json!({"account_id": "not-a-uuid"}),
        json!({"account_id": {"lt": "00000000-0000-0000-0000-000000000000"}}),
        json!({"fx": {"lt": "x"}}),
        json!({"description": "nul\u{0}byte"}),
        json!({"or": []}),
        json!({"or": {"amount": 1}}),
        json!({"not": [{"amount": 1}]}),
        json!({"and": ["amount"]}),
        json!({"source_id_is_synthetic": 1}),
    ] {
        let arguments = json!({"target": "finance.transactions", "where": filter});
        assert!(checked(&arguments).is_err(), "{arguments}");
    }
}

#[test]
fn null_means_no_value_under_eq_and_ne_as_it_does_bare() {
    let filter = |test: Value| {
        let arguments = json!({"target": "finance.transactions", "where": {"category": test}});
        format!("{:?}", checked(&arguments).unwrap().scope.filter)
    };
    assert_eq!(filter(json!({"eq": null})), filter(json!(null)));
    assert_eq!(
        filter(json!({"ne": null})),
        filter(json!({"is_null": false}))
    );
}

#[test]
fn a_bare_date_against_an_instant_is_the_whole_local_day() {
    let bounds = |operator: &str| {
        let arguments =
            json!({"target": "calendar.events", "where": {"start_at": {operator: "2026-03-29"}}});
        checked(&arguments).unwrap().scope.filter
    };
    let start = || Param::Time("2026-03-28T23:00:00Z".parse().unwrap());
    let end = || Param::Time("2026-03-29T22:00:00Z".parse().unwrap());
    let is = |test| {
        Condition::Is(
            find(catalog::by_target("calendar.events").unwrap(), "start_at").unwrap(),
            test,
        )
    };
    assert_eq!(bounds("gte"), is(Test::GreaterOrEqual(start())));
    assert_eq!(bounds("lt"), is(Test::Less(start())));
    assert_eq!(bounds("lte"), is(Test::Less(end())));
    assert_eq!(bounds("gt"), is(Test::GreaterOrEqual(end())));
    assert_eq!(
        bounds("eq"),
        Condition::All(vec![
            is(Test::GreaterOrEqual(start())),
            is(Test::Less(end()))
        ])
    );
}

#[test]
fn wild_cards_are_taken_literally() {
    let arguments = json!({"target": "finance.transactions", "where": {"description": {"contains": "100%_\\"}}});
    let Condition::Is(_, Test::Like(pattern)) = checked(&arguments).unwrap().scope.filter else {
        panic!("not a pattern");
    };
    assert_eq!(pattern, "%100\\%\\_\\\\%");
}

#[test]
fn a_filter_knows_of_which_fields_it_asks_for_a_value_and_for_a_text_just_so() {
    for (filter, asks_category, is_exact) in [
        (json!({"category": "rent"}), true, true),
        (
            json!({"or": [{"category": ["rent"]}, {"amount": 1}]}),
            true,
            true,
        ),
        (json!({"category": {"contains": "rent"}}), true, false),
        (json!({"category": {"ne": "rent"}}), false, false),
        (json!({"category": null}), false, false),
        (json!({"status": "posted", "amount": 1}), false, false),
    ] {
        let asked = json!({"target": "finance.transactions", "where": filter});
        let scope = checked(&asked).unwrap().scope;
        assert_eq!(
            scope.filter.wants_value_of("category"),
            asks_category,
            "{filter}"
        );
        assert_eq!(scope.filter.compares_text_exactly(), is_exact, "{filter}");
    }
}

/// The condition of one field's tests as it is compiled, and what it binds.
fn bound(target: &str, field: &str, tests: Value) -> (String, Vec<Param>) {
    let asked =
        json!({"target": target, "select": ["id"], "order_by": ["id"], "where": {field: tests}});
    let statement = compile::rows(&checked(&asked).unwrap(), 100);
    let (_, behind) = statement
        .sql
        .split_once("deleted_at IS NULL\n  AND ")
        .unwrap();
    let (condition, _) = behind.split_once("\nORDER BY").unwrap();
    (
        condition.to_owned(),
        statement.params.into_iter().skip(1).collect(),
    )
}

#[test]
fn a_whole_day_is_compared_from_its_begin_or_its_end() {
    // The clock is put forward in that night: the day has 23 hours.
    let at = |text: &str| Param::Time(text.parse().unwrap());
    let (begin, end) = (at("2026-03-28T23:00:00Z"), at("2026-03-29T22:00:00Z"));
    for (word, sign, edge) in [
        ("lt", "<", &begin),
        ("lte", "<", &end),
        ("gt", ">=", &end),
        ("gte", ">=", &begin),
    ] {
        let expected = (format!(r#"t."start_at" {sign} $2"#), vec![edge.clone()]);
        assert_eq!(
            bound("calendar.events", "start_at", json!({word: "2026-03-29"})),
            expected,
            "{word}"
        );
    }
    let whole = r#"(t."start_at" >= $2 AND t."start_at" < $3)"#.to_owned();
    assert_eq!(
        bound("calendar.events", "start_at", json!("2026-03-29")),
        (whole, vec![begin, end])
    );
    for (word, sign) in [("lt", "<"), ("lte", "<="), ("gt", ">"), ("gte", ">=")] {
        let moment = "2026-03-29T01:00:00Z";
        let expected = (format!(r#"t."start_at" {sign} $2"#), vec![at(moment)]);
        assert_eq!(
            bound("calendar.events", "start_at", json!({word: moment})),
            expected,
            "{word}"
        );
    }
}

#[test]
fn a_value_is_bound_as_its_field_has_it() {
    let target = "finance.transactions";
    let only = |field: &str, tests: Value| bound(target, field, tests).1.remove(0);
    let text = |text: &str| Param::Text(text.into());
    // In Berlin it is the next day already.
    let day = Param::Date("2026-03-18".parse().unwrap());
    assert_eq!(
        only("booked_on", json!({"gte": "2026-03-17T23:30:00Z"})),
        day
    );
    let thousand: Value = serde_json::from_str("1e3").unwrap();
    assert_eq!(only("amount", thousand), Param::Decimal(1000.into()));
    assert_eq!(
        only("description", json!({"contains": r"5%_\x"})),
        text(r"%5\%\_\\x%")
    );
    assert_eq!(only("description", json!({"starts_with": "5"})), text("5%"));
    assert_eq!(
        bound(target, "category", json!([])),
        ("false".to_owned(), vec![])
    );
}
