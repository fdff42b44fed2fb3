//! One key of `group_by`: a field, or the interval of local time that its value falls in.

use crate::catalog::{Kind, Table};
use crate::query::check::names;
use crate::query::column::{self, Column};
use crate::query::fault::{CallFault, quoted};
use crate::query::nearest::nearest;

/// An interval of time in the operator's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    Hour,
    Day,
    /// From Monday.
    Week,
    Month,
    Quarter,
    Year,
    /// 1 is Monday, 7 is Sunday (ISO 8601).
    Weekday,
}

/// The fault of a bucket without a field: the table's main time is meant.
fn fault_of_bare_bucket(table: &Table, name: &str, fault: CallFault) -> CallFault {
    let is_bucket = |bucket: &Bucket| bucket.name() == name;
    let bucket = Bucket::ALL.into_iter().find(is_bucket);
    let time = column::main_time(table).filter(|_| Column::find(table, name).is_none());
    match bucket.zip(time) {
        Some((bucket, time)) => {
            let right = format!("{}:{}", time.name, bucket.name());
            let text = format!("{} is a bucket of a time, such as {right}", quoted(name));
            CallFault::new(text).replace_word("group_by", name, &right)
        }
        None => fault,
    }
}

/// The fault of a bucket that is written as a function, as in SQL: `month(booked_on)`.
fn fault_of_function(table: &Table, name: &str, fault: CallFault) -> CallFault {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = name.split(|letter| !is_word(letter));
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let bucket = words.iter().find_map(|word| {
        let mut buckets = Bucket::ALL.into_iter().map(Bucket::name);
        buckets.find(|bucket| word == bucket || word == "date" && *bucket == Bucket::Day.name())
    });
    let column = words
        .iter()
        .filter_map(|word| Column::find(table, word))
        .next_back();
    match bucket.zip(column.filter(|_| name.contains('('))) {
        Some((bucket, column)) => {
            let right = format!("{}:{bucket}", column.name);
            let text = format!("{} is written as {right}", quoted(name));
            CallFault::new(text).replace_word("group_by", name, &right)
        }
        None => fault,
    }
}

impl Bucket {
    const ALL: [Self; 7] = [
        Self::Hour,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Quarter,
        Self::Year,
        Self::Weekday,
    ];

    /// The bucket that was probably meant by `word`.
    fn near(word: &str) -> &'static str {
        match word.to_lowercase().as_str() {
            "hourly" | "hr" => Self::Hour.name(),
            "daily" | "date" => Self::Day.name(),
            "dow" | "day_of_week" => Self::Weekday.name(),
            other => nearest(other, Self::ALL.map(Self::name)).unwrap_or("day"),
        }
    }

    /// The word after the colon, which `date_trunc` knows too, except for the weekday.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Weekday => "weekday",
        }
    }
}

/// A value that the rows of one group have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupKey {
    /// As the request names it: `booked_on:month`.
    pub name: String,
    pub column: Column,
    pub bucket: Option<Bucket>,
}

impl GroupKey {
    /// The key of the column's own values.
    pub fn whole(column: Column) -> Self {
        Self {
            name: column.name.to_owned(),
            column,
            bucket: None,
        }
    }

    /// Reads `field` or `field:bucket`.
    ///
    /// # Errors
    /// For an unknown field or bucket, and one that does not fit the other.
    pub(super) fn parse(table: &Table, name: &str) -> Result<Self, CallFault> {
        let Some((field, word)) = name.split_once(':') else {
            return Self::field(table, name).map_err(|fault| {
                fault_of_function(table, name, fault_of_bare_bucket(table, name, fault))
            });
        };
        let column = Column::find(table, field).ok_or_else(|| unknown(table, name, field))?;
        let right = |bucket: &str| format!("{field}:{bucket}");
        let Some(bucket) = Bucket::ALL.into_iter().find(|bucket| bucket.name() == word) else {
            let names = Bucket::ALL.map(Bucket::name);
            let near = Bucket::near(word);
            let text = format!(
                "{} is no bucket; the nearest is {near}; there are: {}",
                quoted(word),
                names.join(", ")
            );
            return Err(CallFault::new(text).replace_word("group_by", name, &right(near)));
        };
        match (column.kind, bucket) {
            (Kind::Date, Bucket::Hour) => {
                let text = format!("`{field}` is a date, which has no hour");
                Err(CallFault::new(text).replace_word("group_by", name, &right("day")))
            }
            (Kind::Date | Kind::Timestamp, bucket) => Ok(Self {
                name: name.to_owned(),
                column,
                bucket: Some(bucket),
            }),
            (kind, _) => {
                let text = format!("`{field}` is {}, which has no buckets", kind.name());
                Err(CallFault::new(text).replace_word("group_by", name, field))
            }
        }
    }

    fn field(table: &Table, name: &str) -> Result<Self, CallFault> {
        let column = names::find(table, name)?;
        if !column.is_orderable() {
            let text = format!("`{name}` is {}, which makes no groups", column.kind.name());
            return Err(CallFault::new(text).without_item("group_by", name));
        }
        Ok(Self::whole(column))
    }

    /// The kind of its values.
    pub fn kind(&self) -> Kind {
        match self.bucket {
            None => self.column.kind,
            Some(Bucket::Hour) => Kind::Timestamp,
            Some(Bucket::Weekday) => Kind::Integer,
            Some(_) => Kind::Date,
        }
    }

    /// Whether it is an hour, which an answer writes with its UTC offset.
    pub fn is_hour(&self) -> bool {
        self.bucket == Some(Bucket::Hour)
    }

    /// What the answer has to say about its values.
    pub(super) fn note(&self) -> Option<String> {
        let bucket = self.bucket?;
        let meaning = match bucket {
            Bucket::Weekday => "1 is Monday, 7 is Sunday".to_owned(),
            Bucket::Hour | Bucket::Day => return None,
            Bucket::Week | Bucket::Month | Bucket::Quarter | Bucket::Year => {
                format!("the first day of the {}", bucket.name())
            }
        };
        Some(format!("`{}`: {meaning}", self.name))
    }
}

fn unknown(table: &Table, name: &str, field: &str) -> CallFault {
    let times = column::all(table)
        .filter(|column| matches!(column.kind, Kind::Date | Kind::Timestamp))
        .map(|column| column.name);
    let near = table.renamed(field).or_else(|| nearest(field, times));
    let right = near.unwrap_or("as_of");
    let text = format!(
        "{} has no field {}; the nearest time is {right}, get_schema lists all",
        table.target(),
        quoted(field)
    );
    CallFault::new(text).replace_word("group_by", name, &name.replacen(field, right, 1))
}
