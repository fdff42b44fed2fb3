//! Numbers and units as Apple writes them.
//!
//! Numbers have a decimal point whatever the phone's language is. What is written as `%` is a fraction: 0.97 `%` is
//! 97 percent. Units that ingest knows are left to it, so that it keeps what was sent.

use std::borrow::Cow;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde_json::Number;

use super::element::HealthElement;
use crate::entry::quoted;

const METERS: &[(&str, f64)] = &[
    ("m", 1.0),
    ("km", 1000.0),
    ("cm", 0.01),
    ("mi", 1609.344),
    ("yd", 0.9144),
    ("ft", 0.3048),
];
const KILOCALORIES: &[(&str, f64)] = &[
    ("kcal", 1.0),
    ("Cal", 1.0),
    ("cal", 0.001),
    ("kJ", 1.0 / KILOJOULES_A_KILOCALORIE),
    ("J", 0.001 / KILOJOULES_A_KILOCALORIE),
];
const SECONDS: &[(&str, f64)] = &[("s", 1.0), ("min", 60.0), ("hr", 3600.0), ("h", 3600.0)];
const KILOJOULES_A_KILOCALORIE: f64 = 4.184;

/// A number, unless it is none: `71,5`, `12 kg`, `NaN`.
pub(super) fn number(text: &str) -> Result<Number, String> {
    let is_of_number =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
    let value = text
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite() && text.bytes().all(is_of_number));
    let value = value.ok_or_else(|| format!("its value {} is not a number", quoted(text)))?;
    // The file's own digits, where JSON writes numbers so as well.
    Number::from_str(text)
        .ok()
        .or_else(|| Number::from_f64(value))
        .ok_or_else(|| format!("its value {} cannot be kept", quoted(text)))
}

/// A measurement in a unit that ingest knows, or in the file's own.
pub(super) fn measurement<'a>(
    metric: &str,
    value: &str,
    unit: &'a str,
) -> Result<(Number, Cow<'a, str>), String> {
    let number = number(value)?;
    Ok(match unit {
        "%" => (percent(value, &number), "percent".into()),
        "count" if metric == "body_mass_index" => (number, "kg_m2".into()),
        // Of Apple's two calories the large one is meant by food and rings, and the small one is never written.
        "Cal" => (number, "kcal".into()),
        // Moles bear the mass of what they are moles of: `mmol<180.1558800000541>/L`.
        _ => match (unit.split_once('<'), unit.split_once('>')) {
            (Some((before, _)), Some((_, after))) => (number, format!("{before}{after}").into()),
            _ => (number, unit.into()),
        },
    })
}

/// Exact as far as decimal digits go: 0.29 becomes 29, not 28.999999999999996.
fn percent(text: &str, number: &Number) -> Number {
    let fraction = Decimal::from_str(text).or_else(|_| Decimal::from_scientific(text));
    let exact = fraction
        .ok()
        .and_then(|fraction| fraction.checked_mul(Decimal::ONE_HUNDRED))
        .and_then(|percent| Number::from_str(&percent.normalize().to_string()).ok());
    exact
        .or_else(|| Number::from_f64(number.as_f64()? * 100.0))
        .unwrap_or_else(|| number.clone())
}

/// A value: nothing, or a number; all else is a fault of its entry, as a sentence.
pub(super) type MetricResult = Result<Option<f64>, String>;

/// A length in meters.
pub(super) fn meters(value: Option<&str>, unit: Option<&str>) -> MetricResult {
    convert(value, unit, METERS)
}

/// An energy in kilocalories.
pub(super) fn kilocalories(value: Option<&str>, unit: Option<&str>) -> MetricResult {
    convert(value, unit, KILOCALORIES)
}

/// An energy in kilojoules.
pub(super) fn kilojoules(value: Option<&str>, unit: Option<&str>) -> MetricResult {
    let burned = kilocalories(value, unit)?;
    Ok(burned.map(|kilocalories| round(kilocalories * KILOJOULES_A_KILOCALORIE)))
}

/// A duration in seconds.
pub(super) fn seconds(value: Option<&str>, unit: Option<&str>) -> MetricResult {
    convert(value, unit, SECONDS)
}

/// Puts the name of the value before its fault, since an entry has several values.
pub(super) fn name_fault(name: &str, result: MetricResult) -> MetricResult {
    result.map_err(|why| format!("{name}: {why}"))
}

/// An attribute that is a number without a unit.
pub(super) fn number_attribute(element: &HealthElement, name: &str) -> MetricResult {
    let number = element.get(name).map(number).transpose()?;
    Ok(number.and_then(|number| number.as_f64()))
}

fn convert(value: Option<&str>, unit: Option<&str>, units: &[(&str, f64)]) -> MetricResult {
    let Some(text) = value else { return Ok(None) };
    let value = number(text)?
        .as_f64()
        .ok_or_else(|| format!("its value {} cannot be kept", quoted(text)))?;
    let unit = unit.ok_or_else(|| format!("its value {} has no unit", quoted(text)))?;
    let known = units.iter().find(|(name, _)| *name == unit);
    let (_, factor) = known.ok_or_else(|| format!("its unit {} is not known", quoted(unit)))?;
    let converted = value * factor;
    Ok(converted.is_finite().then(|| round(converted)))
}

/// Rounded to a millionth of a unit, without the error of a multiplication.
fn round(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_numbers_and_they_keep_their_digits() {
        for (text, kept) in [
            ("71.50", "71.50"),
            ("-3", "-3"),
            ("5e-4", "5e-4"),
            (".5", "0.5"),
        ] {
            assert_eq!(number(text).unwrap().to_string(), kept);
        }
        for text in ["71,5", "12 kg", "NaN", "inf", "1e999", "0x10", "", "１"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fractions_are_percent_and_units_are_those_that_ingest_knows() {
        for (metric, value, unit, expected) in [
            ("oxygen_saturation", "0.29", "%", ("29", "percent")),
            ("oxygen_saturation", "1", "%", ("100", "percent")),
            ("oxygen_saturation", "9.7E-1", "%", ("97", "percent")),
            ("body_mass_index", "22.4", "count", ("22.4", "kg_m2")),
            ("steps", "12", "count", ("12", "count")),
            ("energy", "9.5", "Cal", ("9.5", "kcal")),
            (
                "blood_glucose",
                "5.5",
                "mmol<180.1558800000541>/L",
                ("5.5", "mmol/L"),
            ),
        ] {
            let (value, unit) = measurement(metric, value, unit).unwrap();
            assert_eq!((value.to_string().as_str(), unit.as_ref()), expected);
        }
    }

    #[test]
    fn lengths_and_energies_come_from_any_unit_of_theirs() {
        assert_eq!(meters(Some("5.2"), Some("km")), Ok(Some(5200.0)));
        assert_eq!(meters(Some("1"), Some("mi")), Ok(Some(1609.344)));
        assert_eq!(kilojoules(Some("100"), Some("Cal")), Ok(Some(418.4)));
        assert_eq!(kilocalories(Some("418.4"), Some("kJ")), Ok(Some(100.0)));
        assert_eq!(meters(None, Some("m")), Ok(None));
        for (value, unit) in [("5", Some("furlong")), ("5", None), ("5,2", Some("km"))] {
            assert!(meters(Some(value), unit).is_err(), "{value} {unit:?}");
        }
    }
}
