//! Units of pushed measurements. A value in a known unit is converted to the unit that its metric is stored in; an unknown
//! unit is a problem of its record. Pure.

/// Each known metric and the unit it is stored in (the codes of Open Wearables).
const METRICS: &[(&str, &str)] = &[
    ("heart_rate", "bpm"),
    ("resting_heart_rate", "bpm"),
    ("heart_rate_variability_sdnn", "ms"),
    ("heart_rate_variability_rmssd", "ms"),
    ("oxygen_saturation", "percent"),
    ("respiratory_rate", "brpm"),
    ("blood_glucose", "mg_dl"),
    ("blood_pressure_systolic", "mmHg"),
    ("blood_pressure_diastolic", "mmHg"),
    ("body_temperature", "celsius"),
    ("skin_temperature", "celsius"),
    ("weight", "kg"),
    ("height", "cm"),
    ("body_fat_percentage", "percent"),
    ("body_mass_index", "kg_m2"),
    ("vo2_max", "ml_kg_min"),
    ("steps", "count"),
    ("energy", "kcal"),
    ("basal_energy", "kcal"),
    ("distance_walking_running", "meters"),
    ("flights_climbed", "count"),
    ("stand_time", "minutes"),
    ("exercise_time", "minutes"),
    ("hydration", "mL"),
    ("environmental_audio_exposure", "dB"),
    ("time_in_daylight", "minutes"),
];

/// A sent unit in lower case, the stored unit it is converted to, and the conversion: `value * factor + offset`.
const CONVERSIONS: &[(&str, &str, f64, f64)] = &[
    ("count/min", "bpm", 1.0, 0.0),
    ("beats/min", "bpm", 1.0, 0.0),
    ("count/s", "bpm", 60.0, 0.0),
    ("count/min", "brpm", 1.0, 0.0),
    ("breaths/min", "brpm", 1.0, 0.0),
    ("s", "ms", 1000.0, 0.0),
    ("%", "percent", 1.0, 0.0),
    ("fraction", "percent", 100.0, 0.0),
    ("mg/dl", "mg_dl", 1.0, 0.0),
    ("mmol/l", "mg_dl", 18.015_6, 0.0),
    ("kpa", "mmHg", 7.500_62, 0.0),
    ("°c", "celsius", 1.0, 0.0),
    ("degc", "celsius", 1.0, 0.0),
    ("c", "celsius", 1.0, 0.0),
    ("°f", "celsius", 5.0 / 9.0, -160.0 / 9.0),
    ("degf", "celsius", 5.0 / 9.0, -160.0 / 9.0),
    ("f", "celsius", 5.0 / 9.0, -160.0 / 9.0),
    ("fahrenheit", "celsius", 5.0 / 9.0, -160.0 / 9.0),
    ("k", "celsius", 1.0, -273.15),
    ("g", "kg", 0.001, 0.0),
    ("oz", "kg", 0.028_349_523_125, 0.0),
    ("lb", "kg", 0.453_592_37, 0.0),
    ("lbs", "kg", 0.453_592_37, 0.0),
    ("st", "kg", 6.350_293_18, 0.0),
    ("m", "cm", 100.0, 0.0),
    ("in", "cm", 2.54, 0.0),
    ("ft", "cm", 30.48, 0.0),
    ("kg/m2", "kg_m2", 1.0, 0.0),
    ("kg/m^2", "kg_m2", 1.0, 0.0),
    ("ml/kg/min", "ml_kg_min", 1.0, 0.0),
    ("ml/min·kg", "ml_kg_min", 1.0, 0.0),
    ("kj", "kcal", 1.0 / 4.184, 0.0),
    ("cal", "kcal", 1.0, 0.0),
    ("m", "meters", 1.0, 0.0),
    ("km", "meters", 1000.0, 0.0),
    ("mi", "meters", 1609.344, 0.0),
    ("ft", "meters", 0.3048, 0.0),
    ("yd", "meters", 0.9144, 0.0),
    ("min", "minutes", 1.0, 0.0),
    ("h", "minutes", 60.0, 0.0),
    ("hr", "minutes", 60.0, 0.0),
    ("s", "minutes", 1.0 / 60.0, 0.0),
    ("l", "mL", 1000.0, 0.0),
    ("fl_oz_us", "mL", 29.573_529_562_5, 0.0),
    ("fl_oz_imp", "mL", 28.413_062_5, 0.0),
    ("cup_us", "mL", 236.588_236_5, 0.0),
    ("cup_imp", "mL", 284.130_625, 0.0),
    ("pt_us", "mL", 473.176_473, 0.0),
    ("pt_imp", "mL", 568.261_25, 0.0),
    ("dbaspl", "dB", 1.0, 0.0),
];

/// A measurement in the unit it is stored in.
#[derive(Debug, PartialEq)]
pub(crate) struct Measured {
    pub value: f64,
    pub unit: &'static str,
}

/// Every known metric and the unit it is stored in.
pub const fn metrics() -> &'static [(&'static str, &'static str)] {
    METRICS
}

/// The units besides `kept` itself from which a value is converted to it, in lower case.
pub fn accepted(kept: &str) -> impl Iterator<Item = &'static str> {
    let conversions = CONVERSIONS.iter().filter(move |(_, to, ..)| *to == kept);
    conversions.map(|(from, ..)| *from)
}

/// The unit that `metric` is stored in; `None` for a metric that is not known, whose values are stored in the unit sent.
pub(crate) fn kept_unit(metric: &str) -> Option<&'static str> {
    METRICS
        .iter()
        .find(|(name, _)| *name == metric)
        .map(|(_, unit)| *unit)
}

/// Converts `value` from `unit` to the unit `kept`; `None` when no conversion is known or the result is not finite.
pub(crate) fn convert(value: f64, unit: &str, kept: &'static str) -> Option<Measured> {
    if unit.eq_ignore_ascii_case(kept) {
        return Some(Measured { value, unit: kept });
    }
    let sent = unit.to_lowercase();
    CONVERSIONS
        .iter()
        .find(|(from, to, ..)| *from == sent && *to == kept)
        .map(|(_, _, factor, offset)| Measured {
            value: value * factor + offset,
            unit: kept,
        })
        .filter(|measured| measured.value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_units_become_the_metrics_own() {
        for (metric, value, unit, expected) in [
            ("weight", 150.0, "lb", 68.038_855_5),
            ("body_temperature", 98.6, "°F", 37.0),
            ("distance_walking_running", 2.0, "mi", 3218.688),
            ("energy", 418.4, "kJ", 100.0),
            ("exercise_time", 1.5, "h", 90.0),
            ("heart_rate", 61.0, "BPM", 61.0),
            ("hydration", 2.0, "cup_us", 473.176_473),
        ] {
            let measured = convert(value, unit, kept_unit(metric).unwrap()).unwrap();
            assert!(
                (measured.value - expected).abs() < 1e-9,
                "{metric}: {measured:?}"
            );
        }
    }

    #[test]
    fn an_unknown_unit_leads_nowhere_and_an_unknown_metric_keeps_its_own() {
        assert_eq!(convert(1.0, "parsec", "meters"), None);
        assert_eq!(kept_unit("mood"), None);
    }

    #[test]
    fn a_number_that_only_the_device_can_hold_leads_nowhere() {
        assert_eq!(convert(1e308, "st", "kg"), None);
        assert!(convert(1e308, "kg", "kg").is_some());
    }
}
