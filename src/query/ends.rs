//! The note that credentials or consents of an answer's sources end soon, or have ended.

use chrono::{DateTime, Utc};

use super::cell::rfc3339;
use super::sources::ConnectedSource;

/// One note for all of them, which names the first; none while no end is near. The others stand in `sources`.
pub(crate) fn note(sources: &[ConnectedSource], now: DateTime<Utc>) -> Option<String> {
    let near = sources
        .iter()
        .filter_map(|source| Some((source.ends_at(now)?, source)));
    let near: Vec<(DateTime<Utc>, &ConnectedSource)> = near.collect();
    let (ends_at, source) = near.iter().min_by_key(|(ends_at, _)| *ends_at)?;
    let (label, at) = (source.quoted_label(), rfc3339(*ends_at));
    let ends = if *ends_at <= now { "ended" } else { "ends" };
    let more = match near.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    Some(format!(
        "the sign-in of {label}{more} {ends} at {at}: nothing new comes after that, until the operator signs in again"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::sources::example;

    #[test]
    fn the_first_end_is_named_and_the_others_are_counted() {
        let now = example().as_of.unwrap();
        assert_eq!(note(&[example()], now), None);
        let ending = |label: &str, days: i64| ConnectedSource {
            label: label.into(),
            expires_at: Some(now + chrono::TimeDelta::days(days)),
            ..example()
        };
        let near = note(&[ending("Bank", 3), ending("Far", 90)], now).unwrap();
        assert!(
            near.starts_with("the sign-in of 'Bank' ends at 2026-03-04T08:00:00Z"),
            "{near}"
        );
        let past = note(&[ending("Bank", 3), ending(&"x".repeat(200), -1)], now).unwrap();
        assert!(
            past.contains("…' (and 1 more) ended at 2026-02-28"),
            "{past}"
        );
        assert!(past.len() < 220, "{past}");
    }
}
