//! Windows, floods, rules that never match, and what cannot be read.

use chrono::NaiveDate;

use super::*;

#[test]
fn an_endless_series_fills_the_window() {
    let long_ago = series(
        timed("1980-06-01T12:00:00Z", "1980-06-01T13:00:00Z", "UTC"),
        &["RRULE:FREQ=DAILY"],
    );
    let expansion = expanded(&long_ago);
    let covers = expansion.covers.unwrap();
    assert_eq!(covers.from, Some(at("2016-11-21T12:00:00Z")));
    assert_eq!(covers.to, at("2028-11-21T12:00:00Z"));
    assert!(!expansion.cut);
    let occurrences = &expansion.occurrences;
    assert_eq!(
        occurrences.first().unwrap().original_start,
        "2016-11-21T12:00:00Z"
    );
    assert_eq!(
        occurrences.last().unwrap().original_start,
        "2028-11-20T12:00:00Z"
    );
    let rolled = expand(&long_ago, chrono_tz::UTC, at("2026-11-22T12:00:00Z")).unwrap();
    assert_eq!(rolled.occurrences[0].original_start, "2016-11-22T12:00:00Z");
    assert_eq!(
        rolled.occurrences.last().unwrap().original_start,
        "2028-11-21T12:00:00Z"
    );
}

#[test]
fn too_many_are_cut_and_the_cut_is_noted() {
    let start = || timed("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "UTC");
    let finite = expanded(&series(start(), &["RRULE:FREQ=HOURLY;COUNT=5001"]));
    assert_eq!(
        (finite.occurrences.len(), finite.cut),
        (OCCURRENCES_MAX, true)
    );
    let first_left_out = start_plus_hours(5_000);
    assert_eq!(
        finite.covers,
        Some(Covers {
            from: None,
            to: first_left_out
        })
    );
    let whole = expanded(&series(start(), &["RRULE:FREQ=HOURLY;COUNT=5000"]));
    assert_eq!(
        (whole.occurrences.len(), whole.cut, whole.covers),
        (OCCURRENCES_MAX, false, None)
    );
}

fn start_plus_hours(hours: i64) -> DateTime<Utc> {
    at("2026-01-01T00:00:00Z") + chrono::TimeDelta::hours(hours)
}

#[test]
fn an_endless_flood_is_kept_near_the_present() {
    for rule in [
        "FREQ=HOURLY",
        "FREQ=MINUTELY",
        "FREQ=SECONDLY",
        "FREQ=SECONDLY;BYHOUR=12",
    ] {
        let start = timed(
            "1990-01-01T00:00:00Z",
            "1990-01-01T00:00:00Z",
            "Europe/Berlin",
        );
        let expansion = expanded(&series(start, &[&format!("RRULE:{rule}")]));
        let covers = expansion.covers.unwrap();
        assert!(expansion.cut, "{rule}");
        assert!(expansion.occurrences.len() <= OCCURRENCES_MAX, "{rule}");
        assert!(
            covers.from.unwrap() <= at(NOW) && at(NOW) < covers.to,
            "{rule}"
        );
    }
}

#[test]
fn rules_that_cannot_be_met_end() {
    let rules = [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1;COUNT=3",
        "FREQ=YEARLY;COUNT=9;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=DAILY;UNTIL=99990101;BYMONTH=4;BYMONTHDAY=31",
    ];
    for rule in rules {
        let start = timed("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "UTC");
        let expansion = expanded(&series(start, &[&format!("RRULE:{rule}")]));
        assert_eq!(expansion.occurrences.len(), 1, "{rule}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let start = || timed("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "UTC");
    let berlin = chrono_tz::Europe::Berlin;
    let hebrew = series(start(), &["RRULE:RSCALE=HEBREW;FREQ=YEARLY"]);
    let error = expand(&hebrew, berlin, at(NOW)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown part RSCALE in a recurrence rule"
    );
    let mut odd = series(start(), &[]);
    odd.exceptions = vec![exception("some day", None, EventStatus::Confirmed)];
    assert_eq!(
        expand(&odd, berlin, at(NOW)),
        Err(ExpansionError::InvalidRecurrenceId)
    );
    let far = EventTiming::AllDay {
        start: NaiveDate::MAX,
        end: None,
    };
    assert!(expand(&series(far, &[]), berlin, at(NOW)).is_err());
}
