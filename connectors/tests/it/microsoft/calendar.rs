//! Calendars: single events, series with what is not by their rule, windows that move, and pages without end.

use chrono::Duration;
use serde_json::{Value, json};

use super::event;
use super::stage::{Sector, World};

const VIEW: &str = "calendars/cal/calendarView";

async fn world(test: &str) -> Option<World> {
    let world = World::start(test, Sector::Calendar).await?;
    let calendar =
        json!({"id": "cal", "name": "Calendar", "hexColor": "#abcdef", "isDefaultCalendar": true});
    world.graph().put("calendars", calendar);
    for number in 0..4 {
        world
            .graph()
            .put(VIEW, single(&format!("e{number}"), "Plan"));
    }
    Some(world)
}

fn single(id: &str, title: &str) -> Value {
    event(id, title, "2026-03-09T09:00:00", "2026-03-09T10:00:00")
}

/// A series on Mondays at 10 in Berlin, from 2 March on, of which some are cancelled and one is moved.
pub fn series(world: &World, cancelled: &[&str], moved: Option<&str>) {
    let mut master = event("s", "Standup", "2026-03-02T09:00:00", "2026-03-02T09:30:00");
    master["type"] = json!("seriesMaster");
    master["recurrence"] = json!({
        "pattern": {"type": "weekly", "interval": 1, "daysOfWeek": ["monday"], "firstDayOfWeek": "monday"},
        "range": {"type": "noEnd", "startDate": "2026-03-02"},
    });
    let occurrences = ["2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23"];
    for day in occurrences {
        let id = format!("o-{day}");
        let is_there = world.graph().there(VIEW).contains_key(&id);
        if cancelled.contains(&day) && is_there {
            world.graph().remove(VIEW, &id);
        } else if !cancelled.contains(&day) && !is_there {
            let [start, end] = ["09:00:00", "09:30:00"].map(
                |time| json!({"dateTime": format!("{day}T{time}.0000000"), "timeZone": "UTC"}),
            );
            world.graph().put(
                VIEW,
                json!({"id": id, "type": "occurrence", "seriesMasterId": "s", "start": start, "end": end}),
            );
        }
    }
    world.graph().put(VIEW, master.clone());
    let mut whole = master;
    let cancelled = cancelled.iter().map(|day| format!("OID.s.{day}"));
    whole["cancelledOccurrences"] = cancelled.collect::<Vec<_>>().into();
    whole["exceptionOccurrences"] = moved.into_iter().map(exception).collect::<Vec<_>>().into();
    world.graph().singles.insert("events/s".to_owned(), whole);
}

fn exception(day: &str) -> Value {
    let mut moved = event(
        &format!("o-{day}"),
        "Standup, later",
        &format!("{day}T13:00:00"),
        &format!("{day}T13:30:00"),
    );
    moved["type"] = json!("exception");
    moved["seriesMasterId"] = json!("s");
    moved["originalStart"] = json!(format!("{day}T09:00:00Z"));
    moved
}

#[tokio::test]
async fn events_are_read_changed_and_removed() {
    let Some(mut world) = world("calendar").await else {
        return;
    };
    world.sync().await.unwrap();
    world.assert_equal("cal", VIEW);
    let calendar = world.store.records("calendar.calendars")["cal"]
        .fields
        .clone();
    let expected = json!({"name": "Calendar", "color": "#abcdef", "is_primary": true});
    assert_eq!(Value::Object(calendar), expected);
    let first = world.store.records("calendar.series")["cal/e0"]
        .fields
        .clone();
    assert_eq!(
        (&first["title"], &first["time_zone"]),
        (&json!("Plan"), &json!("Europe/Berlin"))
    );
    assert_eq!(first["calendar"]["name"], "Calendar");

    world.graph().put(VIEW, single("e1", "Other plan"));
    world.graph().remove(VIEW, "e2");
    world.sync().await.unwrap();
    world.store.changed.sort();
    assert_eq!(world.store.changed, ["e1", "e2"]);
    world.assert_equal("cal", VIEW);
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, [""; 0]);
}

#[tokio::test]
async fn a_series_is_one_item_with_its_exceptions() {
    let Some(mut world) = world("series").await else {
        return;
    };
    series(&world, &[], None);
    world.sync().await.unwrap();
    let rule =
        |world: &World| world.store.records("calendar.series")["cal/s"].fields["rrule"].clone();
    assert_eq!(rule(&world), json!(["RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=MO"]));
    assert_eq!(world.store.records("calendar.series").len(), 5);

    // One is cancelled: only that occurrence is told, and the series is asked for.
    let master = world.graph().there(VIEW)["s"].clone();
    series(&world, &["2026-03-09"], None);
    world.sync().await.unwrap();
    assert_eq!(rule(&world)[1], "EXDATE;TZID=Europe/Berlin:20260309T100000");
    assert_eq!(master["subject"], "Standup");

    world.graph().put(VIEW, exception("2026-03-16"));
    series(&world, &["2026-03-09"], Some("2026-03-16"));
    world.sync().await.unwrap();
    let records = world.store.records("calendar.series");
    let moved = &records["cal/s#2026-03-16T09:00:00Z"].fields;
    assert_eq!(
        (&moved["title"], &moved["start_at"]),
        (&json!("Standup, later"), &json!("2026-03-16T14:00:00"))
    );
    assert_eq!(moved["series_source_id"], "cal/s");

    for id in ["s", "o-2026-03-02", "o-2026-03-16", "o-2026-03-23"] {
        world.graph().remove(VIEW, id);
    }
    world.graph().singles.remove("events/s");
    world.sync().await.unwrap();
    world.assert_equal("cal", VIEW);
}

#[tokio::test]
async fn an_occurrence_that_is_cancelled_by_itself_is_known_to_be_of_its_series() {
    let Some(mut world) = world("occurrence").await else {
        return;
    };
    series(&world, &[], None);
    world.sync().await.unwrap();
    world.graph().remove(VIEW, "o-2026-03-23");
    let whole = world.graph().singles["events/s"].clone();
    let mut cancelled = whole;
    cancelled["cancelledOccurrences"] = json!(["OID.s.2026-03-23"]);
    world
        .graph()
        .singles
        .insert("events/s".to_owned(), cancelled);
    world.sync().await.unwrap();
    let series = world.store.records("calendar.series")["cal/s"]
        .fields
        .clone();
    assert_eq!(
        series["rrule"][1],
        "EXDATE;TZID=Europe/Berlin:20260323T100000"
    );
}

#[tokio::test]
async fn a_window_moves_on_after_a_week_and_the_past_stays() {
    let Some(mut world) = world("window_moves").await else {
        return;
    };
    world.sync().await.unwrap();
    world.asked("");
    world.sync().await.unwrap();
    assert_eq!(world.asked("startDateTime"), 0);
    world.now += Duration::days(8);
    world.sync().await.unwrap();
    assert_eq!(world.asked("startDateTime=2025-12-"), 1);
    assert_eq!(
        world.store.changed, [""; 0],
        "an unchanged pass changes nothing"
    );

    // Half a year later Graph's window shows none of them.
    world.now += Duration::days(180);
    world.graph().age += 1;
    world.graph().put(
        VIEW,
        event("new", "New", "2026-09-09T09:00:00", "2026-09-09T10:00:00"),
    );
    world.sync().await.unwrap();
    assert_eq!(world.store.keys("cal"), ["e0", "e1", "e2", "e3", "new"]);
}

#[tokio::test]
async fn only_the_window_is_asked_for_and_a_wider_one_brings_the_rest() {
    let Some(mut world) = world("window").await else {
        return;
    };
    // What lasts into the window is in it, what ended before is not; of a series any occurrence counts.
    for (id, start, end) in [
        ("before", "2026-01-05T09:00:00", "2026-01-05T10:00:00"),
        ("into", "2026-01-05T09:00:00", "2026-02-20T10:00:00"),
        ("far", "2030-01-05T09:00:00", "2030-01-05T10:00:00"),
    ] {
        world.graph().put(VIEW, event(id, id, start, end));
    }
    series(&world, &[], None);
    world.back = Some(Duration::days(30));
    world.sync().await.unwrap();
    assert_eq!(world.asked("startDateTime=2026-01-30T"), 1);
    let singles = |world: &World| {
        let mut keys: Vec<_> = world
            .store
            .keys("cal")
            .into_iter()
            .map(str::to_owned)
            .collect();
        keys.retain(|key| !key.starts_with("o-"));
        keys
    };
    assert_eq!(singles(&world), ["e0", "e1", "e2", "e3", "into", "s"]);

    // One that leaves the view is told to be gone from it, one outside is told nothing of.
    world.graph().put(
        VIEW,
        event("e3", "Plan", "2030-01-05T09:00:00", "2030-01-05T10:00:00"),
    );
    world.graph().put(
        VIEW,
        event(
            "before",
            "Other",
            "2026-01-05T09:00:00",
            "2026-01-05T10:00:00",
        ),
    );
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, ["e3"]);
    assert_eq!(singles(&world), ["e0", "e1", "e2", "into", "s"]);

    world.back = Some(Duration::days(90));
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, ["before"]);
    assert_eq!(singles(&world), ["before", "e0", "e1", "e2", "into", "s"]);
}

#[tokio::test]
async fn pages_without_end_are_read_as_a_plain_list() {
    let Some(mut world) = world("endless").await else {
        return;
    };
    world.graph().page_items = 2;
    world.graph().is_endless = true;
    series(&world, &[], None);
    world.sync().await.unwrap();
    let events = world.store.records("calendar.series");
    assert_eq!(
        events.keys().copied().collect::<Vec<_>>(),
        ["cal/e0", "cal/e1", "cal/e2", "cal/e3", "cal/s"]
    );
    assert!(world.asked("calendarView/delta") < 20);

    // As long as it is read so, each round names everything.
    world.graph().remove(VIEW, "e3");
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, ["e3"]);
    assert_eq!(world.asked("calendarView/delta"), 0);
    // A week later the changes are asked for again.
    world.graph().is_endless = false;
    world.now += Duration::days(8);
    world.sync().await.unwrap();
    assert!(world.asked("calendarView/delta") > 0);
    assert_eq!(world.store.changed, [""; 0]);
}

#[tokio::test]
async fn an_event_that_cannot_be_read_costs_no_other() {
    let Some(mut world) = world("unreadable").await else {
        return;
    };
    let backwards = event(
        "b",
        "Backwards",
        "2026-03-09T09:00:00",
        "2026-03-08T10:00:00",
    );
    world.graph().put(VIEW, backwards);
    world.sync().await.unwrap();
    assert_eq!(world.store.keys("cal"), ["e0", "e1", "e2", "e3"]);
    assert_eq!(world.store.skipped[0].key, "b");
}
