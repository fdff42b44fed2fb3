//! The result of a query, read from the database and not yet written as an answer.

use uuid::Uuid;

use super::provenance::Provenance;
use super::raw_row::RawRow;

/// One row: the selected cells, and its position in the order.
#[derive(Clone)]
pub(crate) struct PageRow {
    /// In the order of the selected columns, then the values of the order's keys; groups have none of these.
    pub cells: RawRow,
    /// Its id, when it was deleted or no longer matches; only in answers to `changed_since`.
    pub deleted_id: Option<Uuid>,
}

/// One page of a result.
#[derive(Clone)]
pub(crate) struct ResultPage {
    /// At most `limit` rows or groups.
    pub rows: Vec<PageRow>,
    /// There are more after the last.
    pub has_more: bool,
    /// How many match in all, when they were counted or are all on this page.
    pub matched: Option<i64>,
    /// No row of the table matches, or none after the previous page.
    pub is_empty: bool,
    /// The table holds rows at all.
    pub has_rows: bool,
    /// The watermark before which every change is in these rows, and the sector's connections.
    pub provenance: Provenance,
    /// When no row matches: the values of those fields of few values that a condition tests.
    pub kinds: Vec<FieldValues>,
}

impl ResultPage {
    /// How many bytes the cells of its rows take.
    pub(crate) fn cells_bytes(&self) -> usize {
        self.rows.iter().map(|row| row.cells.bytes()).sum()
    }
}

/// The values that occur in one field of few values (`is_kind` in the catalogue), the most frequent first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FieldValues {
    pub field: &'static str,
    pub values: Vec<String>,
    /// How many there are, in `values` or not.
    pub total: i64,
}
