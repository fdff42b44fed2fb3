use super::*;
use chrono::Days;
use proptest::prelude::*;

fn at(now: &str, zone: Tz) -> LocalTime {
    LocalTime {
        now: now.parse().unwrap(),
        zone,
    }
}

fn instant(text: &str) -> Option<ParsedTime> {
    Some(ParsedTime::Instant(text.parse().unwrap()))
}

fn day(text: &str) -> Option<ParsedTime> {
    Some(ParsedTime::Day(text.parse().unwrap()))
}

#[test]
fn relative_times_are_those_of_the_operators_zone() {
    // In Berlin it is already Wednesday the 18th, 00:30.
    let local = at("2026-03-17T23:30:00Z", chrono_tz::Europe::Berlin);
    let cases = [
        ("now", instant("2026-03-17T23:30:00Z")),
        ("now-6h", instant("2026-03-17T17:30:00Z")),
        ("now-1d", instant("2026-03-16T23:30:00Z")),
        ("today", day("2026-03-18")),
        ("today-30d", day("2026-02-16")),
        ("today+1w", day("2026-03-25")),
        ("today-6h", instant("2026-03-17T17:00:00Z")),
        ("today-1mo", day("2026-02-18")),
        ("start_of_week", instant("2026-03-15T23:00:00Z")),
        ("start_of_month", instant("2026-02-28T23:00:00Z")),
        ("start_of_month-1mo", instant("2026-01-31T23:00:00Z")),
        ("start_of_year", instant("2025-12-31T23:00:00Z")),
        ("2026-01-05", day("2026-01-05")),
        ("2026-01-05T10:00:00+01:00", instant("2026-01-05T09:00:00Z")),
    ];
    for (text, expected) in cases {
        assert_eq!(local.parse(text), expected, "{text}");
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let local = at("2026-03-17T23:30:00Z", chrono_tz::UTC);
    for text in [
        "",
        "-",
        "now-",
        "now-d",
        "now-6",
        "now-6x",
        "now-6m",
        "yesterday",
        "today-9999999d",
        "today-999999y",
        "2026-13-01",
        "2026-1-5",
        "2026-01-05T10:00:00",
        "now - 6h",
        "now-6h-1d",
        "+1d",
        "today–1d",
    ] {
        assert_eq!(local.parse(text), None, "{text:?}");
    }
}

#[test]
fn days_are_right_where_the_clock_changes() {
    let berlin = at("2026-03-30T10:00:00Z", chrono_tz::Europe::Berlin);
    let spring: NaiveDate = "2026-03-29".parse().unwrap();
    assert_eq!(
        berlin.end_of(spring) - berlin.start_of(spring),
        Duration::hours(23)
    );
    let autumn: NaiveDate = "2026-10-25".parse().unwrap();
    assert_eq!(
        berlin.end_of(autumn) - berlin.start_of(autumn),
        Duration::hours(25)
    );
    // Noon stays noon, an hour shorter ago.
    assert_eq!(berlin.parse("now-2d"), instant("2026-03-28T11:00:00Z"));
    assert_eq!(berlin.parse("now-48h"), instant("2026-03-28T10:00:00Z"));
}

#[test]
fn a_day_whose_midnight_is_skipped_begins_after_the_gap() {
    let cairo = at("2026-05-01T10:00:00Z", chrono_tz::Africa::Cairo);
    let skipped: NaiveDate = "2026-04-24".parse().unwrap();
    assert_eq!(
        cairo.start_of(skipped),
        "2026-04-23T22:00:00Z".parse::<DateTime<Utc>>().unwrap()
    );
}

proptest! {
    #[test]
    fn no_text_makes_it_stumble(text in "(now|today|start_of_(week|month|year))?[+-]?[0-9]{0,7}[a-z]{0,3}|\\PC{0,30}") {
        let _ = at("2026-03-17T23:30:00Z", chrono_tz::America::New_York).parse(&text);
    }

    #[test]
    fn days_follow_each_other_without_gap_or_overlap(offset in 0u64..40_000) {
        let local = at("2026-03-17T23:30:00Z", chrono_tz::America::Santiago);
        let day = NaiveDate::from_ymd_opt(1950, 1, 1).unwrap() + Days::new(offset);
        prop_assert_eq!(local.day_of(local.start_of(day)), day);
        prop_assert_eq!(local.day_of(local.end_of(day) - Duration::nanoseconds(1)), day);
    }
}
