use proptest::prelude::*;
use serde_json::json;

use super::*;

fn light(id: &str, features: i64, modes: &[&str]) -> EntityState {
    let attributes = json!({"supported_features": features, "supported_color_modes": modes});
    let state = json!({
        "entity_id": id, "state": "on", "last_changed": 1, "attributes": attributes,
    });
    EntityState::read(&state).unwrap()
}

/// The parameter that two lights make of a field.
fn made(field: &Value) -> Option<ActionParameter> {
    let lights = [
        light("light.plain", 0, &["onoff"]),
        light("light.colour", 44, &["hs", "color_temp"]),
    ];
    let targets: Vec<&EntityState> = lights.iter().collect();
    let admitted = lights.iter().map(|light| (light.entity_id.as_str(), light));
    parameter("p", field, &targets, &admitted.collect())
}

fn kind_of(selector: &Value) -> Option<ParameterKind> {
    made(&json!({"selector": selector})).map(|parameter| parameter.kind)
}

#[test]
fn selectors_become_kinds() {
    let number = |min, max, unit: Option<&str>| ParameterKind::Number {
        min,
        max,
        unit: unit.map(str::to_owned),
    };
    let choice = |values: &[&str]| {
        ParameterKind::Choice(values.iter().map(|value| (*value).to_owned()).collect())
    };
    for (selector, kind) in [
        (json!({"boolean": null}), ParameterKind::Boolean),
        (
            json!({"number": {"min": 0, "max": 300, "unit_of_measurement": "seconds"}}),
            number(Some(0.0), Some(300.0), Some("seconds")),
        ),
        (json!({"number": {"mode": "box"}}), number(None, None, None)),
        (
            json!({"color_temp": {"unit": "kelvin", "min": 2000, "max": 6500}}),
            number(Some(2000.0), Some(6500.0), Some("kelvin")),
        ),
        (
            json!({"color_temp": {"min_mireds": 153, "max_mireds": 500}}),
            number(Some(153.0), Some(500.0), None),
        ),
        (json!({"color_rgb": null}), ParameterKind::Rgb),
        (
            json!({"select": {"options": ["a", "b"]}}),
            choice(&["a", "b"]),
        ),
        (
            json!({"select": {"options": [{"label": "A", "value": "a"}]}}),
            choice(&["a"]),
        ),
        (
            json!({"select": {"options": ["a"], "custom_value": true}}),
            ParameterKind::Text(None),
        ),
        (
            json!({"entity": {"domain": "light"}}),
            choice(&["light.colour", "light.plain"]),
        ),
        (
            json!({"entity": {"filter": [{"domain": "lock"}]}}),
            choice(&[]),
        ),
        (json!({"date": null}), ParameterKind::Text(Some("date"))),
        (
            json!({"text": {"multiline": true}}),
            ParameterKind::Text(None),
        ),
        (json!({"duration": null}), ParameterKind::Parts(DURATION)),
        (
            json!({"constant": {"value": true}}),
            ParameterKind::Constant(json!(true)),
        ),
        (json!({"object": null}), ParameterKind::Any),
        (json!(null), ParameterKind::Any),
        (json!({"of_tomorrow": {}}), ParameterKind::Text(None)),
    ] {
        assert_eq!(kind_of(&selector), Some(kind), "{selector}");
    }
    for further in REACHING_FURTHER {
        assert_eq!(kind_of(&json!({(further): null})), None, "{further}");
    }
}

#[test]
fn a_field_is_for_those_that_understand_it() {
    let of = |filter: Value| {
        let made = made(&json!({"selector": {"text": null}, "filter": filter}));
        made.map(|parameter| parameter.entities)
    };
    let colour = || Some(BTreeSet::from(["light.colour".to_owned()]));
    assert_eq!(of(json!({"supported_features": [32]})), Some(colour()));
    assert_eq!(of(json!({"supported_features": [64, 36]})), Some(colour()));
    assert_eq!(of(json!({"supported_features": [0]})), Some(None));
    assert_eq!(
        of(json!({"attribute": {"supported_color_modes": ["hs", "xy"]}})),
        Some(colour())
    );
    assert_eq!(of(json!({"supported_features": [64]})), None);
    assert_eq!(
        of(json!({"attribute": {"supported_color_modes": ["white"]}})),
        None
    );
}

#[test]
fn lists_and_required_fields_are_said() {
    let field =
        json!({"required": true, "selector": {"select": {"options": ["a"], "multiple": true}}});
    let parameter = made(&field).unwrap();
    assert!(parameter.is_required && parameter.takes_list);
}

proptest! {
    #[test]
    fn any_settings_make_a_parameter_or_none(
        selector in "boolean|number|color_temp|select|entity|constant|x",
        settings in "null|1|\\[\\]|\\{\"(min|options|value|filter|multiple)\":(null|1|\"a\"|\\[1\\]|\\{\\})\\}",
    ) {
        let settings: Value = serde_json::from_str(&settings).unwrap();
        let _ = kind_of(&json!({(selector): settings}));
    }
}
