//! What a push stores: rows of sector tables, records with their nested rows, deletions. Also the format of the spool.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::catalog::{Field, Kind};

/// The column with the time at which an account's balance was stated.
const BALANCE_TIME: &str = "balance_as_of";

/// One row of a sector table, every value checked against the catalogue and ready to be bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SectorRow {
    pub id: Uuid,
    /// The device's own id of the record.
    pub source_id: String,
    /// Catalogue fields by name, in the form that `jsonb_to_recordset` reads.
    pub columns: Map<String, Value>,
    /// References still to be looked up: the field, and the device's own id of the parent.
    pub references: Vec<(String, String)>,
    /// Fields that the catalogue does not know, as sent.
    pub extra: Option<Map<String, Value>>,
    /// The record as the device has it, if it was sent.
    pub raw: Option<Value>,
    /// When the source last changed the record.
    pub updated_at: Option<DateTime<Utc>>,
}

impl SectorRow {
    /// Links a part to the record that contains it; `link` is the part's field that refers to the record.
    pub fn link_to(&mut self, owner: &SectorRow, link: &Field) {
        let name = match link.kind {
            Kind::Id => owner.id.to_string(),
            _ => owner.source_id.clone(),
        };
        self.columns.insert(link.name.to_owned(), name.into());
    }

    /// Whether both state the balance of one account at different times. Each of them is stored, so they must not be merged.
    pub fn is_of_another_time(&self, other: &SectorRow) -> bool {
        let time = |row: &SectorRow| {
            row.columns
                .get(BALANCE_TIME)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        matches!((time(self), time(other)), (Some(one), Some(other)) if one != other)
    }
}

/// A record with the rows nested in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PushedRecord {
    /// Its position in the push, from 0.
    pub index: usize,
    pub row: SectorRow,
    /// Parents by the field that refers to them.
    pub parents: Vec<(String, SectorRow)>,
    /// Parents nested in those parents, by the name of their table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<(String, SectorRow)>,
    /// Lists of parts by their name in the record. A list that is present replaces the stored one.
    pub parts: Vec<(String, Vec<SectorRow>)>,
}

impl PushedRecord {
    /// Whether both are equal but for their position in the push.
    pub fn has_equal_content(&self, other: &PushedRecord) -> bool {
        (&self.row, &self.parents, &self.ancestors, &self.parts)
            == (&other.row, &other.parents, &other.ancestors, &other.parts)
    }
}

/// A record that the device has deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deletion {
    /// Its position in the push, from 0.
    pub index: usize,
    pub source_id: String,
    pub updated_at: Option<DateTime<Utc>>,
}

/// One change that a push asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum PushStep {
    Store(Box<PushedRecord>),
    Delete(Deletion),
}
