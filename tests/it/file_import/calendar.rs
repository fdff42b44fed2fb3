//! `.ics`: every fixture completely, and the fields of what is stored.

use serde_json::json;

use super::{fixtures, read, read_bytes, read_bytes_with, read_fixture};
use sextant_formats::{FileError, FileSource, Options};

const ENTRIES: [&str; 4] = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"];
const DEFINITIONS: [&str; 2] = ["VCALENDAR", "VTIMEZONE"];

/// Counts the entries of a file by its BEGIN and END lines alone: those of the four known kinds, and those of other
/// kinds directly below a VCALENDAR.
fn begun_components(text: &str) -> usize {
    let unfolded = text
        .replace("\r\n", "\n")
        .replace("\n ", "")
        .replace("\n\t", "");
    let (mut open, mut count) = (Vec::new(), 0);
    for line in unfolded.lines() {
        if let Some(kind) = line.strip_prefix("BEGIN:") {
            let is_outermost = open.iter().all(|kind| *kind == "VCALENDAR");
            count += usize::from(
                ENTRIES.contains(&kind) || (is_outermost && !DEFINITIONS.contains(&kind)),
            );
            open.push(kind);
        } else if line.strip_prefix("END:") == open.last().copied() {
            open.pop();
        }
    }
    count
}

#[test]
fn stored_plus_refused_are_all_entries_of_every_calendar() {
    let (mut stored, mut refused) = (0, 0);
    for path in fixtures("calendar", "ics") {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let expected = begun_components(&text);
        match read(&FileSource::File(path.clone())) {
            Ok(read) => {
                assert_eq!(
                    read.len(),
                    expected,
                    "{}: {:?}",
                    path.display(),
                    read.refused
                );
                stored += read.records.len();
                refused += read.refused.len();
            }
            Err(error) => {
                assert!(
                    matches!(error, FileError::NotThisFormat(_)),
                    "{}: {error}",
                    path.display()
                );
                assert_eq!(expected, 0, "{}", path.display());
            }
        }
    }
    assert!(
        stored > 200 && refused > 10,
        "{stored} stored, {refused} refused"
    );
}

#[test]
fn a_second_reading_gives_the_same_ids_and_no_id_twice() {
    for path in fixtures("calendar", "ics") {
        let source = FileSource::File(path);
        let (Ok(first), Ok(second)) = (read(&source), read(&source)) else {
            continue;
        };
        assert_eq!(first.ids(), second.ids());
        let different: std::collections::HashSet<_> = first
            .records
            .iter()
            .map(|(.., fields)| format!("{fields:?}"))
            .collect();
        let ids: std::collections::HashSet<_> = first.ids().into_iter().collect();
        assert_eq!(ids.len(), different.len(), "{source:?}");
    }
}

#[test]
fn a_series_keeps_its_zone_its_rule_and_its_calendar() {
    let read = read_fixture("calendar/000.ics");
    let series = read.by_id("CFE00EC6-AB4A-4FCE-A32F-6076BA1D8578");
    assert_eq!(series["start_at"], "2009-03-09T09:00:00");
    assert_eq!(series["end_at"], "2009-03-09T17:00:00");
    assert_eq!(series["time_zone"], "America/Vancouver");
    assert_eq!(series["rrule"], json!(["RRULE:FREQ=WEEKLY;INTERVAL=1"]));
    assert_eq!(series["title"], "Go to work.");
    assert_eq!(series["sequence"], 7);
    assert_eq!(
        (&series["status"], &series["free_busy"]),
        (&json!("confirmed"), &json!("busy"))
    );
    let id = "967F55F6-968E-49EF-A050-DAF6DB680D39";
    let calendar =
        json!({"id": id, "name": "weekly", "color": "#F57802", "time_zone": "America/Vancouver"});
    assert_eq!(series["calendar"], calendar);
    assert_eq!(read.records[0].0, "calendar.series");
}

#[test]
fn todos_and_journals_are_refused_by_place_and_reason() {
    let read = read_fixture("calendar/025.ics");
    let places: Vec<_> = read
        .refused
        .iter()
        .map(|(place, _)| place.as_str())
        .collect();
    let expected = [
        "line 37, VTODO uid4@host1.com",
        "line 55, VJOURNAL uid5@host1.com",
        "line 74, VFREEBUSY",
    ];
    assert_eq!(places, expected);
    assert!(
        read.refused
            .iter()
            .all(|(_, reason)| reason.contains("are not stored"))
    );
}

const SERIES: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:s\r\nDTSTART;TZID=Mine:20260105T090000\r\nDURATION:PT1H\r\n\
RRULE:FREQ=DAILY\r\nEXDATE;TZID=Mine:20260106T090000\r\nATTENDEE;CN=Ann;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:ann@example.com\r\n\
ORGANIZER;CN=Bob:mailto:bob@example.com\r\nCATEGORIES:work,travel\r\nTRANSP:TRANSPARENT\r\nCLASS:PRIVATE\r\nLAST-MODIFIED:20260101T000000Z\r\n\
CONFERENCE;VALUE=URI:https://meet.example/x\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:s\r\nRECURRENCE-ID;TZID=Mine:20260707T090000\r\nDTSTART;TZID=Mine:20260707T110000\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:s\r\nRECURRENCE-ID;TZID=Mine:20260708T090000\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260708T090000\r\nDTSTART:20260707T110000\r\nEND:VEVENT\r\n\
BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n\
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\n\
TZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\nEND:VCALENDAR\r\n";

#[test]
fn an_exception_names_its_series_and_the_instant_it_stands_for() {
    let read = read_bytes("home.ics", SERIES);
    let exception = read.by_id("s/2026-07-07T07:00:00Z");
    assert_eq!(exception["series_source_id"], "s");
    assert_eq!(exception["recurrence_id"], "2026-07-07T07:00:00Z");
    assert_eq!(exception["start_at"], "2026-07-07T11:00:00");
    assert_eq!(exception["status"], "cancelled");
    assert_eq!(exception["calendar"], json!({"id": "home", "name": "home"}));
}

#[test]
fn a_zone_defined_after_its_use_is_found_by_its_offsets() {
    let read = read_bytes("home.ics", SERIES);
    let series = read.by_id("s");
    assert_eq!(series["time_zone"], "Europe/Berlin");
    assert_eq!(
        series["rrule"],
        json!([
            "RRULE:FREQ=DAILY",
            "EXDATE;TZID=Europe/Berlin:20260106T090000"
        ])
    );
}

#[test]
fn people_reminders_and_states_are_read() {
    let read = read_bytes("home.ics", SERIES);
    let series = read.by_id("s");
    let ann = json!({"name": "Ann", "email": "ann@example.com", "role": "optional", "participation_status": "accepted"});
    assert_eq!(series["attendees"], json!([ann]));
    assert_eq!(
        series["organizer"],
        json!({"name": "Bob", "email": "bob@example.com"})
    );
    assert_eq!(
        series["reminders"],
        json!([{"method": "display", "minutes_before": 15}])
    );
    assert_eq!(series["categories"], json!(["work", "travel"]));
    assert_eq!(
        (&series["free_busy"], &series["privacy"]),
        (&json!("free"), &json!("private"))
    );
    assert_eq!(series["conference_url"], "https://meet.example/x");
    assert_eq!(series["updated_at"], "2026-01-01T00:00:00Z");
    assert!(
        series["raw_ical"]
            .as_str()
            .unwrap()
            .starts_with("BEGIN:VEVENT\r\nUID:s\r\n")
    );
}

#[test]
fn what_outlook_says_of_the_time_is_kept() {
    let event = |uid: &str, more: &str| {
        format!("BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:20260601T120000Z\r\n{more}END:VEVENT\r\n")
    };
    let table = [
        ("X-MICROSOFT-CDO-BUSYSTATUS:OOF\r\n", "oof"),
        (
            "TRANSP:OPAQUE\r\nX-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE\r\n",
            "tentative",
        ),
        (
            "X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE\r\n",
            "workingElsewhere",
        ),
        ("X-MICROSOFT-CDO-BUSYSTATUS:FREE\r\n", "free"),
        (
            "TRANSP:TRANSPARENT\r\nX-MICROSOFT-CDO-BUSYSTATUS:OOF\r\n",
            "free",
        ),
        ("", "busy"),
    ];
    let events: String = table
        .iter()
        .enumerate()
        .map(|(at, (more, _))| event(&at.to_string(), more))
        .collect();
    let calendar = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
    let read = read_bytes("a.ics", calendar);
    for (at, (more, expected)) in table.iter().enumerate() {
        assert_eq!(
            read.by_id(&at.to_string())["free_busy"],
            *expected,
            "{more}"
        );
    }
}

#[test]
fn a_zone_like_no_other_serves_a_single_event_and_not_a_series() {
    let odd = SERIES.replace("+0200", "+0217");
    let read = read_bytes("home.ics", odd);
    assert!(
        read.refused[0].1.contains("like no zone"),
        "{:?}",
        read.refused
    );
    let exception = read.by_id("s/2026-07-07T06:43:00Z");
    assert_eq!(exception["start_at"], "2026-07-07T08:43:00Z");
    assert_eq!(exception["time_zone"], "UTC");
}

#[test]
fn a_message_about_an_event_is_not_the_event() {
    let read = read_fixture("calendar/400.ics");
    assert_eq!(read.records.len(), 0);
    assert!(read.refused[0].1.contains("METHOD:ADD"));
}

/// A floating event, one with a zone of its own, a day, and a floating exception to a series.
const FLOATING: &str = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:f\nDTSTART:20260701T100000\nDTEND:20260701T110000\nEND:VEVENT\n\
    BEGIN:VEVENT\nUID:z\nDTSTART;TZID=Europe/Berlin:20260701T100000\nEND:VEVENT\n\
    BEGIN:VEVENT\nUID:u\nDTSTART:20260701T100000Z\nEND:VEVENT\n\
    BEGIN:VEVENT\nUID:d\nDTSTART;VALUE=DATE:20260701\nEND:VEVENT\n\
    BEGIN:VEVENT\nDTSTART:20260702T100000\nSUMMARY:without a name\nEND:VEVENT\n\
    BEGIN:VEVENT\nUID:s\nRECURRENCE-ID:20260702T100000\nDTSTART:20260702T120000\nEND:VEVENT\nEND:VCALENDAR\n";

#[test]
fn a_time_without_a_zone_is_of_the_files_zone_else_of_the_persons_word() {
    let named = |zone: &str| {
        let line = format!("BEGIN:VCALENDAR\nX-WR-TIMEZONE:{zone}");
        FLOATING.replacen("BEGIN:VCALENDAR", &line, 1)
    };
    let said = Options {
        zone: Some(chrono_tz::Asia::Tokyo),
        ..Options::default()
    };
    let none = Options::default();
    let mut ids = Vec::new();
    for (text, options, expected) in [
        (FLOATING.to_owned(), &none, json!(null)),
        (FLOATING.to_owned(), &said, json!("Asia/Tokyo")),
        (named("America/New_York"), &said, json!("America/New_York")),
        (named("America/New_York"), &none, json!("America/New_York")),
        (named("Nowhere/Middle"), &said, json!("Asia/Tokyo")),
        (named("Nowhere/Middle"), &none, json!(null)),
    ] {
        let read = read_bytes_with("a.ics", text, options).unwrap();
        let zone = |id: &str| read.by_id(id).get("time_zone").cloned().unwrap_or_default();
        assert_eq!(
            (zone("f"), zone("s/2026-07-02T10:00:00")),
            (expected.clone(), expected)
        );
        assert_eq!(read.by_id("f")["start_at"], "2026-07-01T10:00:00");
        assert_eq!(
            (zone("z"), zone("u")),
            (json!("Europe/Berlin"), json!("UTC"))
        );
        assert!(!read.by_id("d").contains_key("time_zone"));
        ids.push(
            read.ids()
                .iter()
                .map(|id| (*id).to_owned())
                .collect::<Vec<_>>(),
        );
    }
    // The zone that the person gives is no part of an event's id.
    assert_eq!(ids[0], ids[1]);
}
