//! Answers that are none.

use chrono::Duration;
use serde_json::{Value, json};
use sextant_connectors::failure::FailureKind;
use sextant_connectors::whoop::{WhoopCollection, WhoopFeed};

use super::World;
use crate::support::sink::Sink;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::whoop::records::{Kind, uuid};
use crate::support::stand_ins::wire::raw;
use crate::support::store::Store;

/// Every request.
const ANY: &str = "/";

fn ok(body: &str) -> Vec<u8> {
    raw(200, "", body)
}

impl World {
    /// What is answered from now on to requests with this in their path, which no WHOOP would.
    fn misbehave(&self, on: &'static str, answer: impl Fn(&str) -> Vec<u8> + Send + 'static) {
        let mut whoop = self.whoop();
        whoop.faults.clear();
        whoop.faults.always(on, Law::Broken, answer);
    }
}

#[tokio::test]
async fn a_redirect_to_a_foreign_host_gets_no_token() {
    let Some(mut world) = World::with_nights("redirect_to_foreign", 3).await else {
        return;
    };
    let own = &world.certificates;
    let certificate = Some((own.server.as_path(), own.server_key.as_path()));
    let sink = Sink::start(certificate, |_| ok(r#"{"records":[]}"#)).await;
    for status in [301, 302, 307, 308] {
        let location = "location: https://sink.test/caught\r\n";
        world.misbehave(ANY, move |_| raw(status, location, ""));
        let client = world.client_of_names(&[("sink.test", &sink)]);
        let feed = WhoopFeed::new(client, WhoopCollection::ALL);
        let now = world.whoop().now;
        let failure = world.store.sync(&feed, now).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{failure}");
        assert!(!failure.message.contains("access-"), "{failure}");
    }
    assert_eq!(sink.received(), [""; 0]);
    assert!(
        world
            .whoop()
            .asked
            .iter()
            .all(|asked| asked.authorization.is_some())
    );
}

#[tokio::test]
async fn garbage_is_a_failure_and_removes_nothing() {
    let Some(mut world) = World::with_nights("garbage", 10).await else {
        return;
    };
    world.sync().await;
    let before = world.store.items.clone();
    let positions = world.store.positions.clone();
    for body in [
        "<html><body>Sign in to the seeded-hotel</body></html>",
        "",
        "\u{0}\u{1}seeded",
        r#"{"records":[{"id":"seeded"#,
        "{}",
        r#"{"records":null}"#,
        r#"{"records":{"seeded":1}}"#,
        r#"{"records":[],"next_token":{"seeded":1}}"#,
        r#"[{"id":1}]"#,
    ] {
        world.misbehave(ANY, move |_| ok(body));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure} {body}");
        assert!(!failure.message.contains("seeded"), "{failure}");
        assert_eq!(
            (&world.store.items, &world.store.positions),
            (&before, &positions)
        );
    }
    for (status, kind) in [
        (500, FailureKind::Unavailable),
        (503, FailureKind::Unavailable),
        (404, FailureKind::NotFound),
        (400, FailureKind::Rejected),
        (403, FailureKind::Rejected),
        (204, FailureKind::Malformed),
    ] {
        world.misbehave(ANY, move |_| raw(status, "", ""));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{status}");
        assert_eq!(
            (&world.store.items, &world.store.positions),
            (&before, &positions)
        );
    }
}

#[tokio::test]
async fn a_page_that_ends_in_its_middle_is_asked_for_again() {
    let Some(mut world) = World::with_nights("whoop_a_page_that_ends", 60).await else {
        return;
    };
    for kind in Kind::ALL {
        world.store = Store::default();
        world.whoop().faults.cut_off(kind.path());
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
        world.whoop().faults.cut_off("nextToken=");
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
        world.sync().await;
        world.assert_equal();
        world.wait(Duration::minutes(1));
    }
}

/// A list as it is sent, by the request's path and query.
type List = dyn Fn(&str) -> String + Send;

#[tokio::test]
async fn lists_without_an_end_are_left_and_remove_nothing() {
    let Some(mut world) = World::with_nights("lists_without_an_end", 10).await else {
        return;
    };
    world.whoop().limits = (1_000, 10_000);
    world.sync().await;
    let before = world.store.items.clone();
    let record = world
        .told(|kind, _| kind == Kind::Cycle)
        .into_values()
        .next_back()
        .unwrap();
    let repeated = json!({"records": [record], "next_token": "same"}).to_string();
    let counted = |target: &str| -> u64 {
        let token = target.split_once("nextToken=");
        token.map_or(0, |(_, token)| {
            token.split('&').next().unwrap().parse::<u64>().unwrap()
        }) + 1
    };
    let growing = move |target: &str| {
        let next = counted(target).to_string();
        json!({"records": [], "next_token": next}).to_string()
    };
    let new_records = move |target: &str| {
        let next = counted(target);
        let mut record = record.clone();
        record["id"] = next.into();
        json!({"records": [record], "next_token": next.to_string()}).to_string()
    };
    let lists: [Box<List>; 3] = [
        Box::new(move |_| repeated.clone()),
        Box::new(growing),
        Box::new(new_records),
    ];
    for list in lists {
        world.wait(Duration::minutes(1));
        world.whoop().asked.clear();
        world.misbehave(Kind::Cycle.path(), move |target| ok(&list(target)));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
        assert!(world.whoop().asked.len() < 110);
        for at in before.keys() {
            assert!(world.store.items.contains_key(at), "{at:?}");
        }
    }
    world.whoop().faults.clear();
    world.wait(Duration::minutes(1));
    world.sync().await;
    // What was made up goes with the next clean end.
    world.assert_equal();
}

#[tokio::test]
async fn a_collection_that_is_broken_does_not_hold_up_the_others() {
    let Some(mut world) = World::with_nights("a_collection_broken", 40).await else {
        return;
    };
    for broken in Kind::ALL {
        world.store = Store::default();
        world.misbehave(broken.path(), |_| ok("seeded"));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
        assert_eq!(world.stored(), world.told(|kind, _| kind != broken));
    }
    world.whoop().faults.clear();
    world.sync().await;
    world.assert_equal();
}

/// A list of a kind in which a record is changed.
fn spoil(world: &World, kind: Kind, id: &str, spoilt: impl Fn(&mut Value)) {
    let records = world.told(|own, _| own == kind).into_iter();
    let records = records.map(|((_, own), mut record)| {
        if own == id {
            spoilt(&mut record);
        }
        record
    });
    let list = json!({"records": records.collect::<Vec<_>>()}).to_string();
    world.misbehave(kind.path(), move |_| ok(&list));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_named_and_kept_as_it_is_stored() {
    let Some(mut world) = World::with_nights("a_record_unread", 5).await else {
        return;
    };
    world.sync().await;
    world.assert_equal();
    let id = uuid(Kind::Sleep, 9_997);
    for (field, value) in [
        ("start", json!("seeded")),
        ("score_state", json!("SEEDED")),
        ("timezone_offset", json!("seeded")),
        ("score", json!({"stage_summary": "seeded"})),
    ] {
        spoil(&world, Kind::Sleep, &id, |record| {
            record[field] = value.clone()
        });
        assert_eq!(world.sync().await, [""; 0]);
        world.assert_equal();
        let skipped = &world.store.skipped;
        assert_eq!(skipped.len(), 1, "{skipped:?}");
        assert_eq!(skipped[0].key, id);
        assert!(
            !format!("{skipped:?}").to_lowercase().contains("seeded"),
            "{skipped:?}"
        );
    }
    // One that cannot be named may be any: nothing is judged.
    spoil(&world, Kind::Sleep, &id, |record| {
        record["id"] = Value::Null
    });
    assert_eq!(world.sync().await, [""; 0]);
    assert_eq!(world.store.skipped.len(), 1);
    world.assert_equal();
}

#[tokio::test]
async fn a_list_that_is_empty_once_removes_nothing() {
    let Some(mut world) = World::with_nights("empty_once", 5).await else {
        return;
    };
    world.sync().await;
    let empty = |_: &str| ok(r#"{"records":[],"next_token":null}"#);
    world
        .whoop()
        .faults
        .once(Kind::Sleep.path(), Law::Kept, empty);
    assert_eq!(world.sync().await, [""; 0]);
    world.assert_equal();
}
