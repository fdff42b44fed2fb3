//! One pushed record: from the object a device sent to the rows to store, or what is wrong with it.

mod nested;

use chrono_tz::Tz;
use serde_json::{Map, Value};

use crate::catalog::{Table, row_id};

use super::destination::PushDestination;
use super::fields::{check_complete, given_id, put_field, updated_at};
use super::identity::{ContentIds, sent_id};
use super::inferred_day;
use super::limits::NESTING_MAX;
use super::problem::FieldFault;
use super::row::{Deletion, PushStep, PushedRecord, SectorRow};
use super::rules;

/// Reads the records of one push.
pub(super) struct RecordReader {
    to: PushDestination,
    content_ids: ContentIds,
}

impl RecordReader {
    /// A reader of records for the connection and table of `to`.
    pub(super) fn new(to: &PushDestination) -> Self {
        Self {
            to: to.clone(),
            content_ids: ContentIds::default(),
        }
    }

    /// Reads one record, or a deletion if it has `"_deleted": true`; `index` is its position in the push, from 0.
    ///
    /// # Errors
    /// The first problem of the record.
    pub(super) fn read(&mut self, index: usize, sent: &Value) -> Result<PushStep, FieldFault> {
        let members = sent
            .as_object()
            .ok_or_else(|| FieldFault::new("", "a record must be an object"))?;
        if nesting_of(sent) > NESTING_MAX {
            let message =
                format!("may have {NESTING_MAX} levels of objects and arrays at the most");
            return Err(FieldFault::new("", message));
        }
        match members.get("_deleted") {
            None | Some(Value::Bool(false)) => self
                .read_root(index, sent, members)
                .map(|root| PushStep::Store(Box::new(root))),
            Some(Value::Bool(true)) => read_deletion(index, members).map(PushStep::Delete),
            Some(_) => Err(FieldFault::new("_deleted", "must be true or false")),
        }
    }

    fn read_root(
        &mut self,
        index: usize,
        sent: &Value,
        members: &Map<String, Value>,
    ) -> Result<PushedRecord, FieldFault> {
        let table = self.to.table;
        let source_id = match given_id(table, members)? {
            Some(given) => given,
            None => self.content_ids.next_for(sent),
        };
        let mut row = self.read_row(table, members, source_id)?;
        let parents = self.read_parents(table, members, &mut row)?;
        let parts = table.parts.iter();
        let parts = parts.filter_map(|part| self.read_part(part, members, &row).transpose());
        let parts = parts.collect::<Result<_, _>>()?;
        let mut root = PushedRecord {
            index,
            row,
            parents: parents.direct,
            ancestors: parents.ancestors,
            parts,
        };
        rules::apply(table, &mut root, self.to.zone)?;
        Ok(root)
    }

    /// Reads some fields of a record, which need not be whole.
    ///
    /// # Errors
    /// The first field whose value does not fit.
    pub(super) fn read_fields(
        &self,
        source_id: &str,
        members: &Map<String, Value>,
    ) -> Result<SectorRow, FieldFault> {
        self.fill_row(self.to.table, members, source_id.to_owned())
    }

    fn fill_row(
        &self,
        table: &'static Table,
        members: &Map<String, Value>,
        source_id: String,
    ) -> Result<SectorRow, FieldFault> {
        let zone = self.zone_of(table, members)?;
        let mut row = SectorRow {
            id: row_id(self.to.connection, &table.target(), &source_id),
            source_id,
            columns: Map::new(),
            references: Vec::new(),
            extra: None,
            raw: None,
            updated_at: updated_at(members)?,
        };
        for (name, sent) in members.iter().filter(|(_, sent)| !sent.is_null()) {
            put_field(table, &mut row, name, sent, zone)?;
        }
        Ok(row)
    }

    fn read_row(
        &self,
        table: &'static Table,
        members: &Map<String, Value>,
        source_id: String,
    ) -> Result<SectorRow, FieldFault> {
        let mut row = self.fill_row(table, members, source_id)?;
        inferred_day::infer(table, &mut row, self.to.zone, self.to.now);
        check_complete(table, &row, members)?;
        Ok(row)
    }

    /// The zone that local times of a record are in: its own `time_zone` where the table has that field, else the operator's.
    fn zone_of(&self, table: &Table, members: &Map<String, Value>) -> Result<Tz, FieldFault> {
        let named = table
            .field("time_zone")
            .and_then(|_| members.get("time_zone"))
            .filter(|sent| !sent.is_null());
        let Some(named) = named else {
            return Ok(self.to.zone);
        };
        let zone = named.as_str().and_then(|name| name.parse().ok());
        zone.ok_or_else(|| {
            FieldFault::new(
                "time_zone",
                "must be a zone of the IANA database, such as Europe/Vienna",
            )
        })
    }
}

/// Levels of nested objects and arrays. The recursion is bounded, because the parser bounds the nesting.
fn nesting_of(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(nesting_of).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(nesting_of).max().unwrap_or(0),
        _ => 0,
    }
}

fn read_deletion(index: usize, members: &Map<String, Value>) -> Result<Deletion, FieldFault> {
    let id = members
        .get("id")
        .ok_or_else(|| FieldFault::new("id", "a deletion must carry the `id`"))?;
    Ok(Deletion {
        index,
        source_id: sent_id(id).map_err(|message| FieldFault::new("id", message))?,
        updated_at: updated_at(members)?,
    })
}

#[cfg(test)]
mod tests;
