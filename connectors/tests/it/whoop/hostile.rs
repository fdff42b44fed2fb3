//! Answers that are none.

use chrono::Duration;
use serde_json::{Value, json};
use sextant_connectors::failure::FailureKind;
use sextant_connectors::whoop::{WhoopCollection, WhoopFeed};

use super::World;
use super::stand_in::{Asked, Kind, uuid, written};
use crate::support::sink::Sink;

fn ok(body: &str) -> Vec<u8> {
    written("200 OK\r\ncontent-type: application/json", body)
}

fn is_of(asked: &Asked, kind: Kind) -> bool {
    asked.path == kind.path()
}

#[tokio::test]
async fn a_redirect_to_a_foreign_host_gets_no_token() {
    let Some(mut world) = World::lawless("redirect_to_foreign", 3).await else {
        return;
    };
    let own = &world.certificates;
    let certificate = Some((own.server.as_path(), own.server_key.as_path()));
    let sink = Sink::start(certificate, |_| ok(r#"{"records":[]}"#)).await;
    for status in [301, 302, 307, 308] {
        world.stand_in.state().misbehave(move |_| {
            let head = format!("{status} Moved\r\nlocation: https://sink.test/caught");
            Some(written(&head, ""))
        });
        let client = world.client_of_names(&[("sink.test", &sink)]);
        let feed = WhoopFeed::new(client, WhoopCollection::ALL);
        let now = world.stand_in.state().now;
        let failure = world.store.sync(&feed, now).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{failure}");
        assert!(!failure.message.contains("access-"), "{failure}");
    }
    assert_eq!(sink.received(), [""; 0]);
    assert!(
        world
            .stand_in
            .state()
            .asked
            .iter()
            .all(|asked| asked.authorization.is_some())
    );
}

#[tokio::test]
async fn garbage_is_a_failure_and_removes_nothing() {
    let Some(mut world) = World::lawless("garbage", 10).await else {
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
        world.stand_in.state().misbehave(move |_| Some(ok(body)));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure} {body}");
        assert!(!failure.message.contains("seeded"), "{failure}");
        assert_eq!(
            (&world.store.items, &world.store.positions),
            (&before, &positions)
        );
    }
    for (status, kind) in [
        ("500 Trouble", FailureKind::Unavailable),
        ("503 Away", FailureKind::Unavailable),
        ("404 Gone", FailureKind::NotFound),
        ("400 Bad Request", FailureKind::Rejected),
        ("403 Forbidden", FailureKind::Rejected),
        ("204 No Content", FailureKind::Malformed),
    ] {
        world
            .stand_in
            .state()
            .misbehave(move |_| Some(written(status, "")));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{status}");
        assert_eq!(
            (&world.store.items, &world.store.positions),
            (&before, &positions)
        );
    }
}

/// A list as it is sent.
type List = dyn Fn(&Asked) -> String + Send + Sync;

#[tokio::test]
async fn lists_without_an_end_are_left_and_remove_nothing() {
    let Some(mut world) = World::lawless("lists_without_an_end", 10).await else {
        return;
    };
    world.stand_in.state().limits = (1_000, 10_000);
    world.sync().await;
    let before = world.store.items.clone();
    let record = world
        .told(|kind, _| kind == Kind::Cycle)
        .into_values()
        .next_back()
        .unwrap();
    let repeated = json!({"records": [record], "next_token": "same"}).to_string();
    let counted = |asked: &Asked| -> u64 {
        let token = asked.query.get("nextToken");
        token.map_or(0, |token| token.parse::<u64>().unwrap()) + 1
    };
    let growing = move |asked: &Asked| {
        let next = counted(asked).to_string();
        json!({"records": [], "next_token": next}).to_string()
    };
    let new_records = move |asked: &Asked| {
        let next = counted(asked);
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
        world.stand_in.state().asked.clear();
        let fault = move |asked: &Asked| is_of(asked, Kind::Cycle).then(|| ok(&list(asked)));
        world.stand_in.state().misbehave(fault);
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
        assert!(world.stand_in.state().asked.len() < 110);
        for at in before.keys() {
            assert!(world.store.items.contains_key(at), "{at:?}");
        }
    }
    world.stand_in.state().fault = None;
    world.wait(Duration::minutes(1));
    world.sync().await;
    // What was made up goes with the next clean end.
    world.assert_equal();
}

#[tokio::test]
async fn a_collection_that_is_broken_does_not_hold_up_the_others() {
    let Some(mut world) = World::lawless("a_collection_broken", 40).await else {
        return;
    };
    for broken in Kind::ALL {
        world.store = crate::support::store::Store::default();
        let fault = move |asked: &Asked| is_of(asked, broken).then(|| ok("seeded"));
        world.stand_in.state().misbehave(fault);
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
        assert_eq!(world.stored(), world.told(|kind, _| kind != broken));
    }
    world.stand_in.state().fault = None;
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
    let fault = move |asked: &Asked| is_of(asked, kind).then(|| ok(&list));
    world.stand_in.state().misbehave(fault);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_named_and_kept_as_it_is_stored() {
    let Some(mut world) = World::lawless("a_record_unread", 5).await else {
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
    let Some(mut world) = World::lawless("empty_once", 5).await else {
        return;
    };
    world.sync().await;
    let told = std::sync::atomic::AtomicBool::new(false);
    world.stand_in.state().misbehave(move |asked| {
        let is_first =
            is_of(asked, Kind::Sleep) && !told.swap(true, std::sync::atomic::Ordering::SeqCst);
        is_first.then(|| ok(r#"{"records":[],"next_token":null}"#))
    });
    assert_eq!(world.sync().await, [""; 0]);
    world.assert_equal();
}
