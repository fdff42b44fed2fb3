//! What can be done at a real home.

use serde_json::{Value, json};
use sextant_connectors::action::{ActionCatalog, ActionOutcome, Actuator};
use sextant_connectors::failure::{FailureKind, SourceFailure};

use super::super::server::HomeServer;

pub(super) async fn lists_what_may_be_done(actions: &dyn Actuator) {
    let catalog = actions.catalog().await.unwrap();
    for action in &catalog.actions {
        let domain = action.name.split('.').nth(1).unwrap();
        let is_out = ["lock", "alarm_control_panel", "homeassistant", "script"].contains(&domain);
        assert!(!is_out, "{}", action.name);
        let schema = action.schema();
        let targets = &schema["properties"]["entity_id"]["items"]["enum"];
        assert_eq!(*targets, json!(action.entities));
        let schema = schema.to_string();
        for out in ["lock.", "alarm_control_panel.", "cover.garage_door"] {
            assert!(
                !schema.contains(&format!("\"{out}")),
                "{}: {out}",
                action.name
            );
        }
    }
    let names: Vec<&str> = catalog
        .actions
        .iter()
        .map(|action| action.name.as_str())
        .collect();
    for name in [
        "home.light.toggle",
        "home.cover.open_cover",
        "home.climate.set_temperature",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    for (name, parameters, parameter, said) in [
        ("home.light.tuggle", json!({}), None, "`home.light.toggle`"),
        (
            "home.lock.unlock",
            json!({"entity_id": "lock.front_door"}),
            None,
            "home.lock.unlock",
        ),
        ("home.light.toggle", json!({}), Some("entity_id"), "missing"),
        (
            "home.light.toggle",
            json!({"entity_id": "light.kichen_lights"}),
            Some("entity_id"),
            "`light.kitchen_lights`",
        ),
        (
            "home.light.turn_on",
            json!({"entity_id": "light.kitchen_lights", "brightness_pct": 120}),
            Some("brightness_pct"),
            "at most 100",
        ),
        (
            "home.light.turn_on",
            json!({"entity_id": "light.kitchen_lights", "brightnes": 1}),
            Some("brightnes"),
            "`brightness`",
        ),
    ] {
        let refusal = catalog
            .prepare(name, parameters.as_object().unwrap())
            .unwrap_err();
        assert_eq!(refusal.parameter.as_deref(), parameter, "{refusal}");
        assert!(refusal.message.contains(said), "{refusal}");
    }
}

pub(super) async fn does_what_is_asked(server: &HomeServer, actions: &dyn Actuator) {
    let catalog = actions.catalog().await.unwrap();
    let lights = "/api/states/light.kitchen_lights";
    let before = server.rest("GET", lights, "").await.unwrap();
    let toggled = if before["state"] == "on" { "off" } else { "on" };
    let kitchen = json!({"entity_id": "light.kitchen_lights"});
    let outcome = invoke(actions, &catalog, "home.light.toggle", &kitchen)
        .await
        .unwrap();
    let [changed] = &outcome.changed[..] else {
        panic!("one light: {outcome:?}");
    };
    assert_eq!(changed.entity_id, "light.kitchen_lights");
    assert_eq!(changed.state, toggled);
    let after = server.rest("GET", lights, "").await.unwrap();
    assert_eq!(after["state"], toggled);

    // What changes nothing was done all the same.
    let service = format!("home.light.turn_{toggled}");
    let outcome = invoke(actions, &catalog, &service, &kitchen).await.unwrap();
    assert_eq!(outcome.changed, []);

    let weather = json!({"entity_id": "weather.demo_weather_south", "type": "daily"});
    let outcome = invoke(actions, &catalog, "home.weather.get_forecasts", &weather).await;
    let forecast = outcome.unwrap().response.unwrap();
    assert!(
        forecast["weather.demo_weather_south"]["forecast"].is_array(),
        "{forecast}"
    );

    let preset = json!({"entity_id": "climate.ecobee", "preset_mode": "nonsense"});
    let failed = invoke(actions, &catalog, "home.climate.set_preset_mode", &preset).await;
    let failed = failed.unwrap_err();
    assert_eq!(failed.kind, FailureKind::Rejected, "{failed}");
    assert!(failed.message.contains("nonsense"), "{failed}");
}

async fn invoke(
    actions: &dyn Actuator,
    catalog: &ActionCatalog,
    name: &str,
    parameters: &Value,
) -> Result<ActionOutcome, SourceFailure> {
    let call = catalog.prepare(name, parameters.as_object().unwrap());
    actions.invoke(&call.unwrap()).await
}
