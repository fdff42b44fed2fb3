//! One pushed record: from the object a device sent to the rows it makes, or what is wrong with it.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::catalog::{self, Field, Kind, Part, Table};

use super::identity::{Ordinals, row_id, sent_id};
use super::limits::{PARTS_MAX, SEARCHABLE_CHARACTERS_MAX};
use super::row::{Deletion, Root, Row, Step};
use super::{rules, value};

/// What is wrong with a field of a record.
#[derive(Debug, PartialEq)]
pub struct Fault {
    pub field: String,
    pub message: String,
}

impl Fault {
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            message: message.into(),
        }
    }

    fn inside(self, name: &str) -> Self {
        Self {
            field: format!("{name}.{}", self.field),
            message: self.message,
        }
    }
}

/// Reads records of one connection's table.
pub struct Reader {
    pub connection: Uuid,
    pub table: &'static Table,
    /// The operator's zone, for local times without one.
    pub zone: Tz,
    ordinals: Ordinals,
}

impl Reader {
    pub fn new(connection: Uuid, table: &'static Table, zone: Tz) -> Self {
        Self {
            connection,
            table,
            zone,
            ordinals: Ordinals::default(),
        }
    }

    /// Reads one record, or the deletion it stands for.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn step(&mut self, sent: &Value) -> Result<Step, Fault> {
        let members = sent
            .as_object()
            .ok_or_else(|| Fault::new("", "a record must be an object"))?;
        match members.get("_deleted") {
            None | Some(Value::Bool(false)) => self
                .root(sent, members)
                .map(|root| Step::Store(Box::new(root))),
            Some(Value::Bool(true)) => deletion(members).map(Step::Delete),
            Some(_) => Err(Fault::new("_deleted", "must be true or false")),
        }
    }

    fn root(&mut self, sent: &Value, members: &Map<String, Value>) -> Result<Root, Fault> {
        let source_id = match given_id(self.table, members)? {
            Some(given) => given,
            None => self.ordinals.name(sent),
        };
        let mut row = self.row(self.table, members, source_id)?;
        let parents = self.parents(members, &mut row)?;
        let parts = self
            .table
            .parts
            .iter()
            .filter_map(|part| self.part(part, members, &row).transpose());
        let parts = parts.collect::<Result<_, _>>()?;
        let mut root = Root {
            row,
            parents,
            parts,
        };
        rules::apply(self.table, &mut root, self.zone)?;
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
            id: row_id(self.connection, &table.target(), &source_id),
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
        complete(table, &row, members)?;
        Ok(row)
    }

    /// Local times of a record are read in its own `time_zone`, where the table has one.
    fn zone_of(&self, table: &Table, members: &Map<String, Value>) -> Result<Tz, Fault> {
        let named = table
            .field("time_zone")
            .and_then(|_| members.get("time_zone"))
            .and_then(Value::as_str);
        let Some(named) = named else {
            return Ok(self.zone);
        };
        named.parse().map_err(|_| {
            Fault::new(
                "time_zone",
                "must be a zone of the IANA database, such as Europe/Vienna",
            )
        })
    }

    fn parents(
        &self,
        members: &Map<String, Value>,
        row: &mut Row,
    ) -> Result<Vec<(String, Row)>, Fault> {
        let mut parents = Vec::new();
        for (field, reference) in self
            .table
            .fields
            .iter()
            .filter_map(|field| Some((field, field.reference?)))
        {
            let Some((nested, sent)) = reference
                .nested
                .and_then(|nested| Some((nested, members.get(nested)?)))
            else {
                continue;
            };
            let (Some(table), Some(sent)) = (
                catalog::table(self.table.sector, reference.table),
                sent.as_object(),
            ) else {
                return Err(Fault::new(nested, "must be an object with an `id`"));
            };
            let source_id =
                given_id(table, sent)?.ok_or_else(|| Fault::new(nested, "must carry an `id`"))?;
            row.references.retain(|(name, _)| name != field.name);
            parents.push((
                field.name.to_owned(),
                self.row(table, sent, source_id)
                    .map_err(|fault| fault.inside(nested))?,
            ));
        }
        Ok(parents)
    }

    fn part(
        &self,
        part: &Part,
        members: &Map<String, Value>,
        root: &Row,
    ) -> Result<Option<(String, Vec<Row>)>, Fault> {
        let Some(sent) = members.get(part.name) else {
            return Ok(None);
        };
        let table = catalog::table(self.table.sector, part.table);
        let (Some(table), Some(sent)) = (
            table,
            sent.as_array().filter(|sent| sent.len() <= PARTS_MAX),
        ) else {
            return Err(Fault::new(
                part.name,
                format!("must be a list of at most {PARTS_MAX} objects"),
            ));
        };
        let rows = sent
            .iter()
            .enumerate()
            .map(|(ordinal, sent)| self.part_row(part, table, (ordinal, sent), root));
        Ok(Some((
            part.name.to_owned(),
            rows.collect::<Result<_, _>>()?,
        )))
    }

    fn part_row(
        &self,
        part: &Part,
        table: &'static Table,
        (ordinal, sent): (usize, &Value),
        root: &Row,
    ) -> Result<Row, Fault> {
        let place = format!("{}[{ordinal}]", part.name);
        let members = sent
            .as_object()
            .ok_or_else(|| Fault::new(&place, "must be an object"))?;
        let own = match members
            .get("id")
            .or_else(|| members.get("recurrence_id"))
            .or_else(|| members.get("part_id"))
        {
            Some(own) => sent_id(own).map_err(|message| Fault::new(&place, message))?,
            None => ordinal.to_string(),
        };
        let mut members = members.clone();
        members.remove(part.link);
        inherit(table, root, &mut members);
        let mut row = self
            .row(table, &members, format!("{}/{own}", root.source_id))
            .map_err(|fault| fault.inside(&place))?;
        let link = match table.field(part.link).map(|field| field.kind) {
            Some(Kind::Id) => root.id.to_string(),
            _ => root.source_id.clone(),
        };
        row.columns
            .insert(part.link.to_owned(), Value::String(link));
        Ok(row)
    }
}

/// What a part leaves unsaid of its own time is as in its record: an exception keeps the zone of its series.
fn inherit(table: &Table, root: &Row, members: &mut Map<String, Value>) {
    for name in ["time_zone", "uid"] {
        let (Some(_), Some(value)) = (table.field(name), root.columns.get(name)) else {
            continue;
        };
        members.entry(name).or_insert_with(|| value.clone());
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

fn updated_at(members: &Map<String, Value>) -> Result<Option<DateTime<Utc>>, Fault> {
    let Some(sent) = members.get("updated_at").filter(|sent| !sent.is_null()) else {
        return Ok(None);
    };
    let instant = sent.as_str().and_then(|text| value::instant(text, Tz::UTC));
    instant
        .map(Some)
        .ok_or_else(|| Fault::new("updated_at", "must be a time, as 2026-03-29T09:00:00Z"))
}

/// The id that the device gave, or the table's natural one.
fn given_id(table: &Table, members: &Map<String, Value>) -> Result<Option<String>, Fault> {
    let named = ["id", "source_id"].into_iter().chain(table.natural);
    let given = named
        .filter_map(|name| Some((name, members.get(name).filter(|sent| !sent.is_null())?)))
        .next();
    given
        .map(|(name, sent)| sent_id(sent).map_err(|message| Fault::new(name, message)))
        .transpose()
}

fn place(table: &Table, row: &mut Row, name: &str, sent: &Value, zone: Tz) -> Result<(), Fault> {
    if is_structural(table, name) {
        return Ok(());
    }
    let fault = |message| Fault::new(name, message);
    match table.field(name) {
        Some(Field {
            reference: Some(_), ..
        }) => row
            .references
            .push((name.to_owned(), sent_id(sent).map_err(fault)?)),
        Some(field) => {
            row.columns.insert(
                name.to_owned(),
                value::read(field, sent, zone).map_err(fault)?,
            );
        }
        None if name == "raw" => row.raw = Some(value::json(sent).map_err(fault)?),
        None => keep(row, name, value::json(sent).map_err(fault)?),
    }
    Ok(())
}

fn is_structural(table: &Table, name: &str) -> bool {
    let nested = table
        .fields
        .iter()
        .filter_map(|field| field.reference?.nested);
    let own = matches!(name, "id" | "source_id" | "updated_at" | "_deleted");
    own && table.field(name).is_none()
        || nested
            .chain(table.parts.iter().map(|part| part.name))
            .any(|known| known == name)
}

fn keep(row: &mut Row, name: &str, value: Value) {
    row.extra
        .get_or_insert_default()
        .insert(name.replace('\0', "\u{fffd}"), value);
}

/// What must be there is there, and the whole fits the store.
fn complete(table: &Table, row: &Row, members: &Map<String, Value>) -> Result<(), Fault> {
    let there = |name: &str| {
        row.columns.contains_key(name) || row.references.iter().any(|(field, _)| field == name)
    };
    if let Some(missing) = table
        .fields
        .iter()
        .find(|field| field.required && !there(field.name))
    {
        return Err(Fault::new(
            missing.name,
            format!("is required in {}", table.target()),
        ));
    }
    if let Some(group) = table
        .one_of
        .iter()
        .find(|group| !group.iter().any(|name| there(name)))
    {
        return Err(Fault::new(
            group.first().unwrap_or(&""),
            format!(
                "at least one of {} is required in {}",
                group.join(", "),
                table.target()
            ),
        ));
    }
    if row.columns.is_empty() && members.len() > 1 {
        let known: Vec<_> = table.fields.iter().map(|field| field.name).collect();
        return Err(Fault::new(
            "",
            format!(
                "no field is one of {}: {}",
                table.target(),
                known.join(", ")
            ),
        ));
    }
    let text = |field: &Field| {
        row.columns
            .get(field.name)
            .and_then(Value::as_str)
            .map_or(0, |text| text.chars().count())
    };
    if table.searchable().map(text).sum::<usize>() > SEARCHABLE_CHARACTERS_MAX {
        return Err(Fault::new(
            "",
            format!(
                "the searchable texts of a record may have {SEARCHABLE_CHARACTERS_MAX} characters together"
            ),
        ));
    }
    Ok(())
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
