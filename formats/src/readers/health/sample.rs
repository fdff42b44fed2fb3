//! `Record` to `health.samples`.

use chrono::{DateTime, Utc};
use serde_json::{Number, Value};

use super::device::Devices;
use super::element::HealthElement;
use super::item::META;
use super::metrics;
use super::times::{SampleSpan, format_instant};
use super::values;
use crate::entry::RecordFields;
use crate::entry::identity::RecentIdentities;

/// Under this key apps name the zone in which they measured.
const ZONE_KEY: &str = "HKTimeZone";
/// Under these keys apps keep their own id of a measurement.
const EXTERNAL_KEYS: [&str; 2] = ["HKExternalUUID", "HKMetadataKeySyncIdentifier"];
/// Where a category's own word stands in a sample's `meta`.
const CATEGORY_KEY: &str = "category_value";

/// What else is said of an entry.
pub(super) fn meta_of(parts: &[HealthElement]) -> RecordFields {
    let entries = parts.iter().filter(|part| part.name == META);
    let pairs = entries.filter_map(|part| Some((part.get("key")?, part.get("value")?)));
    pairs
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect()
}

/// The zone that an entry names.
pub(super) fn zone_of(meta: &RecordFields) -> Option<&str> {
    meta.get(ZONE_KEY).and_then(Value::as_str)
}

/// The record of a sample.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(
    element: &HealthElement,
    parts: &[HealthElement],
    devices: &mut Devices,
    identities: &mut RecentIdentities,
) -> Result<RecordFields, String> {
    let identifier = element.get("type").ok_or("it has no type")?;
    if identifier.len() > metrics::NAME_BYTES_MAX {
        return Err("its type is too long to be the name of anything".to_owned());
    }
    let mut meta = meta_of(parts);
    let span = SampleSpan::read(element, zone_of(&meta))?;
    let metric = metrics::name(identifier);
    let (value, unit) = match metrics::is_category(identifier) {
        true => category(&metric, element, &span, &mut meta)?,
        false => quantity(&metric, element)?,
    };
    let mut fields = RecordFields::new();
    let id = id_of(element, &span, identities);
    fields.insert("id".to_owned(), id.into());
    fields.insert("metric".to_owned(), metric.into());
    fields.insert("value".to_owned(), Value::Number(value));
    fields.insert("unit".to_owned(), unit.into());
    add_times(&span, &mut fields);
    if let Some(external) = EXTERNAL_KEYS.iter().find_map(|key| meta.get(*key)) {
        fields.insert("external_id".to_owned(), external.clone());
    }
    if !meta.is_empty() {
        fields.insert("meta".to_owned(), Value::Object(meta));
    }
    devices.add_device(element, &mut fields);
    Ok(fields)
}

/// Start, end and offset, as all tables of the sector have them.
pub(super) fn add_times(span: &SampleSpan, fields: &mut RecordFields) {
    fields.insert("start_at".to_owned(), format_instant(span.start).into());
    if let Some(end) = span.end {
        fields.insert("end_at".to_owned(), format_instant(end).into());
    }
    fields.insert("zone_offset".to_owned(), span.offset.to_string().into());
}

/// An export has no keys. What was measured, by whom, when and how much is what it is; the rest may be different
/// in the next export, such as the offset, if the phone is in another zone by then.
pub(super) fn id_of(
    element: &HealthElement,
    span: &SampleSpan,
    identities: &mut RecentIdentities,
) -> String {
    let time = |at: DateTime<Utc>| at.timestamp_millis().to_string();
    identities.id_from_parts(&[
        &element.name,
        kind_of(element).unwrap_or_default(),
        element.get("sourceName").unwrap_or_default(),
        &time(span.start),
        &span.end.map(time).unwrap_or_default(),
        element.get("value").unwrap_or_default(),
    ])
}

fn kind_of(element: &HealthElement) -> Option<&str> {
    element
        .get("type")
        .or_else(|| element.get("workoutActivityType"))
}

fn quantity(metric: &str, element: &HealthElement) -> Result<(Number, String), String> {
    let value = element.get("value").ok_or("it has no value")?;
    let unit = element.get("unit").ok_or("it has no unit")?;
    let (value, unit) = values::measurement(metric, value, unit)?;
    Ok((value, unit.into_owned()))
}

fn category(
    metric: &str,
    element: &HealthElement,
    span: &SampleSpan,
    meta: &mut RecordFields,
) -> Result<(Number, String), String> {
    let category = metrics::category(metric, element.get("value"), minutes(span));
    let value = Number::from_f64(category.value).ok_or("its value cannot be kept")?;
    if let Some(word) = category.word {
        meta.insert(CATEGORY_KEY.to_owned(), word.into());
    }
    Ok((value, category.unit.to_owned()))
}

fn minutes(span: &SampleSpan) -> Option<f64> {
    let length = span.end?.signed_duration_since(span.start);
    Some(length.num_milliseconds() as f64 / 60_000.0)
}
