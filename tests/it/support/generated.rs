//! Records of any pushable table, made from the catalogue: every field that a device may send, with its parents and parts.

use chrono::{DateTime, Days, NaiveDate, TimeDelta};
use serde_json::{Map, Value, json};
use sextant::catalog::{self, Field, Kind, Table};

/// Minutes between two records.
const STEP_MINUTES: i64 = 10;
/// Parents that the records of a table share.
const PARENTS: u32 = 20;
/// Records that are of one day.
const RECORDS_OF_A_DAY: u32 = 20;
/// Fields that say of a record that it is another's exception, a day, or made by the service.
const LEFT_OUT: [&str; 10] = [
    "recurrence_id",
    "series_source_id",
    "start_date",
    "end_date",
    "booked_on_from",
    "replaces_id",
    "birthday_year",
    "body_truncated",
    "has_attachment",
    "score_state",
];

/// The tables that take pushes.
pub fn pushable() -> impl Iterator<Item = &'static Table> {
    catalog::tables().filter(|table| table.is_pushable())
}

/// The record of this number, the same at each call and unlike that of any other number.
pub fn record(table: &Table, number: u32) -> Value {
    let mut record = fields(table, number);
    record.insert("id".to_owned(), format!("{} {number}", table.name).into());
    // A day has one record.
    if table.natural == Some("day") {
        record.insert("day".to_owned(), day(number).to_string().into());
        record.remove("id");
    }
    for part in table.parts.iter().filter(|part| part.table != table.name) {
        let part_table = catalog::table(table.sector, part.table).unwrap();
        let mut each = fields(part_table, number);
        each.insert("id".to_owned(), format!("part of {number}").into());
        record.insert(part.name.to_owned(), json!([each]));
    }
    record.into()
}

fn fields(table: &Table, number: u32) -> Map<String, Value> {
    let sent = table.fields.iter().filter(|f| !LEFT_OUT.contains(&f.name));
    sent.filter_map(|field| member(table, field, number))
        .collect()
}

fn member(table: &Table, field: &Field, number: u32) -> Option<(String, Value)> {
    let Some(reference) = field.reference else {
        return Some((field.name.to_owned(), value(field, number)));
    };
    let parent = catalog::table(table.sector, reference.table).unwrap();
    let name = reference.nested?;
    let number = number % PARENTS;
    let mut nested: Map<String, Value> = fields(parent, number);
    nested.retain(|name, _| parent.field(name).is_some_and(|field| field.required));
    nested.insert("source_id".to_owned(), format!("{name} {number}").into());
    nested.insert("name".to_owned(), format!("{name} {number}").into());
    nested.retain(|name, _| name == "source_id" || parent.field(name).is_some());
    let known = [("provider", "generated"), ("entity_id", "sensor.generated")];
    for (field, text) in known.iter().filter(|known| parent.field(known.0).is_some()) {
        nested.insert((*field).to_owned(), format!("{text}{number}").into());
    }
    Some((name.to_owned(), nested.into()))
}

fn value(field: &Field, number: u32) -> Value {
    if let Some(first) = field.values.first() {
        return (*first).into();
    }
    match (field.name, field.kind) {
        ("zone_offset", _) => "+01:00".into(),
        ("time_zone", _) => "Europe/Vienna".into(),
        ("currency", _) => "EUR".into(),
        ("metric", _) => "steps".into(),
        ("unit", _) => "count".into(),
        ("rrule", _) => json!(["RRULE:FREQ=WEEKLY;COUNT=3"]),
        ("is_all_day" | "is_daily_total", _) => false.into(),
        (_, Kind::Date) => day(number / RECORDS_OF_A_DAY).to_string().into(),
        (name, Kind::Timestamp) => moment(number, name.starts_with("end")).into(),
        (_, Kind::Text) if field.is_kind => format!("kind {}", number % 10).into(),
        (name, Kind::Text) => format!("{name} {number}").into(),
        (_, Kind::Integer | Kind::BigInteger) => (number % 12 + 1).into(),
        (_, Kind::Float) => f64::from(number % 100).into(),
        (_, Kind::Decimal { .. }) => json!(format!("{}.25", number % 1_000)),
        (_, Kind::Boolean) => (number.is_multiple_of(2)).into(),
        (name, Kind::Json) => json!({ name: number }),
        (name, Kind::TextList) => json!([format!("{name} {number}")]),
        (_, Kind::IntegerList) => json!([number % 12, 1]),
        (_, Kind::Id) => Value::Null,
    }
}

fn day(number: u32) -> NaiveDate {
    NaiveDate::default() + Days::new(number.into())
}

fn moment(number: u32, is_end: bool) -> String {
    let minutes = i64::from(number) * STEP_MINUTES + i64::from(is_end);
    (DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)).to_rfc3339()
}
