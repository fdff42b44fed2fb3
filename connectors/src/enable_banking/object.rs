//! Fields of what was sent, and of what becomes of it.

use serde_json::{Map, Value};
use sextant_formats::RecordFields;

/// A text that says something.
pub(super) fn text<'a>(of: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    let text = of.get(name)?.as_str()?.trim();
    (!text.is_empty()).then_some(text)
}

/// A text within an object, such as the amount of a sum.
pub(super) fn text_in<'a>(of: &'a Map<String, Value>, name: &str, part: &str) -> Option<&'a str> {
    text(of.get(name)?.as_object()?, part)
}

pub(super) fn put(fields: &mut RecordFields, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), value.into());
    }
}
