//! Exceptions laid over a series, and exceptions alone.

use super::*;

#[test]
fn an_exception_replaces_its_instance_and_keeps_the_key() {
    let mut moved = series(
        timed(
            "2026-01-05T08:00:00Z",
            "2026-01-05T09:00:00Z",
            "Europe/Berlin",
        ),
        &["RRULE:FREQ=DAILY;COUNT=3"],
    );
    let later = timed(
        "2026-01-09T12:00:00Z",
        "2026-01-09T14:00:00Z",
        "America/New_York",
    );
    moved.exceptions = vec![
        exception("2026-01-05T08:00:00Z", Some(later), EventStatus::Tentative),
        exception("2026-01-06T09:00:00+01:00", None, EventStatus::Cancelled),
        exception("2026-02-01T08:00:00Z", None, EventStatus::Cancelled),
    ];
    let found = expanded(&moved).occurrences;
    let found: Vec<_> = found
        .iter()
        .map(|it| {
            (
                it.original_start.as_str(),
                it.status,
                it.override_source_id.is_some(),
            )
        })
        .collect();
    let expected = [
        ("2026-01-06T08:00:00Z", EventStatus::Cancelled, true),
        ("2026-01-07T08:00:00Z", EventStatus::Confirmed, false),
        ("2026-01-05T08:00:00Z", EventStatus::Tentative, true),
        ("2026-02-01T08:00:00Z", EventStatus::Cancelled, true),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        spans(&moved)[0],
        "2026-01-06T08:00:00Z/2026-01-06T09:00:00Z"
    );
    assert_eq!(
        spans(&moved)[2],
        "2026-01-09T12:00:00Z/2026-01-09T14:00:00Z"
    );
}

#[test]
fn floating_and_all_day_series_match_their_own_kind_of_id() {
    let mut floating = series(
        timed("2026-01-05T08:00:00Z", "2026-01-05T09:00:00Z", ""),
        &["RRULE:FREQ=DAILY;COUNT=2"],
    );
    floating.exceptions = vec![exception(
        "2026-01-06T09:00:00",
        None,
        EventStatus::Cancelled,
    )];
    assert_eq!(
        keys(&floating),
        ["2026-01-05T09:00:00", "2026-01-06T09:00:00"]
    );
    assert_eq!(
        expanded(&floating).occurrences[1].status,
        EventStatus::Cancelled
    );

    let mut days = series(all_day("2026-01-05", None), &["RRULE:FREQ=DAILY;COUNT=2"]);
    let at_noon = timed("2026-01-06T12:00:00Z", "2026-01-06T13:00:00Z", "UTC");
    days.exceptions = vec![exception(
        "2026-01-06",
        Some(at_noon),
        EventStatus::Confirmed,
    )];
    let found = expanded(&days).occurrences;
    assert_eq!(keys(&days), ["2026-01-05", "2026-01-06"]);
    assert_eq!(
        [found[0].when.is_all_day(), found[1].when.is_all_day()],
        [true, false]
    );
}

#[test]
fn this_and_future_moves_what_follows_by_the_same_local_distance() {
    let mut weekly = series(
        timed(
            "2026-03-15T08:00:00Z",
            "2026-03-15T09:00:00Z",
            "Europe/Berlin",
        ),
        &["RRULE:FREQ=WEEKLY;COUNT=4"],
    );
    let an_hour_later = timed(
        "2026-03-22T09:00:00Z",
        "2026-03-22T09:30:00Z",
        "Europe/Berlin",
    );
    let onwards = "2026-03-22T08:00:00Z;RANGE=THISANDFUTURE";
    weekly.exceptions = vec![
        exception(onwards, Some(an_hour_later), EventStatus::Confirmed),
        exception("2026-04-05T07:00:00Z", None, EventStatus::Cancelled),
    ];
    let expected = [
        "2026-03-15T08:00:00Z/2026-03-15T09:00:00Z",
        "2026-03-22T09:00:00Z/2026-03-22T09:30:00Z",
        "2026-03-29T08:00:00Z/2026-03-29T08:30:00Z",
        "2026-04-05T07:00:00Z/2026-04-05T08:00:00Z",
    ];
    assert_eq!(spans(&weekly), expected);
    assert_eq!(keys(&weekly)[2], "2026-03-29T07:00:00Z");
}

#[test]
fn exceptions_without_a_master_stand_alone() {
    let start = timed("2026-01-06T12:00:00Z", "2026-01-06T13:00:00Z", "UTC");
    let exceptions = vec![
        exception("2026-01-05T08:00:00Z", Some(start), EventStatus::Confirmed),
        exception("2026-01-04", None, EventStatus::Cancelled),
        exception(
            "2026-01-03T09:00:00;RANGE=THISANDFUTURE",
            None,
            EventStatus::Cancelled,
        ),
    ];
    let lone = EventSeries {
        master: None,
        exceptions,
    };
    assert_eq!(
        keys(&lone),
        ["2026-01-03T09:00:00", "2026-01-04", "2026-01-05T08:00:00Z"]
    );
    let expected = [
        "2026-01-03T08:00:00Z/2026-01-03T08:00:00Z",
        "2026-01-04/2026-01-05",
        "2026-01-06T12:00:00Z/2026-01-06T13:00:00Z",
    ];
    assert_eq!(spans(&lone), expected);
}

#[test]
fn a_moved_instance_counts_where_it_went() {
    let mut endless = series(
        timed("1980-06-01T12:00:00Z", "1980-06-01T13:00:00Z", "UTC"),
        &["RRULE:FREQ=YEARLY"],
    );
    let here = timed("2020-02-02T12:00:00Z", "2020-02-02T13:00:00Z", "UTC");
    let away = timed("2035-02-02T12:00:00Z", "2035-02-02T13:00:00Z", "UTC");
    endless.exceptions = vec![
        exception("1999-06-01T12:00:00Z", Some(here), EventStatus::Confirmed),
        exception("2019-06-01T12:00:00Z", Some(away), EventStatus::Confirmed),
    ];
    let keys = keys(&endless);
    assert!(keys.contains(&"1999-06-01T12:00:00Z".to_owned()));
    assert!(!keys.contains(&"2019-06-01T12:00:00Z".to_owned()));
}
