use sextant_actors::domain::Sector;

use super::Field;

/// When the source last changed a record, as every record says it.
pub const UPDATED_AT: &str = "updated_at";
/// What that was called.
pub const FORMER_UPDATED_AT: &str = "source_updated_at";

/// Where a table's rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Devices may push them; sources may bring them too.
    Pushed,
    /// Only as parent or part of a pushed record, or from a source.
    Brought,
    /// The service makes them from other tables.
    Derived,
    /// A view over other tables.
    View,
}

/// Records that a pushed record may carry inside itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name in the pushed record, such as `attachments`.
    pub name: &'static str,
    /// The table they go to, in the same sector.
    pub table: &'static str,
    /// The part's field that refers back to the record.
    pub link: &'static str,
}

/// Sums of a table's rows by month, which the database keeps beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Months {
    /// Their table in the schema `sums`: it has columns of the names below, and `rows`.
    pub name: &'static str,
    /// The date by which rows belong to a month, in a sum the month's first day.
    pub day: &'static str,
    /// What is summed up. The rows of one sum have one sign in it.
    pub amount: &'static str,
    /// In these, as in their connection, the rows of one sum are alike.
    pub alike: &'static [&'static str],
}

/// A required day that the service makes for records that tell none, where they need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeDay {
    /// The day.
    pub day: &'static str,
    /// The field that says of which source it was made; null where the record told it.
    pub made_of: &'static str,
    /// The records that need not tell it: a field, and its value in them.
    pub may_lack: (&'static str, &'static str),
    /// What it is made of, the best first: fields of the record, and last the word for the day on which it was first seen.
    pub sources: &'static [&'static str],
}

/// Records that their natural field names, and that are told apart where another has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namesakes {
    /// Two that differ in one of these are two, and not one that has changed.
    pub told_apart_by: &'static [&'static str],
    /// The field that is true in records that do change in those.
    pub unless: &'static str,
}

/// One table (a target) of one sector.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    pub sector: Sector,
    pub name: &'static str,
    pub about: &'static str,
    pub origin: Origin,
    pub fields: &'static [Field],
    /// How rows are ordered when nothing else is asked, in the words of `order_by`: `-` is descending.
    pub default_order: &'static [&'static str],
    /// The field that names a record when the device sends no `id`.
    pub natural: Option<&'static str>,
    /// Groups of fields of which a record must carry at least one.
    pub one_of: &'static [&'static [&'static str]],
    pub parts: &'static [Part],
    /// What devices push is kept apart as evidence; the table's own rows are made of it and of other tables.
    pub is_merged: bool,
    /// Questions for whole months are answered from these.
    pub months: Option<&'static Months>,
    pub made_day: Option<&'static MadeDay>,
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
            made_day: None,
            namesakes: None,
        }
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

    pub(super) const fn made_day(mut self, made: &'static MadeDay) -> Self {
        self.made_day = Some(made);
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

    /// The field `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The present name of what was called `former` in exports of version 1, be it a field or what every record has.
    pub fn renamed(&self, former: &str) -> Option<&'static str> {
        let mut fields = self.fields.iter();
        let field = fields.find(|field| field.formerly == Some(former));
        let common = (former == FORMER_UPDATED_AT).then_some(UPDATED_AT);
        field.map(|field| field.name).or(common)
    }

    /// Whether a push connection may be made for it.
    pub fn is_pushable(&self) -> bool {
        self.origin == Origin::Pushed
    }

    /// Whether it holds rows of its own.
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
