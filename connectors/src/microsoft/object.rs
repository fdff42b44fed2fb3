//! Fields of an object of Graph, each read as what it should be; what is of another kind is as if it were not there.

use serde_json::{Map, Value};

/// An object of an answer.
pub(super) type GraphObject = Map<String, Value>;

/// A text that says something.
pub(super) fn text<'a>(object: &'a GraphObject, name: &str) -> Option<&'a str> {
    let text = object.get(name)?.as_str()?.trim();
    (!text.is_empty()).then_some(text)
}

/// Whether it says so; `None` if it says nothing of it.
pub(super) fn flag(object: &GraphObject, name: &str) -> Option<bool> {
    object.get(name)?.as_bool()
}

/// An object within.
pub(super) fn inner<'a>(object: &'a GraphObject, name: &str) -> Option<&'a GraphObject> {
    object.get(name)?.as_object()
}

/// The objects of a list within.
pub(super) fn objects<'a>(
    object: &'a GraphObject,
    name: &str,
) -> impl Iterator<Item = &'a GraphObject> {
    let list = object.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// The texts of a list within.
pub(super) fn texts<'a>(object: &'a GraphObject, name: &str) -> impl Iterator<Item = &'a str> {
    let list = object.get(name).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::trim).filter(|text| !text.is_empty())
}

/// What of an object is kept as `raw`: without what the protocol adds, which changes from answer to answer.
pub(super) fn raw(object: &GraphObject) -> Value {
    let fields = object.iter().filter(|(name, _)| !name.contains("@odata."));
    Value::Object(
        fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}
