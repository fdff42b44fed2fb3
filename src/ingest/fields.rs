//! The members of one JSON object: each is put into the row where the catalogue says, and the row is checked as a whole.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value};

use crate::catalog::{self, Field, Table};

use super::identity::sent_id;
use super::instant::parse_instant;
use super::limits::{INDEXED_TEXT_BYTES_MAX, SEARCHABLE_CHARACTERS_MAX};
use super::problem::FieldFault;
use super::row::SectorRow;
use super::similar_names::is_similar;
use super::value;

/// The problem of a nested parent that is not an object; `null` means that there is none.
pub(super) const NO_PARENT: &str = "must be an object with an `id`";

/// Puts one member into the row: as a column, as a reference to look up, or in `extra` when the catalogue does not know it.
/// Local times are in `zone`.
///
/// # Errors
/// When the value does not fit its field.
pub(super) fn put_field(
    table: &Table,
    row: &mut SectorRow,
    name: &str,
    sent: &Value,
    zone: Tz,
) -> Result<(), FieldFault> {
    let fault = |message| FieldFault::new(name, message);
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
            None => put_extra(row, name, value::json(sent).map_err(fault)?),
        },
    }
    Ok(())
}

/// Whether records of `table` may carry a whole parent under this name.
fn is_nested(table: &Table, name: &str) -> bool {
    let mut references = table.fields.iter().filter_map(|field| field.reference);
    references.any(|reference| reference.nested == Some(name))
}

/// Whether another function reads this member: ids, stamps, nested parents and parts.
fn is_structural(table: &Table, name: &str) -> bool {
    let own = matches!(name, "id" | "source_id" | "updated_at" | "_deleted");
    own && table.field(name).is_none()
        || is_nested(table, name)
        || table.parts.iter().any(|part| part.name == name)
}

fn put_extra(row: &mut SectorRow, name: &str, value: Value) {
    row.extra
        .get_or_insert_default()
        .insert(name.replace('\0', "\u{fffd}"), value);
}

/// Checks that the required fields are present and that the database can hold the row.
///
/// # Errors
/// The field that is missing or too long.
pub(super) fn check_complete(
    table: &Table,
    row: &SectorRow,
    members: &Map<String, Value>,
) -> Result<(), FieldFault> {
    let is_present = |name: &str| {
        row.columns.contains_key(name) || row.references.iter().any(|(field, _)| field == name)
    };
    if let Some(missing) = table
        .fields
        .iter()
        .find(|field| field.required && !is_present(field.name))
    {
        return Err(FieldFault::new(
            missing.name,
            format!(
                "is required in {}{}",
                table.target(),
                hint(row, &[missing.name])
            ),
        ));
    }
    if let Some(group) = table
        .one_of
        .iter()
        .find(|group| !group.iter().any(|name| is_present(name)))
    {
        return Err(FieldFault::new(
            group.first().unwrap_or(&""),
            format!(
                "at least one of {} is required in {}{}",
                group.join(", "),
                table.target(),
                hint(row, group)
            ),
        ));
    }
    if row.columns.is_empty() && members.len() > 1 {
        let known: Vec<_> = table.fields.iter().map(|field| field.name).collect();
        return Err(FieldFault::new(
            "",
            format!(
                "no field is one of {}: {}",
                table.target(),
                known.join(", ")
            ),
        ));
    }
    check_index_sizes(table, row)
}

/// The unknown field that was probably meant to be one of the `missing`, as the end of a sentence; empty without one.
fn hint(row: &SectorRow, missing: &[&str]) -> String {
    let unknown = row.extra.iter().flat_map(|extra| extra.keys());
    let mut pairs = unknown.flat_map(|sent| missing.iter().map(move |known| (sent, known)));
    match pairs.find(|(sent, known)| is_similar(sent, known)) {
        Some((sent, known)) => format!("; `{sent}` was sent, write `{known}`"),
        None => String::new(),
    }
}

/// Checks that no indexed text is longer than its index can hold.
fn check_index_sizes(table: &Table, row: &SectorRow) -> Result<(), FieldFault> {
    let text = |name: &str| row.columns.get(name).and_then(Value::as_str);
    let characters = |field: &Field| text(field.name).map_or(0, |text| text.chars().count());
    if table.searchable().map(characters).sum::<usize>() > SEARCHABLE_CHARACTERS_MAX {
        return Err(FieldFault::new(
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
        Some(name) => Err(FieldFault::new(
            name,
            format!("must have at most {INDEXED_TEXT_BYTES_MAX} bytes"),
        )),
    }
}

/// The indexed text fields: those that order the table, and the one that links a part to its record.
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

/// When the source last changed the record; of two versions the newer wins.
///
/// # Errors
/// When it is not a time.
pub(super) fn updated_at(
    members: &Map<String, Value>,
) -> Result<Option<DateTime<Utc>>, FieldFault> {
    let Some(sent) = members.get("updated_at").filter(|sent| !sent.is_null()) else {
        return Ok(None);
    };
    let instant = sent.as_str().and_then(|text| parse_instant(text, Tz::UTC));
    instant
        .map(Some)
        .ok_or_else(|| FieldFault::new("updated_at", "must be a time, as 2026-03-29T09:00:00Z"))
}

/// The id that the device sent, or the value of the table's natural key.
///
/// # Errors
/// When it cannot be an id.
pub(super) fn given_id(
    table: &Table,
    members: &Map<String, Value>,
) -> Result<Option<String>, FieldFault> {
    let named = ["id", "source_id"].into_iter().chain(table.natural);
    let given = named
        .filter_map(|name| Some((name, members.get(name).filter(|sent| !sent.is_null())?)))
        .next();
    given
        .map(|(name, sent)| sent_id(sent).map_err(|message| FieldFault::new(name, message)))
        .transpose()
}
