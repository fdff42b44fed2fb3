//! The fields of a record, as a push has them.

use serde_json::Value;
use sextant_formats::RecordFields;

/// Sets a field to what is known of it; what is not known stays away.
pub(crate) fn put(fields: &mut RecordFields, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), value.into());
    }
}
