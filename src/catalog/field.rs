//! What the catalogue says of a field: its kind, and its properties for query, search and push.

/// The type of a field's values, and so how they are stored, compared and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    BigInteger,
    Float,
    /// Exact, with this many digits after the point at the most.
    Decimal {
        scale: u32,
    },
    Boolean,
    /// A calendar day.
    Date,
    /// An instant; answers write it as RFC 3339 in UTC.
    Timestamp,
    /// A reference to a record of the same sector.
    Id,
    Json,
    TextList,
    IntegerList,
}

impl Kind {
    /// The word that `get_schema` uses.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Integer | Kind::BigInteger => "integer",
            Kind::Float => "number",
            Kind::Decimal { .. } => "decimal",
            Kind::Boolean => "boolean",
            Kind::Date => "date",
            Kind::Timestamp => "timestamp",
            Kind::Id => "id",
            Kind::Json => "json",
            Kind::TextList => "text list",
            Kind::IntegerList => "integer list",
        }
    }

    /// The relative cost of reading one value; that of a number is 1.
    const fn cost(self) -> u64 {
        match self {
            Kind::Text | Kind::IntegerList => 2,
            Kind::TextList => 4,
            Kind::Json => 8,
            _ => 1,
        }
    }
}

/// The relative cost of reading one long text: PostgreSQL stores it out of line and compressed.
const LONG_TEXT_COST: u64 = 16;

/// The weight of a field in the ranking of full-text search: PostgreSQL's four classes, A being the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    A,
    B,
    C,
    D,
}

/// A field that holds another record's id; a push may give the device's own id of that record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The table referred to, in the same sector.
    pub table: &'static str,
    /// The name under which a pushed record may nest the whole parent, such as `account`.
    pub nested: Option<&'static str>,
    /// Whether a deleted record is referred to as well.
    pub may_be_gone: bool,
}

/// The columns of a field of which one is served and the other kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitColumns {
    /// What the source tells.
    pub told: &'static str,
    /// What is served in its place; null where that is what the source tells.
    pub merged: &'static str,
}

/// One field of a table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    /// Its name in exports of version 1. A push with that name is refused, and the problem says the present one.
    pub formerly: Option<&'static str>,
    pub kind: Kind,
    /// What it holds, a sentence for `get_schema`.
    pub about: &'static str,
    /// The unit of a number: `minutes`, `kcal`, `percent`.
    pub unit: Option<&'static str>,
    /// A record without it is refused.
    pub required: bool,
    /// Full-text search reads it.
    pub searchable: Option<Weight>,
    /// Other people wrote it: answers mark it as data, never as instructions.
    pub untrusted: bool,
    /// It holds HTML: agents get its visible text.
    pub is_html: bool,
    /// The only values allowed; empty allows all.
    pub values: &'static [&'static str],
    /// It has few values, none of them personal: `get_schema` lists those that occur.
    pub is_kind: bool,
    pub reference: Option<Reference>,
    /// A field of another table with the same values, where this one is no reference: `threads.thread_id`.
    pub meets: Option<&'static str>,
    /// The fields with its unit of measurement: values with different units cannot be added.
    pub measured_in: &'static [&'static str],
    /// The relative cost of reading one value, a number's being 1. The cost of a query is estimated from it.
    pub cost: u64,
    /// The columns of which the column of the field's own name is generated, where what is served may be another than what is told.
    pub split: Option<SplitColumns>,
}

impl Field {
    const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self {
            name,
            formerly: None,
            kind,
            about,
            unit: None,
            required: false,
            searchable: None,
            untrusted: false,
            is_html: false,
            values: &[],
            is_kind: false,
            reference: None,
            meets: None,
            measured_in: &[],
            cost: kind.cost(),
            split: None,
        }
    }

    pub(super) const fn text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Text, about)
    }

    pub(super) const fn integer(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Integer, about)
    }

    pub(super) const fn big_integer(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::BigInteger, about)
    }

    pub(super) const fn float(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Float, about)
    }

    /// Money: four digits after the point, in the currency beside it.
    pub(super) const fn money(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Decimal { scale: 4 }, about).measured_in(&["currency"])
    }

    /// A quantity of shares or coins: ten digits after the point.
    pub(super) const fn quantity(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Decimal { scale: 10 }, about)
    }

    pub(super) const fn boolean(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Boolean, about)
    }

    pub(super) const fn date(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Date, about)
    }

    pub(super) const fn timestamp(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Timestamp, about)
    }

    pub(super) const fn json(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Json, about)
    }

    pub(super) const fn text_list(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::TextList, about)
    }

    pub(super) const fn integer_list(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::IntegerList, about)
    }

    /// A reference to `table`; a pushed record may nest the parent as `nested`.
    pub(super) const fn reference(
        name: &'static str,
        table: &'static str,
        nested: Option<&'static str>,
        about: &'static str,
    ) -> Self {
        let mut field = Self::new(name, Kind::Id, about);
        field.reference = Some(Reference {
            table,
            nested,
            may_be_gone: false,
        });
        field
    }

    /// A reference to a record that may be deleted.
    pub(super) const fn may_be_gone(mut self) -> Self {
        if let Some(reference) = &mut self.reference {
            reference.may_be_gone = true;
        }
        self
    }

    /// What the source tells and what is served in its place are stored in columns of their own.
    pub(super) const fn split(mut self, columns: SplitColumns) -> Self {
        self.split = Some(columns);
        self
    }

    /// The column that a source writes.
    pub const fn told_column(&self) -> &'static str {
        match self.split {
            Some(columns) => columns.told,
            None => self.name,
        }
    }

    pub(super) const fn formerly(mut self, name: &'static str) -> Self {
        self.formerly = Some(name);
        self
    }

    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    pub(super) const fn measured_in(mut self, fields: &'static [&'static str]) -> Self {
        self.measured_in = fields;
        self
    }

    pub(super) const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub(super) const fn searchable(mut self, weight: Weight) -> Self {
        self.searchable = Some(weight);
        self
    }

    pub(super) const fn untrusted(mut self) -> Self {
        self.untrusted = true;
        self
    }

    pub(super) const fn one_of(mut self, values: &'static [&'static str]) -> Self {
        self.values = values;
        self.is_kind = true;
        self
    }

    /// Marks its text as possibly long, which raises its cost.
    pub(super) const fn long(mut self) -> Self {
        self.cost = LONG_TEXT_COST;
        self
    }

    pub(super) const fn html(mut self) -> Self {
        self.is_html = true;
        self
    }

    pub(super) const fn kind(mut self) -> Self {
        self.is_kind = true;
        self
    }

    pub(super) const fn meets(mut self, field: &'static str) -> Self {
        self.meets = Some(field);
        self
    }
}
