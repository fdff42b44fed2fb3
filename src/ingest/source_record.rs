//! Records of a source, which come one by one with a key of the source's: read by the same rules as a push.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value};

use super::destination::PushDestination;
use super::problem::FieldFault;
use super::record::RecordReader;
use super::row::{PushStep, PushedRecord, SectorRow};

/// Reads a whole record.
///
/// # Errors
/// A sentence that says why it cannot be stored. A defect of the reader takes this record with it and no other.
pub(crate) fn read_whole(
    to: &PushDestination,
    source_id: &str,
    mut fields: Map<String, Value>,
) -> Result<PushedRecord, String> {
    fields.insert("id".to_owned(), Value::from(source_id));
    let sent = Value::Object(fields);
    let read = || RecordReader::new(to).read(0, &sent);
    match caught(read)? {
        PushStep::Store(root) => Ok(*root),
        PushStep::Delete(_) => Err("it is no record".to_owned()),
    }
}

/// Reads those fields of a record that are others now.
///
/// # Errors
/// As of [`read_whole`].
pub(crate) fn read_amended(
    to: &PushDestination,
    source_id: &str,
    fields: &Map<String, Value>,
) -> Result<SectorRow, String> {
    caught(|| RecordReader::new(to).read_fields(source_id, fields))
}

fn caught<T>(read: impl FnOnce() -> Result<T, FieldFault>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|fault| fault.to_string()),
        Err(_) => Err("it cannot be read".to_owned()),
    }
}
