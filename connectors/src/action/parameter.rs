//! A parameter of an action: its JSON Schema, and the judgement of a value, from the same description.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::refusal::ActionRefusal;

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionParameter {
    /// Its name in the call.
    pub name: String,
    /// What the source says of it.
    pub description: String,
    /// Whether it cannot be left out.
    pub is_required: bool,
    /// Its values.
    pub kind: ParameterKind,
    /// Whether a list of such values is taken.
    pub takes_list: bool,
    /// The entities that understand it; `None` for all.
    pub entities: Option<BTreeSet<String>>,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterKind {
    /// `true` or `false`.
    Boolean,
    /// A number within bounds, both included.
    Number {
        /// The least.
        min: Option<f64>,
        /// The greatest.
        max: Option<f64>,
        /// What it is counted in.
        unit: Option<String>,
    },
    /// One of some texts.
    Choice(Vec<String>),
    /// A text, with its form if it has one that JSON Schema names (`date`).
    Text(Option<&'static str>),
    /// Red, green and blue, each from 0 to 255.
    Rgb,
    /// Parts by name, with a number for each: a duration, a place.
    Parts(&'static [&'static str]),
    /// This value alone.
    Constant(Value),
    /// What the source itself judges.
    Any,
}

impl ActionParameter {
    /// The JSON Schema of its values.
    pub(super) fn schema(&self) -> Value {
        let one = Value::Object(self.kind.schema());
        let mut schema = match self.takes_list {
            true => Map::from_iter([
                ("type".to_owned(), json!("array")),
                ("items".to_owned(), one),
            ]),
            false => self.kind.schema(),
        };
        let unit = match &self.kind {
            ParameterKind::Number {
                unit: Some(unit), ..
            } => format!(" In {unit}."),
            _ => String::new(),
        };
        let description = format!("{}{unit}", self.description);
        if !description.is_empty() {
            schema.insert("description".to_owned(), description.trim().into());
        }
        Value::Object(schema)
    }

    /// Judges a value for these entities.
    pub(super) fn judge(&self, value: &Value, targets: &[String]) -> Result<(), ActionRefusal> {
        let understands = |target: &&String| match &self.entities {
            Some(entities) => entities.contains(*target),
            None => true,
        };
        if let Some(other) = targets.iter().find(|target| !understands(target)) {
            let what = format!("means nothing to `{other}`");
            return Err(ActionRefusal::wrong(&self.name, &what));
        }
        match (self.takes_list, value) {
            (true, Value::Array(values)) => {
                let judged = values
                    .iter()
                    .map(|value| self.kind.judge(&self.name, value));
                judged.collect()
            }
            (true, _) => Err(ActionRefusal::wrong(&self.name, "must be a list")),
            (false, value) => self.kind.judge(&self.name, value),
        }
    }
}

impl ParameterKind {
    fn schema(&self) -> Map<String, Value> {
        let schema = match self {
            Self::Boolean => json!({"type": "boolean"}),
            Self::Number { min, max, .. } => number_schema(*min, *max),
            Self::Choice(values) => json!({"type": "string", "enum": values}),
            Self::Text(Some(format)) => json!({"type": "string", "format": format}),
            Self::Text(None) => json!({"type": "string"}),
            Self::Rgb => {
                let part = json!({"type": "integer", "minimum": 0, "maximum": 255});
                json!({"type": "array", "items": part, "minItems": 3, "maxItems": 3})
            }
            Self::Parts(names) => {
                let part = |name: &&str| ((*name).to_owned(), json!({"type": "number"}));
                let parts: Map<String, Value> = names.iter().map(part).collect();
                json!({"type": "object", "properties": parts, "additionalProperties": false})
            }
            Self::Constant(value) => json!({"const": value}),
            Self::Any => json!({}),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    fn judge(&self, name: &str, value: &Value) -> Result<(), ActionRefusal> {
        let must = |is_right: bool, what: &str| match is_right {
            true => Ok(()),
            false => Err(ActionRefusal::wrong(name, what)),
        };
        match self {
            Self::Boolean => must(value.is_boolean(), "must be true or false"),
            Self::Number { min, max, .. } => judge_number(name, value, *min, *max),
            Self::Choice(values) => one_of(name, value, values).map(drop),
            Self::Text(_) => must(value.is_string(), "must be a text"),
            Self::Rgb => must(is_rgb(value), "must be three whole numbers from 0 to 255"),
            Self::Parts(names) => judge_parts(name, value, names),
            Self::Constant(only) => must(value == only, &format!("must be {only}")),
            Self::Any => Ok(()),
        }
    }
}

/// The text, if it is one of those.
pub(super) fn one_of(name: &str, value: &Value, known: &[String]) -> Result<String, ActionRefusal> {
    let given = value.as_str();
    let given = given.ok_or_else(|| ActionRefusal::wrong(name, "must be a text"))?;
    match known.iter().any(|known| known == given) {
        true => Ok(given.to_owned()),
        false => Err(ActionRefusal::none_of(
            name,
            given,
            known.iter().map(String::as_str),
        )),
    }
}

fn number_schema(min: Option<f64>, max: Option<f64>) -> Value {
    let mut schema = json!({"type": "number"});
    if let Some(schema) = schema.as_object_mut() {
        min.map(|min| schema.insert("minimum".to_owned(), plain(min)));
        max.map(|max| schema.insert("maximum".to_owned(), plain(max)));
    }
    schema
}

fn judge_number(
    name: &str,
    value: &Value,
    min: Option<f64>,
    max: Option<f64>,
) -> Result<(), ActionRefusal> {
    let number = value.as_f64().filter(|number| number.is_finite());
    let number = number.ok_or_else(|| ActionRefusal::wrong(name, "must be a number"))?;
    let below = min.filter(|min| number < *min).map(|min| ("at least", min));
    let above = max.filter(|max| number > *max).map(|max| ("at most", max));
    match below.or(above) {
        Some((bound, nearest)) => {
            let what = format!("must be {bound} {}", plain(nearest));
            Err(ActionRefusal::wrong(name, &what))
        }
        None => Ok(()),
    }
}

fn judge_parts(name: &str, value: &Value, names: &[&str]) -> Result<(), ActionRefusal> {
    let wrong = || {
        let what = format!("must be an object with numbers for {}", names.join(", "));
        ActionRefusal::wrong(name, &what)
    };
    let parts = value.as_object().ok_or_else(wrong)?;
    let is_right =
        |(part, value): (&String, &Value)| names.contains(&part.as_str()) && value.is_number();
    parts.iter().all(is_right).then_some(()).ok_or_else(wrong)
}

fn is_rgb(value: &Value) -> bool {
    let is_part = |part: &Value| part.as_u64().is_some_and(|part| part <= 255);
    let parts = value.as_array();
    parts.is_some_and(|parts| parts.len() == 3 && parts.iter().all(is_part))
}

/// A bound without a fraction that says nothing.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only what has no fraction and is small is cast"
)]
fn plain(bound: f64) -> Value {
    let is_whole = bound.fract() == 0.0 && bound.abs() < 1e15;
    if is_whole {
        json!(bound as i64)
    } else {
        json!(bound)
    }
}
