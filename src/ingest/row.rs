use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::catalog::{Field, Kind};

/// The column that tells as of when a balance was true.
const BALANCE_TIME: &str = "balance_as_of";

/// One row of a sector table, every value checked against the catalogue and ready to be bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub id: Uuid,
    pub source_id: String,
    /// Catalogue fields by name, in the form that `jsonb_to_recordset` reads.
    pub columns: Map<String, Value>,
    /// References still to be looked up: field and the device's own name for the parent.
    pub references: Vec<(String, String)>,
    /// Fields that the catalogue does not know, as sent.
    pub extra: Option<Map<String, Value>>,
    pub raw: Option<Value>,
    pub updated_at: Option<DateTime<Utc>>,
}

impl Row {
    /// Hangs a part on the record that carries it; `link` is the field that refers back.
    pub fn hang_on(&mut self, owner: &Row, link: &Field) {
        let name = match link.kind {
            Kind::Id => owner.id.to_string(),
            _ => owner.source_id.clone(),
        };
        self.columns.insert(link.name.to_owned(), name.into());
    }

    /// Whether both say the balance of one account at two times: each is kept, so that one may not stand for the other.
    pub fn is_of_another_time(&self, other: &Row) -> bool {
        let time = |row: &Row| {
            row.columns
                .get(BALANCE_TIME)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        matches!((time(self), time(other)), (Some(one), Some(other)) if one != other)
    }
}

/// A record with the rows it nests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Root {
    /// Its place in the push, from 0.
    pub index: usize,
    pub row: Row,
    /// Parents by the field that refers to them.
    pub parents: Vec<(String, Row)>,
    /// What the parents nest themselves, by its table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<(String, Row)>,
    /// Parts by their name in the record; a list that is present is the whole list.
    pub parts: Vec<(String, Vec<Row>)>,
}

impl Root {
    /// Whether both say the same, wherever they stand.
    pub fn says_the_same(&self, other: &Root) -> bool {
        (&self.row, &self.parents, &self.ancestors, &self.parts)
            == (&other.row, &other.parents, &other.ancestors, &other.parts)
    }
}

/// A record that the device says is gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deletion {
    pub source_id: String,
    pub updated_at: Option<DateTime<Utc>>,
}

/// What the transaction is to do next, in the order of the push.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Step {
    Store(Box<Root>),
    Delete(Deletion),
}
