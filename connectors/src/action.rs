//! What a source can be made to do: a catalogue of actions, and the outcome of one.

mod parameter;
mod refusal;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::failure::SourceFailure;

pub use parameter::{ActionParameter, ParameterKind};
pub use refusal::ActionRefusal;

/// The parameter that names what is acted on.
pub const TARGET_PARAMETER: &str = "entity_id";

/// Does things at a source.
#[async_trait]
pub trait Actuator: Send + Sync {
    /// What can be done there now.
    async fn catalog(&self) -> Result<ActionCatalog, SourceFailure>;

    /// Does it once; a failure does not say that nothing was done. Until it is polled nothing is sent, and what was sent is not
    /// sent again.
    async fn invoke(&self, call: &ActionCall) -> Result<ActionOutcome, SourceFailure>;
}

/// The actions of a source, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionCatalog {
    /// In the order of their names.
    pub actions: Vec<ActionEntry>,
}

/// One action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionEntry {
    /// As `home.light.turn_on`.
    pub name: String,
    /// Its short name at the source.
    pub title: String,
    /// What the source says that it does.
    pub description: String,
    /// What it can act on; never empty.
    pub entities: Vec<String>,
    /// Its parameters besides [`TARGET_PARAMETER`].
    pub parameters: Vec<ActionParameter>,
    /// Whether it answers with data.
    pub answers: bool,
}

/// An action with parameters that were found right. Only [`ActionCatalog::prepare`] makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionCall {
    name: String,
    entities: Vec<String>,
    parameters: Map<String, Value>,
    answers: bool,
}

/// How an action ended that the source said was done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionOutcome {
    /// What changed because of it, as far as it was seen. It may be nothing.
    pub changed: Vec<ChangedState>,
    /// What the action answered.
    pub response: Option<Value>,
}

/// What became of one entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedState {
    /// Its name at the source.
    pub entity_id: String,
    /// Its state now.
    pub state: String,
    /// Since when.
    pub changed_at: DateTime<Utc>,
}

impl ActionCatalog {
    /// Finds an action and judges what is asked of it. Nothing is sent.
    ///
    /// # Errors
    /// An [`ActionRefusal`] that names what is wrong, and the nearest that would be right.
    pub fn prepare(
        &self,
        name: &str,
        parameters: &Map<String, Value>,
    ) -> Result<ActionCall, ActionRefusal> {
        let found = self.actions.iter().find(|action| action.name == name);
        let action = found.ok_or_else(|| {
            let names = self.actions.iter().map(|action| action.name.as_str());
            ActionRefusal::unknown_action(name, names)
        })?;
        let entities = action.targets(parameters)?;
        action.judge(parameters, &entities)?;
        let mut parameters = parameters.clone();
        parameters.remove(TARGET_PARAMETER);
        Ok(ActionCall {
            name: action.name.clone(),
            entities,
            parameters,
            answers: action.answers,
        })
    }
}

impl ActionEntry {
    /// The JSON Schema of its parameters: it fits what exists.
    pub fn schema(&self) -> Value {
        let entity = json!({"type": "string", "enum": self.entities});
        let several = json!({"type": "array", "items": entity, "minItems": 1, "uniqueItems": true});
        let mut properties = Map::new();
        properties.insert(TARGET_PARAMETER.to_owned(), several);
        let mut required = vec![TARGET_PARAMETER];
        for parameter in &self.parameters {
            properties.insert(parameter.name.clone(), parameter.schema());
            if parameter.is_required {
                required.push(&parameter.name);
            }
        }
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// What is to be acted on; one may stand without its list.
    fn targets(&self, given: &Map<String, Value>) -> Result<Vec<String>, ActionRefusal> {
        let missing = || ActionRefusal::missing(TARGET_PARAMETER);
        let named = match given.get(TARGET_PARAMETER).ok_or_else(missing)? {
            Value::Array(named) if named.is_empty() => return Err(missing()),
            Value::Array(named) => named.iter().collect(),
            one => vec![one],
        };
        let mut targets = Vec::new();
        for value in named {
            let name = parameter::one_of(TARGET_PARAMETER, value, &self.entities)?;
            if !targets.contains(&name) {
                targets.push(name);
            }
        }
        Ok(targets)
    }

    fn judge(&self, given: &Map<String, Value>, targets: &[String]) -> Result<(), ActionRefusal> {
        for (name, value) in given.iter().filter(|(name, _)| *name != TARGET_PARAMETER) {
            let known = self.parameters.iter().find(|known| known.name == *name);
            let parameter = known.ok_or_else(|| {
                let names = self.parameters.iter().map(|known| known.name.as_str());
                ActionRefusal::unknown_parameter(name, names.chain([TARGET_PARAMETER]))
            })?;
            parameter.judge(value, targets)?;
        }
        let mut required = self.parameters.iter().filter(|known| known.is_required);
        match required.find(|known| !given.contains_key(&known.name)) {
            Some(missing) => Err(ActionRefusal::missing(&missing.name)),
            None => Ok(()),
        }
    }
}

impl ActionCall {
    /// As `home.light.turn_on`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is acted on.
    pub fn entities(&self) -> &[String] {
        &self.entities
    }

    /// The parameters besides.
    pub const fn parameters(&self) -> &Map<String, Value> {
        &self.parameters
    }

    /// Whether an answer with data is expected.
    pub const fn answers(&self) -> bool {
        self.answers
    }
}

#[cfg(test)]
mod tests;
