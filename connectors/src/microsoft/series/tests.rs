use serde_json::json;

use super::*;

fn weekly(range: Value) -> GraphObject {
    let event = json!({
        "id": "s", "type": "seriesMaster", "iCalUId": "u", "subject": "Standup",
        "start": {"dateTime": "2026-03-23T09:00:00.0000000", "timeZone": "UTC"},
        "end": {"dateTime": "2026-03-23T09:30:00.0000000", "timeZone": "UTC"},
        "originalStartTimeZone": "W. Europe Standard Time",
        "recurrence": {
            "pattern": {"type": "weekly", "interval": 1, "daysOfWeek": ["monday"], "firstDayOfWeek": "monday"},
            "range": range,
        },
        "cancelledOccurrences": ["OID.s.2026-03-30"],
        "exceptionOccurrences": [{
            "id": "x", "type": "exception", "subject": "Moved", "originalStart": "2026-04-06T08:00:00Z",
            "start": {"dateTime": "2026-04-07T08:00:00.0000000", "timeZone": "UTC"},
            "end": {"dateTime": "2026-04-07T08:30:00.0000000", "timeZone": "UTC"},
        }],
    });
    event.as_object().unwrap().clone()
}

#[test]
fn a_series_has_its_rule_and_what_is_not_by_it() {
    let numbered = weekly(json!({"type": "numbered", "numberOfOccurrences": 4}));
    let read = series("cal", &numbered, DateTime::UNIX_EPOCH).unwrap();
    let [master, exception] = &read.records[..] else {
        panic!("two records");
    };
    assert_eq!(
        (master.source_id.as_str(), exception.source_id.as_str()),
        ("cal/s", "cal/s#2026-04-06T08:00:00Z")
    );
    let rule = json!([
        "RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=MO;COUNT=4",
        "EXDATE;TZID=Europe/Berlin:20260330T100000"
    ]);
    assert_eq!(master.fields["rrule"], rule);
    assert_eq!(master.fields["start_at"], "2026-03-23T10:00:00");
    assert_eq!(exception.fields["series_source_id"], "cal/s");
    assert_eq!(exception.fields["recurrence_id"], "2026-04-06T08:00:00Z");
    assert_eq!(
        (&exception.fields["uid"], &exception.fields["start_at"]),
        (&json!("u"), &json!("2026-04-07T10:00:00"))
    );
    // The last by the rule, after summer time has begun.
    assert_eq!(read.at.unwrap().to_rfc3339(), "2026-04-13T08:30:00+00:00");
    assert!(!read.is_partly_unread);
}

#[test]
fn a_series_without_an_end_is_always_wanted() {
    let read = series(
        "cal",
        &weekly(json!({"type": "noEnd"})),
        DateTime::UNIX_EPOCH,
    );
    assert_eq!(read.unwrap().at, None);
    let until = weekly(json!({"type": "endDate", "endDate": "2026-04-13"}));
    let read = series("cal", &until, DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(
        read.records[0].fields["rrule"][0],
        "RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=MO;UNTIL=20260413T215959Z"
    );
    assert_eq!(read.at.unwrap().to_rfc3339(), "2026-04-13T08:30:00+00:00");
}

#[test]
fn an_exception_that_cannot_be_placed_does_not_cost_the_series() {
    let mut event = weekly(json!({"type": "noEnd"}));
    event.insert(
        "exceptionOccurrences".to_owned(),
        json!([{"id": "x", "subject": "?"}]),
    );
    let read = series("cal", &event, DateTime::UNIX_EPOCH).unwrap();
    assert_eq!((read.records.len(), read.is_partly_unread), (1, true));
    event.remove("recurrence");
    assert!(series("cal", &event, DateTime::UNIX_EPOCH).is_err());
}
