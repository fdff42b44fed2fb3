//! Events: one with everything that an event can say, a whole day, and a series across the beginning of summer time, whose first
//! occurrence and one other are moved and one is cancelled.

use serde_json::{Value, json};
use sextant_connectors::dav::{DavFeed, DavKind};
use sextant_connectors::secret::SourceSecret;

use super::{by_file, by_rounds, without};
use crate::google::stage::Stage;
use crate::microsoft::stage::{Sector, World};
use crate::support::dav_server::{PASSWORD, Peer, USER};
use crate::support::store::Store;

/// What only the one who has the calendar knows: a file does not say which guest one is.
const OWN_ANSWER: &str = "my_response";

/// Components of iCalendar, in the words of RFC 5545.
const WHOLE: &str = "BEGIN:VEVENT\r\nUID:w@x\r\nDTSTAMP:20260101T000000Z\r\n\
    DTSTART;TZID=Europe/Berlin:20260701T090000\r\nDTEND;TZID=Europe/Berlin:20260701T101500\r\n\
    SUMMARY:Plan\\, \"it\"\\; now\r\nDESCRIPTION:First line\\nsecond \\\\ line\r\nLOCATION:Room 1\\, left\r\n\
    STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nCLASS:PRIVATE\r\nLAST-MODIFIED:20260102T030405Z\r\n\
    ORGANIZER;CN=\"Doe, Ann\":mailto:ann@x.test\r\n\
    ATTENDEE;CN=\"Doe, Ann\";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:ann@x.test\r\n\
    ATTENDEE;CN=Bob;ROLE=OPT-PARTICIPANT;PARTSTAT=TENTATIVE:mailto:bob@x.test\r\n\
    BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n";

const DAY: &str = "BEGIN:VEVENT\r\nUID:d@x\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20261003\r\n\
    DTEND;VALUE=DATE:20261005\r\nSUMMARY:Away\r\nSTATUS:CONFIRMED\r\nTRANSP:TRANSPARENT\r\nCLASS:PUBLIC\r\n\
    LAST-MODIFIED:20260102T030405Z\r\nEND:VEVENT\r\n";

const SERIES: &str = "BEGIN:VEVENT\r\nUID:s@x\r\nDTSTAMP:20260101T000000Z\r\n\
    DTSTART;TZID=Europe/Berlin:20260302T100000\r\nDTEND;TZID=Europe/Berlin:20260302T103000\r\nSUMMARY:Standup\r\n\
    RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=MO;COUNT=6\r\nEXDATE;TZID=Europe/Berlin:20260316T100000\r\n\
    STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nCLASS:PUBLIC\r\nLAST-MODIFIED:20260102T030405Z\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:s@x\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID;TZID=Europe/Berlin:20260302T100000\r\n\
    DTSTART;TZID=Europe/Berlin:20260303T120000\r\nDTEND;TZID=Europe/Berlin:20260303T123000\r\nSUMMARY:Standup\\, moved\r\n\
    STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nCLASS:PUBLIC\r\nLAST-MODIFIED:20260102T030405Z\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:s@x\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID;TZID=Europe/Berlin:20260330T100000\r\n\
    DTSTART;TZID=Europe/Berlin:20260330T150000\r\nDTEND;TZID=Europe/Berlin:20260330T153000\r\nSUMMARY:Standup\\, later\r\n\
    STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nCLASS:PUBLIC\r\nLAST-MODIFIED:20260102T030405Z\r\nEND:VEVENT\r\n";

fn file(components: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n{components}END:VCALENDAR\r\n")
}

/// Each by a file of it.
fn filed() -> [Vec<Value>; 3] {
    let filed = [WHOLE, DAY, SERIES].map(|components| by_file("calendar.ics", &file(components)));
    assert_eq!(filed.each_ref().map(Vec::len), [1, 1, 3]);
    filed
}

#[tokio::test]
async fn an_event_by_caldav_has_the_columns_of_its_file() {
    for (components, filed) in [WHOLE, DAY, SERIES].into_iter().zip(filed()) {
        let Some(server) = Peer::Radicale.start("same_events_by_caldav").await else {
            return;
        };
        server.put("/op/cal/a.ics", &file(components)).await;
        let (guard, password) = (server.guard(), SourceSecret::new(PASSWORD));
        let feed = DavFeed::new(DavKind::Calendar, guard, server.typed(), USER, &password);
        let mut store = Store::default();
        store.sync(&feed.unwrap(), super::now()).await.unwrap();
        assert_eq!(by_rounds(&store, "calendar.series"), filed);
    }
}

/// A time of Google's.
fn google_time(local: &str, offset: &str) -> Value {
    json!({"dateTime": format!("{local}{offset}"), "timeZone": "Europe/Berlin"})
}

fn google_event(title: &str, [start, end]: [&str; 2], offset: &str) -> Value {
    json!({
        "summary": title, "start": google_time(start, offset), "end": google_time(end, offset),
        "visibility": "public", "updated": "2026-01-02T03:04:05.000Z", "reminders": {"useDefault": false},
    })
}

fn google_whole() -> Value {
    let mut event = google_event(
        "Plan, \"it\"; now",
        ["2026-07-01T09:00:00", "2026-07-01T10:15:00"],
        "+02:00",
    );
    event["description"] = json!("First line\nsecond \\ line");
    event["location"] = json!("Room 1, left");
    event["visibility"] = json!("private");
    event["organizer"] = json!({"email": "ann@x.test", "displayName": "Doe, Ann"});
    event["attendees"] = json!([
        {"email": "ann@x.test", "displayName": "Doe, Ann", "responseStatus": "accepted", "organizer": true},
        {"email": "bob@x.test", "displayName": "Bob", "responseStatus": "tentative", "optional": true},
    ]);
    event["reminders"] =
        json!({"useDefault": false, "overrides": [{"method": "popup", "minutes": 15}]});
    event
}

#[tokio::test]
async fn r120_an_event_of_google_has_the_columns_of_its_file() {
    let Some(mut stage) = Stage::start("r120_same_events").await else {
        return;
    };
    let day = json!({
        "summary": "Away", "start": {"date": "2026-10-03"}, "end": {"date": "2026-10-05"}, "transparency": "transparent",
        "visibility": "public", "updated": "2026-01-02T03:04:05.000Z", "reminders": {"useDefault": false},
    });
    let series = {
        let mut series = google_event(
            "Standup",
            ["2026-03-02T10:00:00", "2026-03-02T10:30:00"],
            "+01:00",
        );
        series["recurrence"] = json!(["RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=MO;COUNT=6"]);
        series
    };
    let exception = |title, times, offset, [original, original_offset]: [&str; 2]| {
        let mut event = google_event(title, times, offset);
        event["recurringEventId"] = json!("s");
        event["originalStartTime"] = google_time(original, original_offset);
        event
    };
    let first = exception(
        "Standup, moved",
        ["2026-03-03T12:00:00", "2026-03-03T12:30:00"],
        "+01:00",
        ["2026-03-02T10:00:00", "+01:00"],
    );
    let later = exception(
        "Standup, later",
        ["2026-03-30T15:00:00", "2026-03-30T15:30:00"],
        "+02:00",
        ["2026-03-30T10:00:00", "+02:00"],
    );
    let cancelled = json!({
        "recurringEventId": "s", "originalStartTime": google_time("2026-03-16T10:00:00", "+01:00"),
    });
    for (events, filed) in [
        vec![("w", google_whole())],
        vec![("d", day)],
        vec![
            ("s", series),
            ("s_1", first),
            ("s_5", later),
            ("s_3", cancelled),
        ],
    ]
    .into_iter()
    .zip(filed())
    {
        {
            let mut google = stage.google();
            google.agenda.calendars.clear();
            google.agenda.add("op@x.test", "Op");
            let calendar = google.agenda.calendar("op@x.test");
            for (id, mut event) in events {
                event["iCalUID"] = json!(format!("{}@x", &id[..1]));
                calendar.put(id, event);
            }
            calendar.cancel("s_3");
        }
        stage.calendar = Store::default();
        stage.sync_calendar().await.unwrap();
        assert_eq!(by_rounds(&stage.calendar, "calendar.series"), filed);
    }
}

/// A time of Graph's, which is asked for times in UTC.
fn graph_time(at: &str) -> Value {
    json!({"dateTime": format!("{at}.0000000"), "timeZone": "UTC"})
}

fn graph_event(id: &str, title: &str, [start, end]: [&str; 2]) -> Value {
    json!({
        "id": id, "type": "singleInstance", "iCalUId": format!("{id}@x"), "subject": title, "isAllDay": false,
        "start": graph_time(start), "end": graph_time(end), "originalStartTimeZone": "W. Europe Standard Time",
        "showAs": "busy", "sensitivity": "normal", "lastModifiedDateTime": "2026-01-02T03:04:05.1234567Z",
    })
}

fn graph_whole() -> Value {
    let person = |name: &str, address: &str| json!({"name": name, "address": address});
    let mut event = graph_event(
        "w",
        "Plan, \"it\"; now",
        ["2026-07-01T07:00:00", "2026-07-01T08:15:00"],
    );
    event["body"] = json!({"contentType": "text", "content": "First line\r\nsecond \\ line"});
    event["location"] = json!({"displayName": "Room 1, left"});
    event["sensitivity"] = json!("private");
    event["organizer"] = json!({"emailAddress": person("Doe, Ann", "ann@x.test")});
    event["attendees"] = json!([
        {"type": "required", "status": {"response": "accepted"}, "emailAddress": person("Doe, Ann", "ann@x.test")},
        {"type": "optional", "status": {"response": "tentativelyAccepted"}, "emailAddress": person("Bob", "bob@x.test")},
    ]);
    event["responseStatus"] = json!({"response": "accepted"});
    event["isReminderOn"] = json!(true);
    event["reminderMinutesBeforeStart"] = json!(15);
    event
}

fn graph_series() -> Value {
    let mut series = graph_event(
        "s",
        "Standup",
        ["2026-03-02T09:00:00", "2026-03-02T09:30:00"],
    );
    series["type"] = json!("seriesMaster");
    series["recurrence"] = json!({
        "pattern": {"type": "weekly", "interval": 1, "daysOfWeek": ["monday"], "firstDayOfWeek": "monday"},
        "range": {"type": "numbered", "startDate": "2026-03-02", "numberOfOccurrences": 6},
    });
    series
}

fn graph_exception(id: &str, title: &str, times: [&str; 2], replaces: &str) -> Value {
    let mut event = graph_event(id, title, times);
    event["type"] = json!("exception");
    event["seriesMasterId"] = json!("s");
    event["originalStart"] = json!(replaces);
    event
}

#[tokio::test]
async fn an_event_of_microsoft_has_the_columns_of_its_file() {
    const VIEW: &str = "calendars/cal/calendarView";
    let day = {
        let mut day = graph_event("d", "Away", ["2026-10-03T00:00:00", "2026-10-05T00:00:00"]);
        (day["isAllDay"], day["showAs"]) = (json!(true), json!("free"));
        day
    };
    let exceptions = [
        graph_exception(
            "s1",
            "Standup, moved",
            ["2026-03-03T11:00:00", "2026-03-03T11:30:00"],
            "2026-03-02T09:00:00Z",
        ),
        graph_exception(
            "s5",
            "Standup, later",
            ["2026-03-30T13:00:00", "2026-03-30T13:30:00"],
            "2026-03-30T08:00:00Z",
        ),
    ];
    let mut whole_series = graph_series();
    whole_series["exceptionOccurrences"] = json!(exceptions);
    whole_series["cancelledOccurrences"] = json!(["OID.s.2026-03-16"]);
    let occurrence = |id: &str| json!({"id": id, "type": "occurrence", "seriesMasterId": "s"});
    let [first, later] = exceptions;
    let series = vec![
        graph_series(),
        first,
        occurrence("s2"),
        occurrence("s4"),
        later,
        occurrence("s6"),
    ];
    for (events, filed) in [vec![graph_whole()], vec![day], series]
        .into_iter()
        .zip(filed())
    {
        let Some(mut world) = World::start("same_events_of_microsoft", Sector::Calendar).await
        else {
            return;
        };
        {
            let mut graph = world.graph();
            graph.put("calendars", json!({"id": "cal", "name": "Calendar"}));
            graph
                .singles
                .insert("events/s".to_owned(), whole_series.clone());
            events.into_iter().for_each(|event| graph.put(VIEW, event));
        }
        world.sync().await.unwrap();
        let told = by_rounds(&world.store, "calendar.series");
        assert_eq!(without(&told, &[OWN_ANSWER]), filed);
    }
}
