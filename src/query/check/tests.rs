use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::query::compile;
use crate::query::param::Param;
use sextant_actors::domain::OPERATOR;

/// What every hostile text of these tests carries; no statement may hold it.
const MARK: &str = "zqx";

fn time() -> LocalTime {
    LocalTime {
        now: "2026-03-17T23:30:00Z".parse().unwrap(),
        zone: chrono_tz::Europe::Berlin,
    }
}

fn checked(arguments: &Value) -> Result<Checked, Fault> {
    check(&Request::parse(arguments)?, OPERATOR, &time())
}

fn said(arguments: Value) -> String {
    checked(&arguments).unwrap_err().say(&arguments)
}

fn sql(arguments: Value) -> String {
    compile::rows(&checked(&arguments).unwrap(), 100).sql
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
fn nesting_and_length_have_bounds() {
    let mut filter = json!({"amount": 1});
    for _ in 0..20 {
        filter = json!({"not": filter});
    }
    assert!(checked(&json!({"target": "finance.transactions", "where": filter})).is_err());
    let many: Vec<Value> = (0..200).map(|number| json!({"amount": number})).collect();
    assert!(checked(&json!({"target": "finance.transactions", "where": {"or": many}})).is_err());
    let long: Vec<i32> = (0..2000).collect();
    assert!(
        checked(&json!({"target": "finance.transactions", "where": {"amount": long}})).is_err()
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
        Filter::Is(
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
        Filter::All(vec![
            is(Test::GreaterOrEqual(start())),
            is(Test::Less(end()))
        ])
    );
}

#[test]
fn wild_cards_are_taken_literally() {
    let arguments = json!({"target": "finance.transactions", "where": {"description": {"contains": "100%_\\"}}});
    let Filter::Is(_, Test::Like(pattern)) = checked(&arguments).unwrap().scope.filter else {
        panic!("not a pattern");
    };
    assert_eq!(pattern, "%100\\%\\_\\\\%");
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
fn a_ranking_needs_a_search_and_stands_alone() {
    let searched = |order_by: Value| json!({"target": "mail.messages", "search": "invoice", "order_by": order_by});
    assert!(checked(&searched(json!(["-rank"]))).unwrap().is_ranked);
    for order in [json!("rank"), json!(["-rank", "sent_at"])] {
        let said = said(searched(order));
        assert!(
            said.ends_with(&format!("Try: {}", searched(json!(["-rank"])))),
            "{said}"
        );
    }
    let without = said(json!({"target": "mail.messages", "order_by": ["-rank", "sent_at"]}));
    assert!(without.contains("there is none: add one"), "{without}");
    assert!(
        without.ends_with(r#"{"order_by":["sent_at"],"target":"mail.messages"}"#),
        "{without}"
    );
}

#[test]
fn every_statement_of_every_table_is_scoped_to_the_user_and_skips_tombstones() {
    for table in catalog::tables() {
        let sql = sql(json!({"target": table.target()}));
        assert!(
            sql.contains("WHERE t.user_id = $1 AND t.deleted_at IS NULL"),
            "{sql}"
        );
        let from = format!("FROM \"{}\".\"{}\" AS t", table.sector, table.name);
        assert_eq!(
            sql.matches("FROM").count(),
            sql.matches(&from).count(),
            "{sql}"
        );
    }
}

/// A text that tries to become SQL.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(format!("'; DROP TABLE {MARK}; --")),
        Just(format!("\" OR 1=1 {MARK} \"")),
        Just(format!("{MARK}.secrets")),
        Just(format!("$1 {MARK}")),
        "\\PC{0,12}".prop_map(|text| format!("{text}{MARK}{text}")),
    ]
}

/// A name: most are fields of the table, some are operators, some are hostile.
fn name() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "amount",
        "booked_on",
        "description",
        "transacted_at",
        "account_id",
        "fx",
        "connection",
        "as_of",
        "id",
        "source_id_is_synthetic",
        "and",
        "or",
        "not",
        "eq",
        "ne",
        "lt",
        "gte",
        "in",
        "not_in",
        "contains",
        "starts_with",
        "is_null",
    ]);
    prop_oneof![6 => known.prop_map(str::to_owned), 1 => hostile()]
}

fn filter() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        hostile().prop_map(Value::String),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!("today-3d")),
        Just(json!("00000000-0000-0000-0000-000000000000")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec((name(), inner), 1..3)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_an_agent_sends_only_ever_becomes_a_parameter(
        filter in filter(),
        search in prop::option::of(hostile()),
        select in prop::option::of(prop::collection::vec(name(), 1..3)),
        order_by in prop::option::of(prop::collection::vec(name(), 1..3)),
    ) {
        let arguments = json!({"target": "finance.transactions", "where": filter, "search": search,
            "select": select, "order_by": order_by});
        if let Ok(checked) = checked(&arguments) {
            for statement in [compile::rows(&checked, 100), compile::count(&checked), compile::exists(&checked.scope)] {
                prop_assert!(!statement.sql.contains(MARK), "{}", statement.sql);
                let own = statement.sql.matches("FROM \"finance\".\"transactions\" AS t").count();
                prop_assert_eq!(own, 1);
                let highest = format!("${}", statement.params.len());
                prop_assert!(statement.sql.contains(&highest));
                let beyond = format!("${}", statement.params.len() + 1);
                prop_assert!(!statement.sql.contains(&beyond));
            }
        }
    }

    #[test]
    fn a_hostile_text_that_is_accepted_is_bound_whole(text in hostile()) {
        for operator in ["eq", "ne", "in", "not_in", "lt", "gte"] {
            let value = if operator.ends_with("in") { json!([text]) } else { json!(text) };
            let arguments = json!({"target": "finance.transactions", "where": {"description": {operator: value}}});
            let statement = compile::count(&checked(&arguments).unwrap());
            let is_bound = |param: &Param| match param {
                Param::Text(bound) => *bound == text,
                Param::Texts(bound) => bound.contains(&text),
                _ => false,
            };
            prop_assert!(statement.params.iter().any(is_bound));
        }
    }
}

/// The corrected call of a wrong one.
fn corrected(arguments: Value) -> Value {
    let request = Request::parse(&arguments).unwrap();
    let fault = question(&request, OPERATOR, &time()).unwrap_err();
    let said = fault.say(&arguments);
    let (_, call) = said
        .split_once(". Try: ")
        .unwrap_or_else(|| panic!("{said}"));
    serde_json::from_str(call).unwrap()
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
    assert!(question(&Request::parse(&asked).unwrap(), OPERATOR, &time()).is_ok());
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

#[test]
fn limits_hold_to_the_last() {
    let asked = |arguments: Value| checked(&arguments).is_ok();
    let target = "finance.transactions";
    let nested = |depth: usize| {
        let innermost = json!({"amount": 1});
        (0..depth).fold(innermost, |inner, _| json!({"not": inner}))
    };
    let ordered = ["amount", "booked_on", "value_on", "currency", "status"];
    for (is_within, depth, conditions, values, keys) in
        [(true, 8, 100, 500, 4), (false, 9, 101, 501, 5)]
    {
        let many = vec![json!({"amount": 1}); conditions];
        let list = vec![1; values];
        assert_eq!(
            asked(json!({"target": target, "where": nested(depth)})),
            is_within
        );
        assert_eq!(
            asked(json!({"target": target, "where": {"and": many}})),
            is_within
        );
        assert_eq!(
            asked(json!({"target": target, "where": {"amount": list}})),
            is_within
        );
        assert_eq!(
            asked(json!({"target": target, "order_by": ordered[..keys]})),
            is_within
        );
    }
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
            scope.filter.asks_value_of("category"),
            asks_category,
            "{filter}"
        );
        assert_eq!(scope.filter.is_exact_about_text(), is_exact, "{filter}");
    }
}

#[test]
fn nothing_stands_behind_an_id_in_an_order() {
    let sql = sql(
        json!({"target": "finance.transactions", "select": ["id"], "order_by": ["-id", "amount"]}),
    );
    assert!(sql.contains("ORDER BY t.\"id\" DESC\nLIMIT"), "{sql}");
}

#[test]
fn texts_are_read_one_character_further_than_they_are_shown() {
    let asked = json!({"target": "mail.messages", "select": ["subject"], "order_by": ["subject"]});
    let params = compile::rows(&checked(&asked).unwrap(), 100).params;
    let cuts = [101, 401].map(Param::Integer);
    assert!(
        params.iter().skip(1).eq(&cuts),
        "so that what is cut is known"
    );
}

#[test]
fn only_a_statement_whose_words_decide_on_its_plan_is_planned_anew() {
    let plan = |more: Value| {
        let mut asked = json!({"target": "mail.messages"});
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let checked = checked(&asked).unwrap();
        [
            compile::rows(&checked, 100).plan,
            compile::count(&checked).plan,
        ]
    };
    assert_eq!(
        plan(json!({"where": {"is_read": true}})),
        [compile::Plan::Lasting; 2]
    );
    assert_eq!(plan(json!({"search": "x"})), [compile::Plan::Momentary; 2]);
}
