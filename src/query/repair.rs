//! Corrects a wrong call into a valid one that asks for the same, as far as that can be known. Pure.
//!
//! | file | what it corrects |
//! |---|---|
//! | `fields` | which field was meant |
//! | `names` | a field's name wherever fields are named |
//! | `shapes` | lists and aggregates in the shapes of other query languages |
//! | `conditions` | a `where` in such a shape |
//! | `values` | a value that its field does not take |
//! | `times` | a time in another format |
//! | `narrow` | a query that took too long |

pub(crate) mod conditions;
pub(crate) mod fields;
mod names;
pub(crate) mod narrow;
pub(crate) mod shapes;
mod times;
pub(crate) mod values;

use serde_json::{Map, Value};
use sextant_actors::audit::is_secretive;

/// One way to correct a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Repair {
    /// An argument has another name.
    Argument { wrong: String, right: String },
    /// A field has another name.
    Field { wrong: String, right: String },
    /// A word in one argument is another.
    Word {
        name: String,
        wrong: String,
        right: String,
    },
    /// One word of a list is left out.
    WithoutItem { name: String, item: String },
    /// An argument has another value; an empty one is left out.
    Set { name: String, value: Value },
    /// An argument is left out, and another says the same.
    Instead {
        gone: String,
        name: String,
        value: Value,
    },
    /// An argument is left out.
    Without(String),
    /// Another call.
    Example(Value),
}

impl Repair {
    /// The corrected call; `None` where it cannot be made.
    pub(crate) fn call(&self, arguments: &Value) -> Option<Value> {
        // The audit redacts values under secret names; under the corrected name it would keep the value in plain text.
        if let Self::Argument { wrong, .. } | Self::Field { wrong, .. } = self
            && is_secretive(wrong)
        {
            return None;
        }
        if let Self::Example(call) = self {
            return Some(call.clone());
        }
        self.apply(arguments.as_object()?.clone())
            .map(Value::Object)
    }

    fn apply(&self, mut call: Map<String, Value>) -> Option<Map<String, Value>> {
        match self {
            Self::Argument { wrong, right } => {
                let value = call.remove(wrong)?;
                call.insert(right.clone(), value);
            }
            Self::Field { wrong, right } => names::replace(&mut call, wrong, right),
            Self::Word { name, wrong, right } => {
                let value = call.get_mut(name)?;
                *value = names::with_word(value, wrong, right);
            }
            Self::WithoutItem { name, item } => {
                let list = call.get(name)?.as_array()?;
                let left = list.iter().filter(|word| !names::is_word(word, item));
                let left = left.cloned().collect();
                put(&mut call, name, left);
            }
            Self::Set { name, value } => put(&mut call, name, value.clone()),
            Self::Instead { gone, name, value } => {
                call.remove(gone)?;
                put(&mut call, name, value.clone());
            }
            Self::Without(name) => {
                call.remove(name)?;
            }
            Self::Example(_) => return None,
        }
        Some(call)
    }
}

fn put(call: &mut Map<String, Value>, name: &str, value: Value) {
    let is_empty = match &value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        other => other.is_null(),
    };
    if is_empty {
        call.remove(name);
    } else {
        call.insert(name.to_owned(), value);
    }
}
