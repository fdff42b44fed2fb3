//! The members of one object, each put where the catalogue says.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value};

use crate::catalog::{self, Field, Table};

use super::identity::sent_id;
use super::instant::instant;
use super::limits::{INDEXED_TEXT_BYTES_MAX, SEARCHABLE_CHARACTERS_MAX};
use super::similar_names::is_near;
use super::problem::Fault;
use super::row::Row;
use super::value;

/// What is wrong with a parent that is no object; `null` means that there is none.
pub const NO_PARENT: &str = "must be an object with an `id`";

/// Puts one member into the row: a column, a reference to look up, or what the catalogue does not know.
///
/// # Errors
/// When it is no value of its field.
pub fn place(
    table: &Table,
    row: &mut Row,
    name: &str,
    sent: &Value,
    zone: Tz,
) -> Result<(), Fault> {
    let fault = |message| Fault::new(name, message);
    if is_nested(table, name) && !sent.is_object() {
        return Err(fault(NO_PARENT.to_owned()));
    }
    if is_structural(table, name) {
        return Ok(());
    }
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
        None => match table.renamed(name) {
            Some(present) => {
                return Err(fault(format!(
                    "is called `{present}` now: send `{present}`"
                )));
            }
            None => keep(row, name, value::json(sent).map_err(fault)?),
        },
    }
    Ok(())
}

/// Whether records of `table` may carry a whole parent under this name.
fn is_nested(table: &Table, name: &str) -> bool {
    let mut references = table.fields.iter().filter_map(|field| field.reference);
    references.any(|reference| reference.nested == Some(name))
}

fn is_structural(table: &Table, name: &str) -> bool {
    let own = matches!(name, "id" | "source_id" | "updated_at" | "_deleted");
    own && table.field(name).is_none()
        || is_nested(table, name)
        || table.parts.iter().any(|part| part.name == name)
}

fn keep(row: &mut Row, name: &str, value: Value) {
    row.extra
        .get_or_insert_default()
        .insert(name.replace('\0', "\u{fffd}"), value);
}

/// What must be there is there, and the whole fits the store.
///
/// # Errors
/// What is missing or too much.
pub fn complete(table: &Table, row: &Row, members: &Map<String, Value>) -> Result<(), Fault> {
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
            format!(
                "is required in {}{}",
                table.target(),
                instead(row, &[missing.name])
            ),
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
                "at least one of {} is required in {}{}",
                group.join(", "),
                table.target(),
                instead(row, group)
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
    fits(table, row)
}

/// What was sent in place of one of the `missing`, as the end of a sentence.
fn instead(row: &Row, missing: &[&str]) -> String {
    let unknown = row.extra.iter().flat_map(|extra| extra.keys());
    let mut pairs = unknown.flat_map(|sent| missing.iter().map(move |known| (sent, known)));
    let near = pairs.find(|(sent, known)| is_near(sent, known));
    near.map(|(sent, known)| format!("; `{sent}` was sent, write `{known}`"))
        .unwrap_or_default()
}

/// No index of the store is asked to hold more of a text than it can.
fn fits(table: &Table, row: &Row) -> Result<(), Fault> {
    let text = |name: &str| row.columns.get(name).and_then(Value::as_str);
    let characters = |field: &Field| text(field.name).map_or(0, |text| text.chars().count());
    if table.searchable().map(characters).sum::<usize>() > SEARCHABLE_CHARACTERS_MAX {
        return Err(Fault::new(
            "",
            format!(
                "the searchable texts of a record may have {SEARCHABLE_CHARACTERS_MAX} characters together"
            ),
        ));
    }
    let is_long = |name: &&str| text(name).is_some_and(|text| text.len() > INDEXED_TEXT_BYTES_MAX);
    let mut long = indexed(table).filter(is_long);
    match long.next() {
        None => Ok(()),
        Some(name) => Err(Fault::new(
            name,
            format!("must have at most {INDEXED_TEXT_BYTES_MAX} bytes"),
        )),
    }
}

/// The fields that rows are found by: those that order the table, and those that lead from a part to its record.
fn indexed(table: &Table) -> impl Iterator<Item = &'static str> {
    let ordering = table.default_order.iter();
    let owners = catalog::sector(table.sector).iter();
    let links = owners
        .flat_map(|owner| owner.parts)
        .filter(|part| part.table == table.name)
        .map(|part| part.link);
    ordering
        .map(|name| name.trim_start_matches('-'))
        .chain(links)
}

/// The stamp by which the newer of two versions wins.
///
/// # Errors
/// When it is no time.
pub fn updated_at(members: &Map<String, Value>) -> Result<Option<DateTime<Utc>>, Fault> {
    let Some(sent) = members.get("updated_at").filter(|sent| !sent.is_null()) else {
        return Ok(None);
    };
    let instant = sent.as_str().and_then(|text| instant(text, Tz::UTC));
    instant
        .map(Some)
        .ok_or_else(|| Fault::new("updated_at", "must be a time, as 2026-03-29T09:00:00Z"))
}

/// The id that the device gave, or the table's natural one.
///
/// # Errors
/// When it is no id.
pub fn given_id(table: &Table, members: &Map<String, Value>) -> Result<Option<String>, Fault> {
    let named = ["id", "source_id"].into_iter().chain(table.natural);
    let given = named
        .filter_map(|name| Some((name, members.get(name).filter(|sent| !sent.is_null())?)))
        .next();
    given
        .map(|(name, sent)| sent_id(sent).map_err(|message| Fault::new(name, message)))
        .transpose()
}
