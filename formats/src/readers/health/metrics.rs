//! What was measured: Apple's identifiers to the names of metrics.
//!
//! A metric that the catalogue keeps in a unit of its own has its name there (`ingest/units.rs`). All others are kept
//! too, under Apple's name in the same style: `HKQuantityTypeIdentifierDietaryVitaminB12` is `dietary_vitamin_b12`.

use std::borrow::Cow;

/// Apple's names, without the prefix, of the metrics that are called otherwise.
const METRICS: &[(&str, &str)] = &[
    ("HeartRateVariabilitySDNN", "heart_rate_variability_sdnn"),
    ("BodyMass", "weight"),
    ("VO2Max", "vo2_max"),
    ("StepCount", "steps"),
    ("ActiveEnergyBurned", "energy"),
    ("BasalEnergyBurned", "basal_energy"),
    ("AppleSleepingWristTemperature", "skin_temperature"),
    ("AppleStandTime", "stand_time"),
    ("AppleExerciseTime", "exercise_time"),
    ("DietaryWater", "hydration"),
];

const QUANTITY: &str = "HKQuantityTypeIdentifier";
const CATEGORY: &str = "HKCategoryTypeIdentifier";
const CATEGORY_VALUE: &str = "HKCategoryValue";
const PREFIXES: [&str; 3] = [QUANTITY, CATEGORY, "HKDataType"];

pub(super) const SLEEP: &str = "HKCategoryTypeIdentifierSleepAnalysis";
/// The longest name of a metric.
pub(super) const NAME_BYTES_MAX: usize = 128;

/// Categories that are something done for a while, so that how long it took is the value.
const DURATIONS: [&str; 3] = [
    "mindful_session",
    "handwashing_event",
    "toothbrushing_event",
];
/// Endings of values that say that something was not the case.
const DENIALS: [&str; 6] = [
    "NotPresent",
    "NoChange",
    "Idle",
    "None",
    "Negative",
    "Indeterminate",
];

/// Whether what it measures is a category and no quantity.
pub(super) fn is_category(identifier: &str) -> bool {
    identifier.starts_with(CATEGORY)
}

/// The name of a metric.
pub(super) fn name(identifier: &str) -> Cow<'static, str> {
    let own = PREFIXES
        .iter()
        .find_map(|prefix| identifier.strip_prefix(prefix));
    let own = own.unwrap_or(identifier);
    let known = METRICS.iter().find(|(apple, _)| *apple == own);
    known.map_or_else(|| snake_case(own).into(), |(_, metric)| (*metric).into())
}

/// What a category says, as a number: minutes of what takes a while, else 1 if it was the case and 0 if not.
#[derive(Debug, PartialEq)]
pub(super) struct Category {
    pub value: f64,
    pub unit: &'static str,
    /// Its own word, if it has one: `severity_mild`.
    pub word: Option<String>,
}

/// A category by its metric and value; `minutes` is how long it took.
pub(super) fn category(metric: &str, value: Option<&str>, minutes: Option<f64>) -> Category {
    let word = value
        .map(|value| value.strip_prefix(CATEGORY_VALUE).unwrap_or(value))
        .filter(|value| *value != "NotApplicable");
    let is_denied = word.is_some_and(|word| DENIALS.iter().any(|denial| word.ends_with(denial)));
    let (value, unit) = match minutes {
        Some(minutes) if DURATIONS.contains(&metric) => (minutes, "minutes"),
        _ => (f64::from(!is_denied), "count"),
    };
    Category {
        value,
        unit,
        word: word.map(snake_case),
    }
}

/// `SixMinuteWalk` to `six_minute_walk`, `UVExposure` to `uv_exposure`.
pub(super) fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 8);
    for (at, char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let ends_capitals = before.is_some_and(char::is_ascii_uppercase)
            && chars.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let is_after_small =
            before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit());
        if char.is_ascii_uppercase() && (is_after_small || ends_capitals) {
            snake.push('_');
        }
        match char.is_alphanumeric() {
            true => snake.extend(char.to_lowercase()),
            false => snake.push('_'),
        }
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_metrics_have_the_catalogues_names_and_others_apples() {
        for (identifier, metric) in [
            ("HKQuantityTypeIdentifierBodyMass", "weight"),
            ("HKQuantityTypeIdentifierHeartRate", "heart_rate"),
            ("HKQuantityTypeIdentifierVO2Max", "vo2_max"),
            (
                "HKQuantityTypeIdentifierHeartRateVariabilitySDNN",
                "heart_rate_variability_sdnn",
            ),
            (
                "HKQuantityTypeIdentifierDietaryVitaminB12",
                "dietary_vitamin_b12",
            ),
            (
                "HKQuantityTypeIdentifierSixMinuteWalkTestDistance",
                "six_minute_walk_test_distance",
            ),
            ("HKQuantityTypeIdentifierUVExposure", "uv_exposure"),
            ("HKCategoryTypeIdentifierMindfulSession", "mindful_session"),
            ("HKDataTypeSleepDurationGoal", "sleep_duration_goal"),
            ("com.example.Mood", "com_example_mood"),
        ] {
            assert_eq!(name(identifier), metric);
        }
    }

    #[test]
    fn a_category_is_a_number_and_keeps_its_word() {
        let read = |metric, value| {
            let category = category(metric, Some(value), Some(1.5));
            (category.value, category.unit, category.word)
        };
        let word = |word: &str| Some(word.to_owned());
        for (metric, value, expected) in [
            (
                "mindful_session",
                "HKCategoryValueNotApplicable",
                (1.5, "minutes", None),
            ),
            (
                "headache",
                "HKCategoryValueSeverityMild",
                (1.0, "count", word("severity_mild")),
            ),
            (
                "headache",
                "HKCategoryValueSeverityNotPresent",
                (0.0, "count", word("severity_not_present")),
            ),
            (
                "apple_stand_hour",
                "HKCategoryValueAppleStandHourIdle",
                (0.0, "count", word("apple_stand_hour_idle")),
            ),
            (
                "pregnancy_test_result",
                "HKCategoryValuePregnancyTestResultNegative",
                (0.0, "count", word("pregnancy_test_result_negative")),
            ),
        ] {
            assert_eq!(read(metric, value), expected);
        }
    }
}
