//! What the catalogue says of a table, beside its fields.

use sextant_actors::domain::Sector;

use super::{Field, Kind};

/// The field of every record that says when the source last changed it.
pub const UPDATED_AT: &str = "updated_at";
/// The name of that field in exports of version 1.
pub const FORMER_UPDATED_AT: &str = "source_updated_at";

/// Where a table's rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Devices push them; sources may deliver them too.
    Pushed,
    /// They come nested in a pushed record, as its parent or part, or from a source.
    Brought,
    /// The service derives them from other tables.
    Derived,
    /// A view over other tables.
    View,
}

/// A list of records that may be nested in a pushed record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name in the pushed record, such as `attachments`.
    pub name: &'static str,
    /// The table they are stored in, of the same sector.
    pub table: &'static str,
    /// The part's field that refers back to the record.
    pub link: &'static str,
}

/// Sums of a table's rows by month, which triggers of the database maintain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Months {
    /// Their table in the schema `sums`: it has columns with the names of the fields below, and `rows`, the number of rows.
    pub name: &'static str,
    /// A view of that table with the same columns and `sign`, -1, 0 or 1: the sums of rows whose amount has that sign.
    pub by_sign: &'static str,
    /// The date field by which rows are grouped; in the table of sums it holds the first day of the month.
    pub day: &'static str,
    /// The field that is summed.
    pub amount: &'static str,
    /// The other fields by which rows are grouped, beside their connection.
    pub alike: &'static [&'static str],
}

/// What a view groups: rows of another table of the sector, those of one connection that have one value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouped {
    pub table: &'static str,
    pub by: &'static str,
    /// The rows' time; the view is ordered by the last of each group.
    pub time: &'static str,
}

/// A required day that the service infers for certain records that were sent without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InferredDay {
    /// The field of the day.
    pub day: &'static str,
    /// The field that names the source of an inferred day; null where the day was sent.
    pub source: &'static str,
    /// The records that may be sent without the day: a field, and its value in them.
    pub applies_to: (&'static str, &'static str),
    /// The sources in the order of preference: fields of the record, and last the name for the day of the push.
    pub sources: &'static [&'static str],
}

/// Rules for records whose natural key is not unique: different records with the same key are distinguished and get ids of
/// their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namesakes {
    /// Two records that differ in one of these fields are different records, not two versions of one.
    pub distinguished_by: &'static [&'static str],
    /// The boolean field that is true in records to which this does not apply.
    pub unless: &'static str,
}

/// One table (a target) of one sector.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    pub sector: Sector,
    pub name: &'static str,
    /// What it holds, a sentence for `get_schema`.
    pub about: &'static str,
    pub origin: Origin,
    pub fields: &'static [Field],
    /// The default order of rows, as in `order_by`: `-` is descending.
    pub default_order: &'static [&'static str],
    /// The natural key: it identifies a record that was sent without `id`.
    pub natural: Option<&'static str>,
    /// Groups of fields of which a record must have at least one each.
    pub one_of: &'static [&'static [&'static str]],
    pub parts: &'static [Part],
    /// Pushed rows are stored in the schema `evidence`; the table's own rows are derived from them and from other tables.
    pub is_merged: bool,
    /// Sums by month, from which queries for whole months are answered.
    pub months: Option<&'static Months>,
    /// The rows that it groups, if it is a view.
    pub groups: Option<&'static Grouped>,
    /// Its tombstones go after a time (`crate::sync`), and change cursors that have not seen them are refused.
    pub is_purged: bool,
    /// A row may be one that another connection has too: then one of them is served, and the others are hidden (`crate::derived`).
    pub is_served_once: bool,
    pub inferred_day: Option<&'static InferredDay>,
    pub namesakes: Option<&'static Namesakes>,
}

impl Table {
    pub(super) const fn new(
        sector: Sector,
        name: &'static str,
        origin: Origin,
        about: &'static str,
        fields: &'static [Field],
    ) -> Self {
        Self {
            sector,
            name,
            about,
            origin,
            fields,
            default_order: &[],
            natural: None,
            one_of: &[],
            parts: &[],
            is_merged: false,
            months: None,
            groups: None,
            is_purged: false,
            is_served_once: false,
            inferred_day: None,
            namesakes: None,
        }
    }

    pub(super) const fn purged(mut self) -> Self {
        self.is_purged = true;
        self
    }

    pub(super) const fn served_once(mut self) -> Self {
        self.is_served_once = true;
        self
    }

    pub(super) const fn default_order(mut self, fields: &'static [&'static str]) -> Self {
        self.default_order = fields;
        self
    }

    pub(super) const fn natural(mut self, field: &'static str) -> Self {
        self.natural = Some(field);
        self
    }

    pub(super) const fn one_of(mut self, groups: &'static [&'static [&'static str]]) -> Self {
        self.one_of = groups;
        self
    }

    pub(super) const fn parts(mut self, parts: &'static [Part]) -> Self {
        self.parts = parts;
        self
    }

    pub(super) const fn merged(mut self) -> Self {
        self.is_merged = true;
        self
    }

    pub(super) const fn months(mut self, months: &'static Months) -> Self {
        self.months = Some(months);
        self
    }

    pub(super) const fn groups(mut self, groups: &'static Grouped) -> Self {
        self.groups = Some(groups);
        self
    }

    pub(super) const fn inferred_day(mut self, rule: &'static InferredDay) -> Self {
        self.inferred_day = Some(rule);
        self
    }

    pub(super) const fn namesakes(mut self, namesakes: &'static Namesakes) -> Self {
        self.namesakes = Some(namesakes);
        self
    }

    /// The qualified name, `sector.table`.
    pub fn target(&self) -> String {
        format!("{}.{}", self.sector, self.name)
    }

    /// The column with the time at which its source removed a row; `deleted_at` of a row that may be hidden is generated of it.
    pub const fn removed_column(&self) -> &'static str {
        match self.is_served_once {
            true => "removed_at",
            false => "deleted_at",
        }
    }

    /// Its columns beside those of its fields that say what is served in the place of what, if rows of it are served once.
    pub fn serving_columns(&self) -> impl Iterator<Item = (&'static str, Kind)> {
        let hidden = [("hidden_by", Kind::Id), ("hidden_at", Kind::Timestamp)];
        let hidden = hidden.into_iter().filter(|_| self.is_served_once);
        let merged = self.fields.iter().filter_map(|field| field.split);
        hidden.chain(merged.map(|columns| (columns.merged, Kind::Id)))
    }

    /// The field `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The present name of the field that was called `former` in exports of version 1.
    pub fn renamed(&self, former: &str) -> Option<&'static str> {
        let mut fields = self.fields.iter();
        let field = fields.find(|field| field.formerly == Some(former));
        let common = (former == FORMER_UPDATED_AT).then_some(UPDATED_AT);
        field.map(|field| field.name).or(common)
    }

    /// Whether a push connection may be created for it.
    pub fn is_pushable(&self) -> bool {
        self.origin == Origin::Pushed
    }

    /// Whether it stores rows, and is no view.
    pub fn is_stored(&self) -> bool {
        self.origin != Origin::View
    }

    /// The fields that full-text search reads.
    pub fn searchable(&self) -> impl Iterator<Item = &'static Field> {
        self.fields
            .iter()
            .filter(|field| field.searchable.is_some())
    }
}
