use proptest::prelude::*;
use serde_json::json;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use super::*;
use crate::google::calendars::GoogleCalendar;

fn calendar() -> GoogleCalendar {
    GoogleCalendar::read(json!({
        "id": "op@x.test", "summary": "Op", "timeZone": "Europe/Berlin", "primary": true, "accessRole": "owner",
        "backgroundColor": "#ff0000", "defaultReminders": [{"method": "popup", "minutes": 10}],
    }))
    .unwrap()
}

fn event(value: Value) -> GoogleEvent {
    GoogleEvent::read(value).unwrap()
}

fn fields(told: ToldItem) -> Vec<(String, RecordFields)> {
    let ToldItem::There(item, None) = told else {
        panic!("it is not read whole");
    };
    let records = item.records.into_iter();
    records.map(|one| (one.source_id, one.fields)).collect()
}

/// What a file makes of the same event, without what only a file or only Google says.
fn of_file(text: &str) -> RecordFields {
    let text = format!("BEGIN:VCALENDAR\r\n{text}END:VCALENDAR\r\n");
    let source = FileSource::Bytes {
        name: "a.ics".to_owned(),
        bytes: text.into_bytes().into(),
    };
    let mut entries = FileReader::new(Options::default())
        .entries(&source)
        .unwrap();
    let FileEntry::Record { mut fields, .. } = entries.next().unwrap().unwrap() else {
        panic!("the file is not read");
    };
    for own in ["id", "raw_ical", "calendar", "series_source_id"] {
        fields.remove(own);
    }
    fields
}

fn without_own(mut fields: RecordFields) -> RecordFields {
    for own in ["raw", "calendar", "series_source_id", "my_response"] {
        fields.remove(own);
    }
    for attendee in fields
        .get_mut("attendees")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        attendee.as_object_mut().unwrap().remove("is_self");
    }
    fields
}

#[test]
fn an_event_has_the_columns_that_a_file_gives_it() {
    let single = event(json!({
        "id": "e1", "etag": "\"1\"", "status": "tentative", "iCalUID": "e1@google.com", "sequence": 2,
        "updated": "2026-01-02T03:04:05.678Z", "summary": "Lunch; with, \"Ada\"", "description": "a\nb\\c",
        "location": "Room 1, 2nd floor", "transparency": "transparent", "visibility": "private",
        "start": {"dateTime": "2026-01-05T09:00:00+01:00", "timeZone": "America/New_York"},
        "end": {"dateTime": "2026-01-05T10:30:00+01:00", "timeZone": "America/New_York"},
        "organizer": {"email": "ada@x.test", "displayName": "Ada, L"},
        "attendees": [
            {"email": "ada@x.test", "displayName": "Ada, L", "responseStatus": "accepted", "organizer": true},
            {"email": "op@x.test", "responseStatus": "needsAction", "self": true, "optional": true},
        ],
        "hangoutLink": "https://meet.google.com/a,b;c?d=e",
        "reminders": {"useDefault": false, "overrides": [{"method": "email", "minutes": 1440}]},
    }));
    let file = of_file(
        "BEGIN:VEVENT\r\nUID:e1@google.com\r\nDTSTART;TZID=America/New_York:20260105T030000\r\n\
        DTEND;TZID=America/New_York:20260105T043000\r\nSTATUS:TENTATIVE\r\nSEQUENCE:2\r\nLAST-MODIFIED:20260102T030405Z\r\n\
        SUMMARY:Lunch\\; with\\, \"Ada\"\r\nDESCRIPTION:a\\nb\\\\c\r\nLOCATION:Room 1\\, 2nd floor\r\n\
        TRANSP:TRANSPARENT\r\nCLASS:PRIVATE\r\nORGANIZER;CN=\"Ada, L\":mailto:ada@x.test\r\n\
        ATTENDEE;CN=\"Ada, L\";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:ada@x.test\r\n\
        ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION:mailto:op@x.test\r\n\
        X-GOOGLE-CONFERENCE:https://meet.google.com/a\\,b\\;c?d=e\r\n\
        BEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER:-P1D\r\nEND:VALARM\r\nEND:VEVENT\r\n",
    );
    let [(id, own)] = &fields(single_of(&single))[..] else {
        panic!("one record");
    };
    assert_eq!(id, "op@x.test/e1");
    assert_eq!(own["my_response"], "needs-action");
    assert_eq!(own["attendees"][1]["is_self"], true);
    assert_eq!(own["conference_url"], "https://meet.google.com/a,b;c?d=e");
    assert_eq!(own["title"], "Lunch; with, \"Ada\"");
    assert_eq!(own["calendar"]["id"], "op@x.test");
    assert_eq!(own["calendar"]["is_primary"], true);
    assert_eq!(own["raw"]["id"], "e1");
    assert_eq!(without_own(own.clone()), file);
}

fn single_of(event: &GoogleEvent) -> ToldItem {
    single(event, &calendar())
}

fn series() -> Vec<GoogleEvent> {
    let at = |day: u32| json!({"dateTime": format!("2026-01-{day:02}T09:00:00+01:00"), "timeZone": "Europe/Berlin"});
    vec![
        event(json!({
            "id": "s_20260119T080000Z", "status": "cancelled", "recurringEventId": "s",
            "originalStartTime": {"dateTime": "2026-01-19T03:00:00-05:00", "timeZone": "America/New_York"},
        })),
        event(json!({
            "id": "s_20260112T080000Z", "etag": "2", "iCalUID": "s@google.com", "recurringEventId": "s", "summary": "moved",
            "originalStartTime": at(12), "start": at(13), "end": at(13),
        })),
        event(json!({
            "id": "s", "etag": "1", "iCalUID": "s@google.com", "summary": "weekly", "start": at(5), "end": at(5),
            "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=5", "EXDATE;TZID=Europe/Berlin:20260202T090000", "X-ODD:1"],
            "reminders": {"useDefault": true},
        })),
    ]
}

#[test]
fn a_series_is_one_item_and_a_cancelled_instance_is_left_out_of_its_rule() {
    let records = fields(whole("s", &series(), &calendar()));
    let [(master_id, master), (exception_id, exception)] = &records[..] else {
        panic!("two records: {records:?}");
    };
    assert_eq!(master_id, "op@x.test/s");
    assert_eq!(exception_id, "op@x.test/s#2026-01-12T08:00:00Z");
    assert_eq!(exception["series_source_id"], master_id.as_str());
    assert_eq!(exception["start_at"], "2026-01-13T09:00:00");
    assert_eq!(
        master["reminders"],
        json!([{"method": "display", "minutes_before": 10}])
    );
    let file = of_file(
        "BEGIN:VEVENT\r\nUID:s@google.com\r\nDTSTART;TZID=Europe/Berlin:20260105T090000\r\nSUMMARY:weekly\r\n\
        DTEND;TZID=Europe/Berlin:20260105T090000\r\nRRULE:FREQ=WEEKLY;COUNT=5\r\nSTATUS:CONFIRMED\r\n\
        EXDATE;TZID=Europe/Berlin:20260202T090000\r\nEXDATE;TZID=Europe/Berlin:20260119T090000\r\n\
        BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\nEND:VEVENT\r\n",
    );
    assert_eq!(without_own(master.clone()), file);
}

#[test]
fn a_version_is_of_the_parts_whatever_their_order() {
    let version =
        |parts: &[GoogleEvent], calendar: &GoogleCalendar| match whole("s", parts, calendar) {
            ToldItem::There(item, _) => item.version,
            _ => panic!("it is there"),
        };
    let own = calendar();
    let mut parts = series();
    let before = version(&parts, &own);
    parts.reverse();
    assert_eq!(version(&parts, &own), before);
    assert_ne!(
        version(&parts[..2], &own),
        before,
        "an instance is there again"
    );
    let mut other = calendar();
    other.reminders.clear();
    assert_ne!(
        version(&parts, &other),
        before,
        "it is reminded of otherwise"
    );
}

#[test]
fn days_orphans_and_what_cannot_be_read() {
    let days = event(json!({
        "id": "d", "summary": "days", "start": {"date": "2026-03-28"}, "end": {"date": "2026-03-30"},
        "organizer": {"email": "op@x.test", "self": true}, "endTimeUnspecified": false,
    }));
    let records = fields(single_of(&days));
    assert_eq!(records[0].1["end_date"], "2026-03-30");
    assert_eq!(records[0].1.get("organizer"), None);

    let parts = series();
    let orphan = fields(whole("s", &parts[1..2], &calendar()));
    assert_eq!(orphan[0].0, "op@x.test/s#2026-01-12T08:00:00Z");
    assert!(matches!(
        whole("s", &parts[..1], &calendar()),
        ToldItem::Gone(_)
    ));

    let odd =
        |start: Value| event(json!({"id": "o", "start": start, "end": {"date": "2026-03-30"}}));
    for start in [
        json!({}),
        json!({"date": "2026-02-30"}),
        json!({"date": "2026-03-31"}),
    ] {
        assert!(matches!(single_of(&odd(start)), ToldItem::Unread(..)));
    }
    for nothing in [
        json!([]),
        json!({}),
        json!({"id": 5}),
        json!({"id": "a", "start": 5}),
    ] {
        assert!(GoogleEvent::read(nothing).is_none());
    }
}

proptest! {
    #[test]
    fn texts_come_through_as_they_are(text in "[ -~äß日\n]{1,60}", name in "[ -!#-~äß]{1,30}", mail in "[a-z+'._-]{1,12}") {
        let email = format!("{mail}@x.test");
        let one = event(json!({
            "id": "t", "summary": text, "description": text, "location": text, "start": {"date": "2026-03-28"},
            "end": {"date": "2026-03-29"}, "attendees": [{"email": email, "displayName": name, "self": true}],
            "hangoutLink": format!("https://x.test/{}", text.replace(char::is_whitespace, "")),
        }));
        let records = fields(single_of(&one));
        let own = &records[0].1;
        let trimmed = Some(text.trim()).filter(|text| !text.is_empty());
        for field in ["title", "description", "location"] {
            prop_assert_eq!(own.get(field).and_then(Value::as_str), trimmed);
        }
        let link = format!("https://x.test/{}", text.replace(char::is_whitespace, ""));
        prop_assert_eq!(own["conference_url"].as_str(), Some(link.as_str()));
        let named = Some(name.trim()).filter(|name| !name.is_empty());
        prop_assert_eq!(own["attendees"][0].get("name").and_then(Value::as_str), named);
        prop_assert_eq!(own["attendees"][0]["email"].as_str(), Some(email.as_str()));
        prop_assert_eq!(own["attendees"][0]["is_self"].as_bool(), Some(true));
    }
}
