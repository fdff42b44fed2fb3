//! One pushed record: from the object a device sent to the rows it makes, or what is wrong with it.

mod nested;

use chrono_tz::Tz;
use serde_json::{Map, Value};

use crate::catalog::{Table, row_id};

use super::destination::Destination;
use super::fields::{complete, given_id, place, updated_at};
use super::identity::{Ordinals, sent_id};
use super::limits::NESTING_MAX;
use super::inferred_day;
use super::problem::Fault;
use super::row::{Deletion, Root, Row, Step};
use super::rules;

/// Reads records of one connection's table.
pub struct Reader {
    to: Destination,
    ordinals: Ordinals,
}

impl Reader {
    pub fn new(to: &Destination) -> Self {
        Self {
            to: to.clone(),
            ordinals: Ordinals::default(),
        }
    }

    /// Reads one record, or the deletion it stands for; `index` is its place in the push.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn step(&mut self, index: usize, sent: &Value) -> Result<Step, Fault> {
        let members = sent
            .as_object()
            .ok_or_else(|| Fault::new("", "a record must be an object"))?;
        if levels(sent) > NESTING_MAX {
            let message =
                format!("may have {NESTING_MAX} levels of objects and arrays at the most");
            return Err(Fault::new("", message));
        }
        match members.get("_deleted") {
            None | Some(Value::Bool(false)) => self
                .root(index, sent, members)
                .map(|root| Step::Store(Box::new(root))),
            Some(Value::Bool(true)) => deletion(members).map(Step::Delete),
            Some(_) => Err(Fault::new("_deleted", "must be true or false")),
        }
    }

    fn root(
        &mut self,
        index: usize,
        sent: &Value,
        members: &Map<String, Value>,
    ) -> Result<Root, Fault> {
        let table = self.to.table;
        let source_id = match given_id(table, members)? {
            Some(given) => given,
            None => self.ordinals.name(sent),
        };
        let mut row = self.row(table, members, source_id)?;
        let parents = self.parents(table, members, &mut row)?;
        let parts = table.parts.iter();
        let parts = parts.filter_map(|part| self.part(part, members, &row).transpose());
        let parts = parts.collect::<Result<_, _>>()?;
        let mut root = Root {
            index,
            row,
            parents: parents.own,
            ancestors: parents.theirs,
            parts,
        };
        rules::apply(table, &mut root, self.to.zone)?;
        Ok(root)
    }

    fn row(
        &self,
        table: &'static Table,
        members: &Map<String, Value>,
        source_id: String,
    ) -> Result<Row, Fault> {
        let zone = self.zone_of(table, members)?;
        let mut row = Row {
            id: row_id(self.to.connection, &table.target(), &source_id),
            source_id,
            columns: Map::new(),
            references: Vec::new(),
            extra: None,
            raw: None,
            updated_at: updated_at(members)?,
        };
        for (name, sent) in members.iter().filter(|(_, sent)| !sent.is_null()) {
            place(table, &mut row, name, sent, zone)?;
        }
        inferred_day::make(table, &mut row, self.to.zone, self.to.now);
        complete(table, &row, members)?;
        Ok(row)
    }

    /// Local times of a record are read in its own `time_zone`, where the table has one.
    fn zone_of(&self, table: &Table, members: &Map<String, Value>) -> Result<Tz, Fault> {
        let named = table
            .field("time_zone")
            .and_then(|_| members.get("time_zone"))
            .filter(|sent| !sent.is_null());
        let Some(named) = named else {
            return Ok(self.to.zone);
        };
        let zone = named.as_str().and_then(|name| name.parse().ok());
        zone.ok_or_else(|| {
            Fault::new(
                "time_zone",
                "must be a zone of the IANA database, such as Europe/Vienna",
            )
        })
    }
}

/// Levels of objects and arrays; the parser has bounded them, so that this may call itself.
fn levels(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(levels).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(levels).max().unwrap_or_default(),
        _ => 0,
    }
}

fn deletion(members: &Map<String, Value>) -> Result<Deletion, Fault> {
    let id = members
        .get("id")
        .ok_or_else(|| Fault::new("id", "a deletion must carry the `id`"))?;
    Ok(Deletion {
        source_id: sent_id(id).map_err(|message| Fault::new("id", message))?,
        updated_at: updated_at(members)?,
    })
}

#[cfg(test)]
mod tests;
