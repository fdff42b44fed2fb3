//! Which domains of a home stand in the catalogue.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::super::state::{EntityState, domain_of};

/// Domains whose services can open the house, or run anything at all.
const OUT_BY_DEFAULT: [&str; 8] = [
    "alarm_control_panel",
    "hassio",
    "homeassistant",
    "lock",
    "python_script",
    "rest_command",
    "script",
    "shell_command",
];

/// Covers that let people in.
const WAYS_IN: [&str; 3] = ["door", "garage", "gate"];

/// The domains that are left out; `cover.door`, `cover.garage` and `cover.gate` name covers of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionDomains {
    out: BTreeSet<String>,
}

impl Default for ActionDomains {
    fn default() -> Self {
        let ways_in = WAYS_IN.iter().map(|class| format!("cover.{class}"));
        let domains = OUT_BY_DEFAULT.iter().map(|domain| (*domain).to_owned());
        Self::without(domains.chain(ways_in))
    }
}

impl ActionDomains {
    /// All but these.
    pub fn without(out: impl IntoIterator<Item = String>) -> Self {
        Self {
            out: out.into_iter().collect(),
        }
    }

    /// Those that are left out, in order.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.out.iter().map(String::as_str)
    }

    /// Whether a service of this domain may be called.
    pub fn has(&self, domain: &str) -> bool {
        !self.out.contains(domain)
    }

    /// The entities that may be acted on. A group or scene is left out with any of its members: whatever is done to it is done
    /// to them.
    pub(super) fn admitted<'a>(
        &self,
        states: &'a HashMap<String, EntityState>,
    ) -> HashMap<&'a str, &'a EntityState> {
        let mut admitted: HashMap<&str, &EntityState> = states
            .values()
            .filter(|state| self.has_entity(state))
            .map(|state| (state.entity_id.as_str(), state))
            .collect();
        loop {
            let before = admitted.len();
            let names: BTreeSet<&str> = admitted.keys().copied().collect();
            // A member without a state, registered or not, is judged by its domain.
            let is_in = |id: &str| {
                names.contains(id) || (!states.contains_key(id) && self.has(domain_of(id)))
            };
            admitted.retain(|_, state| members(state).all(is_in));
            if admitted.len() == before {
                return admitted;
            }
        }
    }

    fn has_entity(&self, state: &EntityState) -> bool {
        let domain = domain_of(&state.entity_id);
        let class = state.attribute("device_class").unwrap_or_default();
        self.has(domain) && !self.out.contains(&format!("{domain}.{class}"))
    }
}

/// Those that a group, a scene or a joined player names.
fn members(state: &EntityState) -> impl Iterator<Item = &str> {
    let members = state.attributes.get("entity_id").and_then(Value::as_array);
    members.into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn states() -> HashMap<String, EntityState> {
        let states = [
            ("light.kitchen", json!({})),
            ("light.all", json!({"entity_id": ["light.kitchen"]})),
            ("lock.front", json!({})),
            ("cover.garage", json!({"device_class": "garage"})),
            ("cover.window", json!({"device_class": "window"})),
            ("cover.plain", json!({})),
            (
                "cover.all",
                json!({"entity_id": ["cover.window", "cover.garage"]}),
            ),
            (
                "scene.leave",
                json!({"entity_id": ["light.kitchen", "lock.back"]}),
            ),
            ("group.everything", json!({"entity_id": ["cover.all"]})),
        ];
        let read = |(id, attributes)| {
            let state = json!({
                "entity_id": id, "state": "on", "attributes": attributes, "last_changed": 1,
            });
            (String::from(id), EntityState::read(&state).unwrap())
        };
        states.into_iter().map(read).collect()
    }

    fn admitted(domains: &ActionDomains) -> Vec<String> {
        let states = states();
        let mut admitted: Vec<_> = domains
            .admitted(&states)
            .into_keys()
            .map(String::from)
            .collect();
        admitted.sort();
        admitted
    }

    #[test]
    fn what_opens_the_house_is_out_with_all_that_holds_it() {
        let expected = ["cover.plain", "cover.window", "light.all", "light.kitchen"];
        assert_eq!(admitted(&ActionDomains::default()), expected);
    }

    #[test]
    fn the_list_is_the_operators() {
        let all = ActionDomains::without([]);
        assert_eq!(admitted(&all).len(), states().len());
        let lights = ActionDomains::without(["light".to_owned()]);
        assert!(!admitted(&lights).iter().any(|id| id.starts_with("light")));
    }
}
