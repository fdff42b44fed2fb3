//! What a person changes in their calendars, and what of it a round changes here.

use serde_json::json;

use super::stage::Stage;
use crate::support::stand_ins::google::agenda::{at, daily, event};

const OP: &str = "op@x.test";
const NONE: [&str; 0] = [];

#[tokio::test]
async fn r120_events_come_change_and_go() {
    let Some(mut stage) = Stage::start("r120_events_come").await else {
        return;
    };
    for (id, title) in [("a", "A"), ("b", "B")] {
        stage.google().agenda.calendar(OP).put(id, event(title));
    }
    let first = stage.sync_calendar().await.unwrap();
    assert_eq!(first, [OP, "op@x.test/a", "op@x.test/b"]);
    stage.assert_calendar_equal("first");
    assert_eq!(
        stage.sync_calendar().await.unwrap(),
        NONE,
        "an unchanged round"
    );

    {
        let mut google = stage.google();
        let calendar = google.agenda.calendar(OP);
        calendar.put("a", event("later"));
        calendar.delete("b", false);
        calendar.put("c", event("C"));
    }
    let changed = stage.sync_calendar().await.unwrap();
    assert_eq!(changed, ["op@x.test/a", "op@x.test/b", "op@x.test/c"]);
    stage.assert_calendar_equal("changes");
    let asked = stage.asked();
    let last = asked.last().unwrap();
    assert!(
        last.contains("syncToken=") && !last.contains("iCalUID"),
        "{last}"
    );

    stage.google().agenda.calendar(OP).put("b", event("B"));
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/b"]);
    stage.assert_calendar_equal("back");
}

#[tokio::test]
async fn exceptions_and_cancelled_instances_come_and_go() {
    let Some(mut stage) = Stage::start("exceptions_come_and_go").await else {
        return;
    };
    stage.google().agenda.calendar(OP).put("s", daily("daily"));
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("a series");

    stage.google().agenda.calendar(OP).except("s", 3, "moved");
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
    stage.assert_calendar_equal("an exception");
    let records = stage.calendar.records("calendar.series");
    let exception = &records["op@x.test/s#2026-01-03T08:00:00Z"].fields;
    assert_eq!(exception["series_source_id"], "op@x.test/s");
    assert_eq!(exception["start_at"], "2026-01-04T09:00:00");

    stage.google().agenda.calendar(OP).take("s", 4);
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
    stage.assert_calendar_equal("an instance is cancelled");
    let records = stage.calendar.records("calendar.series");
    let rule = &records["op@x.test/s"].fields["rrule"];
    let lines = [
        "RRULE:FREQ=DAILY;COUNT=28",
        "EXDATE;TZID=Europe/Berlin:20260104T090000",
    ];
    assert_eq!(*rule, json!(lines));

    // An exception is cancelled, a cancelled instance is back, the master is called otherwise.
    {
        let mut google = stage.google();
        let calendar = google.agenda.calendar(OP);
        calendar.take("s", 3);
        calendar.except("s", 4, "back");
        calendar.put("s", daily("renamed"));
    }
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
    stage.assert_calendar_equal("the other way round");
    assert_eq!(stage.sync_calendar().await.unwrap(), NONE);
}

#[tokio::test]
async fn a_series_goes_with_all_its_parts() {
    let Some(mut stage) = Stage::start("a_series_goes").await else {
        return;
    };
    for tells_parts in [false, true] {
        {
            let mut google = stage.google();
            let calendar = google.agenda.calendar(OP);
            calendar.put("s", daily("daily"));
            calendar.except("s", 3, "moved");
            calendar.take("s", 4);
        }
        stage.sync_calendar().await.unwrap();
        stage.assert_calendar_equal("there");
        stage.google().agenda.calendar(OP).delete("s", tells_parts);
        assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
        stage.assert_calendar_equal("gone");
        assert!(stage.calendar.records("calendar.series").is_empty());
    }
}

#[tokio::test]
async fn a_series_that_repeats_no_more_stays_as_one_event() {
    let Some(mut stage) = Stage::start("a_series_that_repeats_no_more").await else {
        return;
    };
    {
        let mut google = stage.google();
        let calendar = google.agenda.calendar(OP);
        calendar.put("s", daily("daily"));
        calendar.except("s", 3, "moved");
    }
    stage.sync_calendar().await.unwrap();
    stage.google().agenda.calendar(OP).make_single("s", "once");
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
    stage.assert_calendar_equal("changes");
    // Everything is listed anew, cancelled instances too.
    stage.google().agenda.calendar(OP).forget();
    assert_eq!(stage.sync_calendar().await.unwrap(), NONE);
    stage.assert_calendar_equal("a pass");
    stage.google().agenda.calendar(OP).put("s", daily("again"));
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("repeats again");
}

#[tokio::test]
async fn an_exception_without_its_series_is_kept() {
    let Some(mut stage) = Stage::start("an_exception_without_its_series").await else {
        return;
    };
    // One was invited to single instances; nobody tells the series.
    stage.google().agenda.calendar(OP).except("s", 3, "guest");
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("an instance");
    stage
        .google()
        .agenda
        .calendar(OP)
        .except("s", 5, "guest too");
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
    stage.assert_calendar_equal("another");
    // It is cancelled without a word of its UID: only a list of everything says what is left.
    stage.google().agenda.calendar(OP).take("s", 3);
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/s"]);
    stage.assert_calendar_equal("cancelled");
}

#[tokio::test]
async fn an_expired_token_is_a_pass_that_changes_only_what_changed() {
    let Some(mut stage) = Stage::start("an_expired_token").await else {
        return;
    };
    {
        let mut google = stage.google();
        google.agenda.page_max = 2;
        let calendar = google.agenda.calendar(OP);
        for id in ["a", "b", "c", "d", "e"] {
            calendar.put(id, event(id));
        }
        calendar.put("s", daily("daily"));
        calendar.except("s", 3, "moved");
        calendar.take("s", 4);
    }
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("in pages");
    {
        let mut google = stage.google();
        let calendar = google.agenda.calendar(OP);
        calendar.delete("b", false);
        calendar.put("f", event("f"));
        calendar.forget();
    }
    let changed = stage.sync_calendar().await.unwrap();
    assert_eq!(changed, ["op@x.test/b", "op@x.test/f"]);
    stage.assert_calendar_equal("a pass");

    // No list of changes says that events are reminded of otherwise.
    let reminders = json!([{"method": "email", "minutes": 60}]);
    let entry = |stage: &Stage, value| {
        let mut google = stage.google();
        google
            .agenda
            .calendar(OP)
            .entry
            .insert("defaultReminders".to_owned(), value);
    };
    entry(&stage, reminders);
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("reminders");
    assert_eq!(stage.sync_calendar().await.unwrap(), NONE);
}

#[tokio::test]
async fn calendars_come_and_go_with_their_events() {
    let Some(mut stage) = Stage::start("calendars_come_and_go").await else {
        return;
    };
    let holidays = "de.german#holiday@group.v.calendar.google.com";
    {
        let mut google = stage.google();
        google.agenda.page_max = 1;
        google.agenda.add(holidays, "Holidays");
        google.agenda.add("hidden", "Hidden");
        google
            .agenda
            .calendar("hidden")
            .entry
            .insert("hidden".to_owned(), json!(true));
        let day = json!({"summary": "Day", "start": {"date": "2026-10-03"}, "end": {"date": "2026-10-04"}});
        google.agenda.calendar(holidays).put("x", day);
        // The same event in two calendars of one person bears the same id.
        google.agenda.calendar("hidden").put("x", event("X"));
        google.agenda.calendar(OP).put("x", event("X"));
    }
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("three");
    let calendars = stage.calendar.records("calendar.calendars");
    assert_eq!(calendars["hidden"].fields["is_hidden"], true);
    assert_eq!(calendars[OP].fields["color"], "#0088aa");
    assert_eq!(calendars[OP].fields["access_role"], "owner");

    {
        let mut google = stage.google();
        google.agenda.calendars.remove("hidden");
        google
            .agenda
            .calendar(OP)
            .entry
            .insert("summary".to_owned(), json!("Renamed"));
    }
    let changed = stage.sync_calendar().await.unwrap();
    assert_eq!(changed, ["hidden", "hidden/x", OP]);
    stage.assert_calendar_equal("two");

    // One whose owner has taken it away stays in the list; its events stay as they were.
    stage.google().agenda.calendar(holidays).is_withdrawn = true;
    stage.google().agenda.calendar(OP).put("y", event("Y"));
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/y"]);
    assert_eq!(stage.calendar.skipped.len(), 1);
    assert!(stage.calendar.skipped[0].reason.contains("404"));
    stage.assert_calendar_equal("withdrawn");
}

#[tokio::test]
async fn what_cannot_be_read_does_not_hold_up_the_rest() {
    let Some(mut stage) = Stage::start("google_what_cannot_be_read").await else {
        return;
    };
    let odd = |start| json!({"summary": "seeded", "start": start, "end": at(5)});
    {
        let mut google = stage.google();
        let calendar = google.agenda.calendar(OP);
        calendar.put("a", event("A"));
        calendar.put("b", event("B"));
    }
    stage.sync_calendar().await.unwrap();
    stage.served.suspend_contract();
    {
        let mut google = stage.google();
        let calendar = google.agenda.calendar(OP);
        calendar.put("b", odd(json!(5)));
        calendar.put("c", odd(json!({"date": "never"})));
        calendar.put("d", event("D"));
    }
    assert_eq!(stage.sync_calendar().await.unwrap(), ["op@x.test/d"]);
    let skipped = &stage.calendar.skipped;
    let keys: Vec<_> = skipped.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["op@x.test/b", "op@x.test/c"]);
    assert!(!format!("{skipped:?}").contains("seeded"));
    // In a pass too it stays as it is stored.
    stage.google().agenda.calendar(OP).forget();
    assert_eq!(stage.sync_calendar().await.unwrap(), NONE);
    assert_eq!(
        stage.calendar.keys(OP),
        ["op@x.test/a", "op@x.test/b", "op@x.test/d"]
    );
}
