//! Whole expansions: sets, zones and lengths as tables here; the rest in the files below.

mod exceptions;
mod limits;
mod properties;

use chrono::NaiveDate;

use super::*;

const NOW: &str = "2026-11-21T12:00:00Z";

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn timed(start: &str, end: &str, zone: &str) -> EventTiming {
    let zone = Some(zone)
        .filter(|zone| !zone.is_empty())
        .map(|zone| zone.parse().unwrap());
    EventTiming::Timed {
        start: at(start),
        end: Some(at(end)).filter(|_| start != end),
        zone,
    }
}

fn all_day(start: &str, end: Option<&str>) -> EventTiming {
    let date = |text: &str| text.parse::<NaiveDate>().unwrap();
    EventTiming::AllDay {
        start: date(start),
        end: end.map(date),
    }
}

fn series(timing: EventTiming, lines: &[&str]) -> EventSeries {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    let master = Master {
        source_id: "master".to_owned(),
        timing,
        lines,
        status: EventStatus::Confirmed,
    };
    EventSeries {
        master: Some(master),
        exceptions: Vec::new(),
    }
}

fn exception(recurrence_id: &str, timing: Option<EventTiming>, status: EventStatus) -> Exception {
    let (source_id, recurrence_id) = ("exception".to_owned(), recurrence_id.to_owned());
    Exception {
        source_id,
        recurrence_id,
        timing,
        status,
    }
}

fn expanded(series: &EventSeries) -> Expansion {
    expand(series, chrono_tz::Europe::Berlin, at(NOW)).unwrap()
}

fn keys(series: &EventSeries) -> Vec<String> {
    expanded(series)
        .occurrences
        .into_iter()
        .map(|it| it.original_start)
        .collect()
}

fn spans(series: &EventSeries) -> Vec<String> {
    let span = |it: Occurrence| match it.when {
        OccurrenceTime::Timed { start, end } => format!("{start:?}/{end:?}"),
        OccurrenceTime::AllDay { start, end } => format!("{start}/{end}"),
    };
    expanded(series).occurrences.into_iter().map(span).collect()
}

#[test]
fn a_one_off_happens_once() {
    let cases = [
        (
            timed(
                "2026-01-01T08:00:00Z",
                "2026-01-01T09:00:00Z",
                "Asia/Kathmandu",
            ),
            "2026-01-01T08:00:00Z",
            "2026-01-01T08:00:00Z/2026-01-01T09:00:00Z",
        ),
        (
            timed("2026-01-01T08:00:00Z", "2026-01-01T08:00:00Z", ""),
            "2026-01-01T09:00:00",
            "2026-01-01T08:00:00Z/2026-01-01T08:00:00Z",
        ),
        (
            timed("2026-01-01T08:00:00Z", "2025-01-01T08:00:00Z", "UTC"),
            "2026-01-01T08:00:00Z",
            "2026-01-01T08:00:00Z/2026-01-01T08:00:00Z",
        ),
        (
            all_day("2026-01-01", None),
            "2026-01-01",
            "2026-01-01/2026-01-02",
        ),
        (
            all_day("2026-01-01", Some("2026-01-01")),
            "2026-01-01",
            "2026-01-01/2026-01-02",
        ),
        (
            all_day("2026-01-01", Some("2026-01-04")),
            "2026-01-01",
            "2026-01-01/2026-01-04",
        ),
    ];
    for (timing, key, span) in cases {
        let series = series(timing, &[]);
        assert_eq!(
            (keys(&series), spans(&series)),
            (vec![key.to_owned()], vec![span.to_owned()])
        );
        let expansion = expanded(&series);
        assert_eq!((expansion.covers, expansion.cut), (None, false));
    }
}

#[test]
fn local_hours_hold_over_a_change_of_clocks() {
    let weekly = series(
        timed(
            "2026-03-22T08:00:00Z",
            "2026-03-22T09:00:00Z",
            "Europe/Berlin",
        ),
        &["RRULE:FREQ=WEEKLY;COUNT=2"],
    );
    assert_eq!(
        keys(&weekly),
        ["2026-03-22T08:00:00Z", "2026-03-29T07:00:00Z"]
    );
    let in_the_gap = series(
        timed(
            "2026-03-07T07:30:00Z",
            "2026-03-07T08:00:00Z",
            "America/New_York",
        ),
        &["RRULE:FREQ=DAILY;COUNT=3"],
    );
    let expected = [
        "2026-03-07T07:30:00Z",
        "2026-03-08T07:30:00Z",
        "2026-03-09T06:30:00Z",
    ];
    assert_eq!(keys(&in_the_gap), expected);
    let second_of_two = series(
        timed(
            "2026-11-01T06:30:00Z",
            "2026-11-01T07:00:00Z",
            "America/New_York",
        ),
        &["RRULE:FREQ=DAILY;COUNT=2"],
    );
    assert_eq!(
        keys(&second_of_two),
        ["2026-11-01T06:30:00Z", "2026-11-02T06:30:00Z"]
    );
    let lord_howe = series(
        timed(
            "2026-10-02T15:45:00Z",
            "2026-10-02T16:00:00Z",
            "Australia/Lord_Howe",
        ),
        &["RRULE:FREQ=DAILY;COUNT=3"],
    );
    let expected = [
        "2026-10-02T15:45:00Z",
        "2026-10-03T15:45:00Z",
        "2026-10-04T15:15:00Z",
    ];
    assert_eq!(keys(&lord_howe), expected);
}

#[test]
fn an_end_is_an_exact_length_and_a_duration_a_nominal_one() {
    let day = || {
        timed(
            "2026-03-28T09:00:00Z",
            "2026-03-29T09:00:00Z",
            "Europe/Berlin",
        )
    };
    let exact = series(day(), &["RRULE:FREQ=DAILY;COUNT=2"]);
    let expected = "2026-03-29T08:00:00Z/2026-03-30T08:00:00Z";
    assert_eq!(spans(&exact)[1], expected);
    let nominal = series(day(), &["RRULE:FREQ=DAILY;COUNT=1", "DURATION:P1D"]);
    assert_eq!(
        spans(&nominal),
        ["2026-03-28T09:00:00Z/2026-03-29T08:00:00Z"]
    );
    let hours = series(day(), &["RRULE:FREQ=DAILY;COUNT=1", "DURATION:PT24H"]);
    assert_eq!(spans(&hours), ["2026-03-28T09:00:00Z/2026-03-29T09:00:00Z"]);
}

#[test]
fn rules_and_dates_make_one_set() {
    let start = || {
        timed(
            "2026-01-05T08:00:00Z",
            "2026-01-05T09:00:00Z",
            "Europe/Berlin",
        )
    };
    let days = |days: &[&str]| -> Vec<String> {
        days.iter()
            .map(|day| format!("2026-{day}T08:00:00Z"))
            .collect()
    };
    let cases: &[(&[&str], &[&str])] = &[
        (
            &[
                "RRULE:FREQ=DAILY;COUNT=4",
                "EXDATE;TZID=Europe/Berlin:20260106T090000,20260107T090000",
            ],
            &["01-05", "01-08"],
        ),
        (
            &["RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260105T080000Z"],
            &["01-06", "01-07"],
        ),
        (
            &["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260106"],
            &["01-05", "01-07"],
        ),
        (
            &[
                "RRULE:FREQ=DAILY;COUNT=3",
                "EXDATE;TZID=Asia/Kathmandu:20260106T134500",
            ],
            &["01-05", "01-07"],
        ),
        (
            &[
                "RRULE:FREQ=DAILY;COUNT=3",
                "EXDATE;TZID=Nowhere:20260106T090000",
            ],
            &["01-05", "01-07"],
        ),
        (
            &[
                "RDATE;TZID=Europe/Berlin:20260201T090000",
                "RDATE:20260201T080000Z",
            ],
            &["01-05", "02-01"],
        ),
        (&["RDATE;VALUE=DATE:20260203"], &["01-05", "02-03"]),
        (
            &["RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3"],
            &["01-05", "01-06", "01-13"],
        ),
        (
            &["RRULE:FREQ=DAILY;COUNT=5", "EXRULE:FREQ=DAILY;INTERVAL=2"],
            &["01-06", "01-08"],
        ),
        (
            &[
                "RRULE:FREQ=DAILY;COUNT=4",
                "EXRULE:FREQ=WEEKLY;BYDAY=TU,WE;COUNT=1",
            ],
            &["01-05", "01-07", "01-08"],
        ),
        (
            &["RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY;COUNT=2"],
            &["01-05", "01-06", "01-12"],
        ),
        (
            &["RRULE:FREQ=DAILY;UNTIL=20260107T080000Z"],
            &["01-05", "01-06", "01-07"],
        ),
        (
            &["RRULE:FREQ=DAILY;UNTIL=20260107T075959Z"],
            &["01-05", "01-06"],
        ),
        (
            &["RRULE:FREQ=DAILY;UNTIL=20260107T090000"],
            &["01-05", "01-06", "01-07"],
        ),
        (
            &["RRULE:FREQ=DAILY;UNTIL=20260107"],
            &["01-05", "01-06", "01-07"],
        ),
        (&["RRULE:FREQ=DAILY;UNTIL=20250107"], &["01-05"]),
        (
            &["RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260201"],
            &["01-05", "01-06"],
        ),
    ];
    for (lines, expected) in cases {
        assert_eq!(keys(&series(start(), lines)), days(expected), "{lines:?}");
    }
}

#[test]
fn a_period_has_its_own_length() {
    let periods = "RDATE;VALUE=PERIOD:20260106T080000Z/PT15M,20260107T080000Z/20260107T083000Z";
    let series = series(
        timed("2026-01-05T08:00:00Z", "2026-01-05T09:00:00Z", "UTC"),
        &[periods],
    );
    let expected = [
        "2026-01-05T08:00:00Z/2026-01-05T09:00:00Z",
        "2026-01-06T08:00:00Z/2026-01-06T08:15:00Z",
        "2026-01-07T08:00:00Z/2026-01-07T08:30:00Z",
    ];
    assert_eq!(spans(&series), expected);
}

#[test]
fn all_day_series_know_days_only() {
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["RRULE:FREQ=DAILY;UNTIL=20260330T220000Z"],
            &["2026-03-28", "2026-03-29", "2026-03-30"],
        ),
        (
            &["RRULE:FREQ=DAILY;UNTIL=20260329"],
            &["2026-03-28", "2026-03-29"],
        ),
        (
            &[
                "RRULE:FREQ=DAILY;COUNT=3",
                "EXDATE;TZID=Europe/Berlin:20260329T000000",
            ],
            &["2026-03-28", "2026-03-30"],
        ),
        (
            &["RRULE:FREQ=YEARLY;COUNT=2"],
            &["2026-03-28", "2027-03-28"],
        ),
    ];
    for (lines, expected) in cases {
        let series = series(all_day("2026-03-28", Some("2026-03-30")), lines);
        assert_eq!(keys(&series), *expected, "{lines:?}");
        let is_two_days = |when: OccurrenceTime| (when.ends() - when.starts()).num_days() == 2;
        assert!(
            expanded(&series)
                .occurrences
                .iter()
                .all(|it| is_two_days(it.when))
        );
    }
}
