//! What an agent sends is a value, never SQL, whatever it sends.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::checked;
use crate::query::compile;
use crate::query::param::Param;

/// What every hostile text of these tests carries; no statement may hold it.
const MARK: &str = "zqx";

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
