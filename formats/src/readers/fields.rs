//! Sets the fields of a record that the file has a value for.

use serde_json::Value;

use crate::entry::RecordFields;

/// Sets a field, if there is a value for it.
pub(super) fn put(fields: &mut RecordFields, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), value.into());
    }
}

/// Sets a field, if the list holds anything.
pub(super) fn put_list(fields: &mut RecordFields, name: &str, values: Vec<Value>) {
    let values = Some(values).filter(|values| !values.is_empty());
    put(fields, name, values);
}
