//! `Workout` to `health.workouts`.
//!
//! Older exports say distance and energy in the workout's own attributes, newer ones in its statistics. What the
//! columns do not hold (how long it went without pauses, all statistics, all further metadata) is kept beside them.
//! Routes are files of their own, which are not read.

use serde_json::{Value, json};

use super::device::name_source;
use super::element::HealthElement;
use super::item::STATISTICS;
use super::metrics::{name, snake_case};
use super::sample::{add_times, id_of, meta_of, zone_of};
use super::times::SampleSpan;
use super::values::{MetricResult, kilojoules, meters, name_fault, number_attribute, seconds};
use crate::entry::RecordFields;
use crate::entry::identity::RecentIdentities;

const ACTIVITY: &str = "HKWorkoutActivityType";
const CLIMBED_KEY: &str = "HKElevationAscended";

/// The record of a workout.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(
    element: &HealthElement,
    parts: &[HealthElement],
    identities: &mut RecentIdentities,
) -> Result<RecordFields, String> {
    let activity = element
        .get("workoutActivityType")
        .ok_or("it has no workoutActivityType")?;
    let meta = meta_of(parts);
    let span = SampleSpan::read(element, zone_of(&meta))?;
    let statistics: Vec<_> = parts
        .iter()
        .filter(|part| part.name == STATISTICS)
        .collect();
    let of_heart = |name| match statistic(&statistics, |metric| metric == "heart_rate") {
        Some(heart) => number_attribute(heart, name),
        None => Ok(None),
    };
    let mut fields = RecordFields::new();
    let id = id_of(element, &span, identities);
    fields.insert("id".to_owned(), id.into());
    fields.insert("sport_name".to_owned(), sport(activity).into());
    add_times(&span, &mut fields);
    for (name, value) in [
        ("kilojoules", energy(element, &statistics)?),
        ("distance_m", distance(element, &statistics)?),
        ("avg_heart_rate", of_heart("average")?),
        ("max_heart_rate", of_heart("maximum")?),
        ("altitude_gain_m", ascent_meters(&meta)),
        ("duration_s", duration(element)?),
    ] {
        if let Some(value) = value {
            fields.insert(name.to_owned(), json!(value));
        }
    }
    if !statistics.is_empty() {
        fields.insert("statistics".to_owned(), statistics_by_metric(&statistics)?);
    }
    if !meta.is_empty() {
        fields.insert("meta".to_owned(), Value::Object(meta));
    }
    name_source(element, &mut fields);
    Ok(fields)
}

/// `HKWorkoutActivityTypeTraditionalStrengthTraining` is `traditional strength training`.
fn sport(activity: &str) -> String {
    let own = activity.strip_prefix(ACTIVITY).unwrap_or(activity);
    snake_case(own).replace('_', " ")
}

fn statistic<'a>(
    statistics: &[&'a HealthElement],
    is_that: impl Fn(&str) -> bool,
) -> Option<&'a HealthElement> {
    let metric = |part: &&&HealthElement| part.get("type").is_some_and(|kind| is_that(&name(kind)));
    statistics.iter().find(metric).copied()
}

/// Reads a value in the unit that another attribute says; a fault names the value.
type ReadMetric = fn(Option<&str>, Option<&str>) -> MetricResult;

fn own_attribute(
    element: &HealthElement,
    (name, unit): (&str, &str),
    read: ReadMetric,
) -> MetricResult {
    name_fault(name, read(element.get(name), element.get(unit)))
}

fn sum(statistic: &HealthElement, read: ReadMetric) -> MetricResult {
    let name = statistic.get("type").unwrap_or_default();
    name_fault(name, read(statistic.get("sum"), statistic.get("unit")))
}

fn duration(element: &HealthElement) -> MetricResult {
    own_attribute(element, ("duration", "durationUnit"), seconds)
}

fn energy(element: &HealthElement, statistics: &[&HealthElement]) -> MetricResult {
    let names = ("totalEnergyBurned", "totalEnergyBurnedUnit");
    let own = own_attribute(element, names, kilojoules)?;
    match statistic(statistics, |metric| metric == "energy") {
        Some(burned) if own.is_none() => sum(burned, kilojoules),
        _ => Ok(own),
    }
}

/// What the workout says, else the longest of its distances: a ride has a few steps beside it.
fn distance(element: &HealthElement, statistics: &[&HealthElement]) -> MetricResult {
    let own = own_attribute(element, ("totalDistance", "totalDistanceUnit"), meters)?;
    let mut longest = None;
    for part in statistics {
        let metric = part.get("type").map(name).unwrap_or_default();
        if metric.starts_with("distance_") {
            let distance = sum(part, meters)?;
            longest = [longest, distance]
                .into_iter()
                .flatten()
                .max_by(f64::total_cmp);
        }
    }
    Ok(own.filter(|meters| *meters > 0.0).or(longest).or(own))
}

/// `12345 cm`; as it stands, it is kept in `meta` as well, so that one that cannot be read is not lost.
fn ascent_meters(meta: &RecordFields) -> Option<f64> {
    let (value, unit) = meta.get(CLIMBED_KEY)?.as_str()?.split_once(' ')?;
    meters(Some(value), Some(unit)).ok().flatten()
}

/// The statistics by metric, each as the file says it.
fn statistics_by_metric(statistics: &[&HealthElement]) -> Result<Value, String> {
    let mut by_metric = RecordFields::new();
    for part in statistics {
        let mut values = RecordFields::new();
        for key in ["sum", "average", "minimum", "maximum"] {
            if let Some(value) = number_attribute(part, key)? {
                values.insert(key.to_owned(), json!(value));
            }
        }
        if let Some(unit) = part.get("unit") {
            values.insert("unit".to_owned(), unit.into());
        }
        let metric = part.get("type").map(name).unwrap_or_default();
        by_metric.insert(metric.into_owned(), Value::Object(values));
    }
    Ok(Value::Object(by_metric))
}
