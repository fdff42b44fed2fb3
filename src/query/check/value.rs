//! Reads one value of a condition as its field's kind.

use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::catalog::{self, Kind, Table};
use crate::query::column::Column;
use crate::query::fault::{CallFault, quoted};
use crate::query::param::Param;
use crate::query::repair::values;
use crate::query::time::{LocalTime, ParsedTime};

/// The `limit` of a suggested call that looks up a record by its name.
const LOOKUP_ROWS_MAX: usize = 5;

/// A value as a condition compares it: a date against a timestamp is the whole local day.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TypedValue {
    Value(Param),
    WholeDay { start: Param, end: Param },
}

/// Reads `value` for `column`; a list is compared element by element, so its value is one element.
///
/// # Errors
/// Says what the field takes, and the nearest such value.
pub(super) fn read(
    column: &Column,
    value: &Value,
    time: &LocalTime,
) -> Result<TypedValue, UnfitValue> {
    typed(column.kind, value, time).ok_or_else(|| {
        let near = values::nearest(column, value, time);
        let nearest = near.filter(|near| typed(column.kind, near, time).is_some());
        UnfitValue {
            fault: unfit_fault(column, value, nearest.as_ref()),
            nearest,
        }
    })
}

/// A value that its field does not take, and the nearest one that it takes.
pub(super) struct UnfitValue {
    pub(super) fault: CallFault,
    pub(super) nearest: Option<Value>,
}

impl UnfitValue {
    /// Adds better corrections: a text that is no id may be the name of the record that the field refers to, so the call that
    /// finds that record is suggested; a number belongs to the numeric field beside a text (`state_num` beside `state`).
    pub(super) fn suggest_lookup(mut self, table: &Table, column: &Column, value: &Value) -> Self {
        if let Some(call) = lookup_call(table, column, value) {
            self.fault = self.fault.suggest(call);
        }
        if let Some(number) = number_field(table, column, value) {
            self.fault = self.fault.rename_field(column.name, number);
        }
        self
    }
}

fn lookup_call(table: &Table, column: &Column, value: &Value) -> Option<Value> {
    let name = value.as_str().filter(|_| column.kind == Kind::Id)?;
    let mut fields = table.fields.iter();
    let reference = fields.find(|field| field.name == column.name)?.reference?;
    let other = catalog::by_target(&format!("{}.{}", table.sector, reference.table))?;
    let natural = other.natural.map(|field| json!({ field: name }));
    let mut texts = other.searchable();
    let called = texts
        .next()
        .map(|field| json!({ field.name: { "contains": name } }));
    let either: Vec<Value> = natural.into_iter().chain(called).collect();
    (!either.is_empty()).then(
        || json!({"target": other.target(), "where": {"or": either}, "limit": LOOKUP_ROWS_MAX}),
    )
}

fn number_field(table: &Table, column: &Column, value: &Value) -> Option<&'static str> {
    let is_asked = value.is_number() && column.kind == Kind::Text;
    let name = format!("{}_num", column.name);
    let mut fields = table.fields.iter().filter(|_| is_asked);
    fields
        .find(|field| field.name == name)
        .map(|field| field.name)
}

fn typed(kind: Kind, value: &Value, time: &LocalTime) -> Option<TypedValue> {
    let param = match kind {
        Kind::Text | Kind::TextList | Kind::Json => Param::Text(clean(value.as_str()?)?),
        Kind::Integer | Kind::BigInteger | Kind::IntegerList => Param::Integer(value.as_i64()?),
        Kind::Float => Param::Float(value.as_f64().filter(|number| number.is_finite())?),
        Kind::Decimal { .. } => Param::Decimal(decimal(value)?),
        Kind::Boolean => Param::Boolean(value.as_bool()?),
        Kind::Id => Param::Id(value.as_str()?.parse().ok()?),
        Kind::Date => match time.parse(value.as_str()?)? {
            ParsedTime::Day(day) => Param::Date(day),
            ParsedTime::Instant(instant) => Param::Date(time.day_of(instant)),
        },
        Kind::Timestamp => match time.parse(value.as_str()?)? {
            ParsedTime::Instant(instant) => Param::Time(instant),
            ParsedTime::Day(day) => {
                let (start, end) = (time.start_of(day), time.end_of(day));
                return Some(TypedValue::WholeDay {
                    start: Param::Time(start),
                    end: Param::Time(end),
                });
            }
        },
    };
    Some(TypedValue::Value(param))
}

/// `text` unless it holds U+0000, which PostgreSQL cannot store, so that nothing could match.
fn clean(text: &str) -> Option<String> {
    (!text.contains('\0')).then(|| text.to_owned())
}

fn decimal(value: &Value) -> Option<Decimal> {
    let digits = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    Decimal::from_str_exact(&digits)
        .or_else(|_| Decimal::from_scientific(&digits))
        .ok()
}

fn unfit_fault(column: &Column, value: &Value, nearest: Option<&Value>) -> CallFault {
    let takes = match column.kind {
        Kind::Text | Kind::TextList | Kind::Json => "a string without U+0000",
        Kind::Integer | Kind::BigInteger | Kind::IntegerList => "a whole number",
        Kind::Float => "a number",
        Kind::Decimal { .. } => "a number of at most 28 digits",
        Kind::Boolean => "true or false",
        Kind::Id => {
            "an id: the uuid of a record, which the record's own table has in the column id"
        }
        Kind::Date => "a date such as 2026-01-31, or a relative one such as today-30d",
        Kind::Timestamp => {
            "RFC 3339 with its offset (2026-01-31T08:00:00Z), a date, or a relative time such as now-6h, today-30d, start_of_month"
        }
    };
    let sent = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let nearest = nearest.map_or_else(String::new, |nearest| format!("; the nearest is {nearest}"));
    CallFault::new(format!(
        "`{}` takes {takes}, not {}{nearest}",
        column.name,
        quoted(&sent)
    ))
}
