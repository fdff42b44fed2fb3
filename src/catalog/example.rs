//! An example of a record of a table, as a device would push it: what is required, its parent, and a few fields more. A person who has
//! just made a connection tries it with this.

use serde_json::{Map, Value, json};

use super::field::{Field, Kind};
use super::table::Table;

/// Fields besides the required ones.
const FURTHER_MAX: usize = 3;
/// Its own key at the device.
const KEY: &str = "example-1";
const DAY: &str = "2026-01-15";
const INSTANT: &str = "2026-01-15T08:30:00Z";
const END: &str = "2026-01-15T09:00:00Z";

/// Words that make an example recognisable; any other text names its field.
const WORDS: [(&str, &str); 13] = [
    ("currency", "EUR"),
    ("description", "Coffee"),
    ("full_name", "Ada Lovelace"),
    ("given_name", "Ada"),
    ("family_name", "Lovelace"),
    ("summary", "Breakfast"),
    ("subject", "Breakfast"),
    ("metric", "steps"),
    ("unit", "count"),
    ("symbol", "EXMP"),
    ("sport_name", "walking"),
    ("domain", "sensor"),
    ("entity_id", "sensor.example"),
];
/// Fields that make a record another's exception, or a part of it, and not one by itself.
const LEFT_OUT: [&str; 5] = [
    "recurrence_id",
    "series_source_id",
    "booked_on_from",
    "zone_offset",
    "rrule",
];

/// The example of a table.
pub(crate) fn record(table: &Table) -> Value {
    let mut record = Map::new();
    if table.natural != Some("day") {
        record.insert("id".to_owned(), KEY.into());
    }
    let first_of_group = |field: &Field| {
        table
            .one_of
            .iter()
            .any(|group| group.first() == Some(&field.name))
    };
    let is_required = |field: &Field| field.required || first_of_group(field);
    let plain = |field: &&Field| !is_required(field) && is_plain(field);
    let further = table.fields.iter().filter(plain).take(FURTHER_MAX);
    let required = table.fields.iter().filter(|field| is_required(field));
    for field in required.chain(further) {
        record.insert(field.name.to_owned(), value(field));
    }
    if let Some((name, parent)) = parent(table) {
        record.insert(name.to_owned(), parent);
    }
    record.into()
}

/// The first parent that a record may nest.
fn parent(table: &Table) -> Option<(&'static str, Value)> {
    let reference = table.fields.iter().find_map(|field| field.reference)?;
    let parent = super::table(table.sector, reference.table)?;
    let mut nested = Map::from_iter([("source_id".to_owned(), json!("example"))]);
    let told = |field: &&Field| field.required || field.name == "name" || field.name == "entity_id";
    for field in parent.fields.iter().filter(told) {
        nested.insert(field.name.to_owned(), value(field));
    }
    Some((reference.nested?, nested.into()))
}

/// Whether its value can be read by itself.
fn is_plain(field: &Field) -> bool {
    let is_simple = !matches!(
        field.kind,
        Kind::Json | Kind::Id | Kind::TextList | Kind::IntegerList | Kind::Boolean
    );
    is_simple && field.reference.is_none() && !LEFT_OUT.contains(&field.name)
}

fn value(field: &Field) -> Value {
    if let Some(first) = field.values.first() {
        return (*first).into();
    }
    match field.kind {
        Kind::Text => text(field.name).into(),
        Kind::Integer | Kind::BigInteger => 1.into(),
        Kind::Float => json!(72.5),
        Kind::Decimal { .. } => json!("-3.80"),
        Kind::Boolean => true.into(),
        Kind::Date => DAY.into(),
        Kind::Timestamp if field.name.starts_with("end") => END.into(),
        Kind::Timestamp => INSTANT.into(),
        Kind::Id | Kind::Json => Value::Null,
        Kind::TextList => json!([text(field.name)]),
        Kind::IntegerList => json!([1]),
    }
}

fn text(name: &'static str) -> &'static str {
    let known = WORDS.iter().find(|(known, _)| *known == name);
    known.map_or("example", |(_, word)| word)
}
