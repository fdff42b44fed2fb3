//! The columns that a query can name: the catalogue's fields of a table, and the four that every record has.

use crate::catalog::{self, Field, Kind, Table};

/// Where a column's value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the table's column of the same name.
    Stored,
    /// In the label of the record's connection.
    Label,
    /// In the time of the last sync.
    Synced,
}

/// One column of one table, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    pub location: Location,
    /// People other than the user wrote it: it is cleaned and fenced before an agent reads it.
    pub untrusted: bool,
    /// It holds HTML.
    pub is_html: bool,
    /// It is null in no row that is not deleted.
    pub is_required: bool,
    /// The only values that it takes; when empty, any.
    pub values: &'static [&'static str],
    /// The fields that hold its unit or currency.
    pub measured_in: &'static [&'static str],
    /// It holds the id of another record, and has an index.
    pub is_reference: bool,
    /// What it costs to test one value; a number costs 1.
    pub cost: u64,
}

/// The record's own id, unique within its sector.
pub(crate) const ID: Column = Column::common("id", Kind::Id, Location::Stored);
const CONNECTION: Column = Column::common("connection", Kind::Text, Location::Label);
const AS_OF: Column = Column::common("as_of", Kind::Timestamp, Location::Synced);
const UPDATED_AT: Column = Column {
    is_required: false,
    ..Column::common(catalog::UPDATED_AT, Kind::Timestamp, Location::Stored)
};

/// The columns of every record, whatever its table.
pub const COMMON: [Column; 4] = [ID, CONNECTION, AS_OF, UPDATED_AT];

/// The columns that `get_record` adds with `raw`: the record as its source sent it, and fields that have no column.
pub(crate) const SOURCE_COLUMNS: [Column; 2] = [Column::foreign("raw"), Column::foreign("extra")];

impl Column {
    const fn foreign(name: &'static str) -> Self {
        Self {
            untrusted: true,
            is_required: false,
            ..Self::common(name, Kind::Json, Location::Stored)
        }
    }

    const fn common(name: &'static str, kind: Kind, location: Location) -> Self {
        Self {
            name,
            kind,
            location,
            untrusted: false,
            is_html: false,
            is_required: true,
            values: &[],
            measured_in: &[],
            is_reference: false,
            cost: 1,
        }
    }

    /// The column of a catalogue field.
    pub const fn of(field: &Field) -> Self {
        Self {
            name: field.name,
            kind: field.kind,
            location: Location::Stored,
            untrusted: field.untrusted,
            is_html: field.is_html,
            is_required: field.required,
            values: field.values,
            measured_in: field.measured_in,
            is_reference: field.reference.is_some(),
            cost: field.cost,
        }
    }

    /// The column `name` of `table`.
    pub fn find(table: &Table, name: &str) -> Option<Self> {
        all(table).find(|column| column.name == name)
    }

    /// Whether it is a date or a time.
    pub const fn is_time(&self) -> bool {
        matches!(self.kind, Kind::Date | Kind::Timestamp)
    }

    /// Whether rows can be ordered by it.
    pub const fn is_orderable(&self) -> bool {
        !matches!(self.kind, Kind::Json | Kind::TextList | Kind::IntegerList)
    }
}

/// Every column of `table`: its id, its fields, then the connection and the two times.
pub fn all(table: &Table) -> impl Iterator<Item = Column> {
    let [id, further @ ..] = COMMON;
    std::iter::once(id)
        .chain(table.fields.iter().map(Column::of))
        .chain(further)
}

/// The date or time that `table` is ordered by, if it is; coverage and windows are ranges of it.
pub(crate) fn main_time(table: &Table) -> Option<Column> {
    let first = table.default_order.first()?;
    Column::find(table, first.trim_start_matches('-'))
        .filter(|column| matches!(column.kind, Kind::Date | Kind::Timestamp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_has_its_id_its_connection_and_its_stamps_once() {
        for table in catalog::tables() {
            for name in ["id", "connection", "as_of", "updated_at"] {
                assert_eq!(
                    all(table).filter(|column| column.name == name).count(),
                    1,
                    "{}.{name}",
                    table.target()
                );
            }
        }
    }
}
