//! What a question brought from the database, before it is written as an answer.

use serde_json::Value;
use uuid::Uuid;

use super::param::Param;
use super::provenance::Provenance;

/// One row: the selected cells, and where it stands in the order.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRow {
    pub cells: Vec<Value>,
    pub keys: Vec<Option<Param>>,
    /// Its id, when it was deleted or does not match any more; told of changes only.
    pub deleted_id: Option<Uuid>,
}

/// What a query brought.
#[derive(Clone, Debug)]
pub struct ResultPage {
    /// At most `limit` rows or groups.
    pub rows: Vec<PageRow>,
    /// There are more behind the last.
    pub has_more: bool,
    /// How many match in all, when it was counted or is plain.
    pub matched: Option<i64>,
    /// No row of the table matches, or none behind the page before.
    pub is_empty: bool,
    /// The table holds rows at all; known when none matches.
    pub has_rows: bool,
    /// From which moment on changes are not in these rows, and the sector's connections.
    pub provenance: Provenance,
    /// When no row matches: the values of the kinds that a value was asked of.
    pub kinds: Vec<FieldValues>,
}

/// The values that occur in one field, the most frequent first.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValues {
    pub field: &'static str,
    pub values: Vec<String>,
    /// How many there are, told or not.
    pub total: i64,
}
