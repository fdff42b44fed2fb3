use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn parameter(name: &str, kind: ParameterKind) -> ActionParameter {
    ActionParameter {
        name: name.to_owned(),
        description: "What it is.".to_owned(),
        is_required: false,
        kind,
        takes_list: false,
        entities: None,
    }
}

fn catalog(parameters: Vec<ActionParameter>) -> ActionCatalog {
    let action = ActionEntry {
        name: "home.light.turn_on".to_owned(),
        title: "Turn on".to_owned(),
        description: String::new(),
        entities: vec!["light.hall".to_owned(), "light.kitchen".to_owned()],
        parameters,
        answers: false,
    };
    ActionCatalog {
        actions: vec![action],
    }
}

/// What is refused of a value, `None` if it is taken.
fn refusal(parameter: ActionParameter, value: Value) -> Option<String> {
    let name = parameter.name.clone();
    let given = Map::from_iter([
        (
            TARGET_PARAMETER.to_owned(),
            json!(["light.hall", "light.kitchen"]),
        ),
        (name.clone(), value),
    ]);
    let refusal = catalog(vec![parameter])
        .prepare("home.light.turn_on", &given)
        .err()?;
    assert_eq!(refusal.parameter, Some(name));
    Some(refusal.message)
}

fn percent() -> ParameterKind {
    ParameterKind::Number {
        min: Some(0.0),
        max: Some(100.0),
        unit: Some("%".to_owned()),
    }
}

#[test]
fn each_kind_takes_its_values_alone() {
    let choice = || ParameterKind::Choice(vec!["flash".to_owned(), "long".to_owned()]);
    let duration = || ParameterKind::Parts(&["minutes", "seconds"]);
    for (kind, value) in [
        (ParameterKind::Boolean, json!(false)),
        (percent(), json!(100)),
        (choice(), json!("long")),
        (ParameterKind::Text(None), json!("")),
        (ParameterKind::Rgb, json!([0, 128, 255])),
        (duration(), json!({"seconds": 1.5})),
        (ParameterKind::Constant(json!(true)), json!(true)),
        (ParameterKind::Any, json!([{}])),
    ] {
        assert_eq!(refusal(parameter("p", kind), value), None);
    }
    for (kind, value, said) in [
        (ParameterKind::Boolean, json!("on"), "true or false"),
        (percent(), json!("5"), "a number"),
        (percent(), json!(-0.5), "at least 0"),
        (percent(), json!(101), "at most 100"),
        (choice(), json!("flush"), "`flush`; the nearest is `flash`"),
        (choice(), json!(1), "a text"),
        (ParameterKind::Text(None), json!(null), "a text"),
        (ParameterKind::Rgb, json!([0, 0, 256]), "0 to 255"),
        (duration(), json!({"hours": 1}), "minutes, seconds"),
        (
            ParameterKind::Constant(json!(true)),
            json!(false),
            "must be true",
        ),
    ] {
        let message = refusal(parameter("p", kind), value).unwrap();
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn lists_restrictions_and_required_parameters_are_held_to() {
    let mut list = parameter("p", percent());
    list.takes_list = true;
    assert_eq!(refusal(list.clone(), json!([1, 2])), None);
    assert!(refusal(list.clone(), json!(1)).unwrap().contains("a list"));
    assert!(refusal(list, json!([1, 200])).unwrap().contains("at most"));

    let mut hall_alone = parameter("p", ParameterKind::Any);
    hall_alone.entities = Some(BTreeSet::from(["light.hall".to_owned()]));
    let message = refusal(hall_alone, json!(1)).unwrap();
    assert!(message.contains("`light.kitchen`"), "{message}");

    let mut required = parameter("p", ParameterKind::Any);
    required.is_required = true;
    let hall = Map::from_iter([(TARGET_PARAMETER.to_owned(), json!("light.hall"))]);
    let catalog = catalog(vec![required]);
    let refusal = catalog.prepare("home.light.turn_on", &hall).unwrap_err();
    assert_eq!(refusal.message, "the parameter `p` is missing");
    let schema = catalog.actions[0].schema();
    assert_eq!(schema["required"], json!(["entity_id", "p"]));
}

#[test]
fn one_target_may_stand_alone_and_twice() {
    for targets in [json!("light.hall"), json!(["light.hall", "light.hall"])] {
        let given = Map::from_iter([(TARGET_PARAMETER.to_owned(), targets)]);
        let call = catalog(Vec::new())
            .prepare("home.light.turn_on", &given)
            .unwrap();
        assert_eq!(call.entities(), ["light.hall"]);
        assert!(call.parameters().is_empty());
    }
    for targets in [
        json!([]),
        json!(null),
        json!([1]),
        json!("light.hal"),
        json!("all"),
    ] {
        let given = Map::from_iter([(TARGET_PARAMETER.to_owned(), targets)]);
        let refusal = catalog(Vec::new())
            .prepare("home.light.turn_on", &given)
            .unwrap_err();
        assert_eq!(refusal.parameter.as_deref(), Some(TARGET_PARAMETER));
    }
}

proptest! {
    #[test]
    fn numbers_are_taken_within_their_bounds_and_the_bound_named_is_taken(
        min in -1000i32..1000, width in 0i32..1000, given in -5000.0f64..5000.0,
    ) {
        let (min, max) = (f64::from(min), f64::from(min + width));
        let kind = ParameterKind::Number { min: Some(min), max: Some(max), unit: None };
        let refused = refusal(parameter("p", kind.clone()), json!(given));
        prop_assert_eq!(refused.is_none(), (min..=max).contains(&given));
        if let Some(message) = refused {
            let (_, nearest) = message.rsplit_once(' ').unwrap();
            let nearest: f64 = nearest.parse().unwrap();
            prop_assert_eq!(refusal(parameter("p", kind), json!(nearest)), None);
        }
    }

    #[test]
    fn no_name_or_value_panics_or_makes_a_long_message(name in ".{0,200}", value in ".{0,2000}") {
        let given = Map::from_iter([
            (TARGET_PARAMETER.to_owned(), json!(value)),
            (name.clone(), json!(value)),
        ]);
        let catalog = catalog(vec![parameter("p", percent())]);
        for action in [name.as_str(), "home.light.turn_on"] {
            let refusal = catalog.prepare(action, &given).unwrap_err();
            prop_assert!(refusal.message.chars().count() < 1000);
        }
    }
}
