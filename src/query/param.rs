//! The typed values that a statement binds: the only form in which anything an agent sent reaches PostgreSQL.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

/// One bound value, or a list of one type.
#[derive(Clone, PartialEq)]
pub enum Param {
    Text(String),
    Integer(i64),
    Float(f64),
    Decimal(Decimal),
    Boolean(bool),
    Date(NaiveDate),
    Time(DateTime<Utc>),
    Id(Uuid),
    Texts(Vec<String>),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Decimals(Vec<Decimal>),
    Booleans(Vec<bool>),
    Dates(Vec<NaiveDate>),
    Times(Vec<DateTime<Utc>>),
    Ids(Vec<Uuid>),
}

impl Param {
    /// The type that a statement declares for the parameter.
    pub fn sql_type(&self) -> Type {
        match self {
            Param::Text(_) => Type::TEXT,
            Param::Integer(_) => Type::INT8,
            Param::Float(_) => Type::FLOAT8,
            Param::Decimal(_) => Type::NUMERIC,
            Param::Boolean(_) => Type::BOOL,
            Param::Date(_) => Type::DATE,
            Param::Time(_) => Type::TIMESTAMPTZ,
            Param::Id(_) => Type::UUID,
            Param::Texts(_) => Type::TEXT_ARRAY,
            Param::Integers(_) => Type::INT8_ARRAY,
            Param::Floats(_) => Type::FLOAT8_ARRAY,
            Param::Decimals(_) => Type::NUMERIC_ARRAY,
            Param::Booleans(_) => Type::BOOL_ARRAY,
            Param::Dates(_) => Type::DATE_ARRAY,
            Param::Times(_) => Type::TIMESTAMPTZ_ARRAY,
            Param::Ids(_) => Type::UUID_ARRAY,
        }
    }

    /// The value as the driver takes it.
    pub fn as_sql(&self) -> &(dyn ToSql + Sync) {
        match self {
            Param::Text(value) => value,
            Param::Integer(value) => value,
            Param::Float(value) => value,
            Param::Decimal(value) => value,
            Param::Boolean(value) => value,
            Param::Date(value) => value,
            Param::Time(value) => value,
            Param::Id(value) => value,
            Param::Texts(values) => values,
            Param::Integers(values) => values,
            Param::Floats(values) => values,
            Param::Decimals(values) => values,
            Param::Booleans(values) => values,
            Param::Dates(values) => values,
            Param::Times(values) => values,
            Param::Ids(values) => values,
        }
    }

    /// Single values of one type as a list; `None` if the types differ or there is no value.
    pub fn list(values: Vec<Param>) -> Option<Param> {
        let mut lists = values.into_iter().map(Param::into_list);
        let first = lists.next()?;
        lists.try_fold(first, Param::join)
    }

    fn into_list(self) -> Param {
        match self {
            Param::Text(value) => Param::Texts(vec![value]),
            Param::Integer(value) => Param::Integers(vec![value]),
            Param::Float(value) => Param::Floats(vec![value]),
            Param::Decimal(value) => Param::Decimals(vec![value]),
            Param::Boolean(value) => Param::Booleans(vec![value]),
            Param::Date(value) => Param::Dates(vec![value]),
            Param::Time(value) => Param::Times(vec![value]),
            Param::Id(value) => Param::Ids(vec![value]),
            list => list,
        }
    }

    fn join(self, other: Param) -> Option<Param> {
        let joined = match (self, other) {
            (Param::Texts(left), Param::Texts(right)) => Param::Texts(concat(left, right)),
            (Param::Integers(left), Param::Integers(right)) => Param::Integers(concat(left, right)),
            (Param::Floats(left), Param::Floats(right)) => Param::Floats(concat(left, right)),
            (Param::Decimals(left), Param::Decimals(right)) => Param::Decimals(concat(left, right)),
            (Param::Booleans(left), Param::Booleans(right)) => Param::Booleans(concat(left, right)),
            (Param::Dates(left), Param::Dates(right)) => Param::Dates(concat(left, right)),
            (Param::Times(left), Param::Times(right)) => Param::Times(concat(left, right)),
            (Param::Ids(left), Param::Ids(right)) => Param::Ids(concat(left, right)),
            _ => return None,
        };
        Some(joined)
    }
}

fn concat<T>(mut left: Vec<T>, right: Vec<T>) -> Vec<T> {
    left.extend(right);
    left
}

/// Shows the type only: a value may be personal.
impl fmt::Debug for Param {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Param({})", self.sql_type())
    }
}
