//! How far back calendars are read.

use chrono::Duration;
use sextant_connectors::dav::DavKind;

use super::stage::calendar_feed;
use super::{World, card, event, minutes, stored};
use crate::support::dav_server::{Peer, guard_of_names};
use crate::support::front::Front;
use crate::support::store::Store;

/// An event of the day `20_000 - days` after 1970, a day before all rounds.
fn of_day(uid: &str, days: i64, more: &str) -> String {
    let day = (minutes(0) - Duration::days(days)).format("%Y%m%d");
    event(uid, uid, more).replace("20260105T090000", &format!("{day}T090000"))
}

fn days_ago(days: i64) -> Option<chrono::DateTime<chrono::Utc>> {
    Some(minutes(0) - Duration::days(days))
}

/// The keys of resources that have rows.
fn with_rows(store: &Store) -> Vec<&str> {
    let series = store.records("calendar.series");
    series.into_keys().collect()
}

async fn only_the_window_is_read(peer: Peer) {
    let test = format!("only_the_window_is_read ({peer:?})");
    let Some(server) = peer.start(&test).await else {
        return;
    };
    let mut world = World::new(server, DavKind::Calendar);
    let at = |name: &str| format!("{}/{name}.ics", peer.calendar());
    let weekly = "RRULE:FREQ=WEEKLY;COUNT=500\r\n";
    for (name, days, more) in [("new", 5, ""), ("old", 100, ""), ("weekly", 400, weekly)] {
        let body = of_day(name, days, more);
        world.server.put(&at(name), &body).await;
    }
    world.store.since = days_ago(30);
    world.sync().await;
    assert_eq!(with_rows(&world.store), [at("new"), at("weekly")]);
    assert_eq!(world.sync().await, [""; 0], "an unchanged round");

    // A wider one fetches what is missing, and that alone.
    world.store.since = days_ago(200);
    assert_eq!(world.sync().await, [at("old")]);
    world.assert_equal();
    // A narrower one deletes nothing, not even when it changes.
    world.store.since = days_ago(30);
    assert_eq!(world.sync().await, [""; 0]);
    let changed = of_day("old", 100, "LOCATION:There\r\n");
    world.server.put(&at("old"), &changed).await;
    assert_eq!(world.sync().await, [at("old")]);
    world.assert_equal();
    // What comes late is left out too, until the window is as wide again.
    world.server.put(&at("late"), &of_day("late", 90, "")).await;
    world.sync().await;
    assert!(!with_rows(&world.store).contains(&at("late").as_str()));
    world.store.since = days_ago(200);
    world.sync().await;
    world.assert_equal();
    // What is gone goes, left out or not.
    world.store.since = days_ago(30);
    world
        .server
        .put(&at("older"), &of_day("older", 90, ""))
        .await;
    world.sync().await;
    for name in ["old", "older"] {
        world.server.delete(&at(name)).await;
    }
    world.sync().await;
    world.store.since = None;
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn only_the_window_is_read_of_radicale() {
    only_the_window_is_read(Peer::Radicale).await;
}

#[tokio::test]
async fn only_the_window_is_read_of_xandikos() {
    only_the_window_is_read(Peer::Xandikos).await;
}

/// Each round of such a server lists all it has: what was left out is not fetched anew each time.
#[tokio::test]
async fn what_is_left_out_is_fetched_once() {
    let Some(server) = Peer::Radicale
        .start("what_is_left_out_is_fetched_once")
        .await
    else {
        return;
    };
    server.put("/op/cal/old.ics", &of_day("old", 100, "")).await;
    server.put("/op/cal/new.ics", &of_day("new", 5, "")).await;
    let front = Front::start(&server).await;
    front.rewrite(|body| {
        body.replace("sync-token", "no-token")
            .replace("getctag", "no-ctag")
    });
    let guard = guard_of_names(&server.certificates, &[("*.icloud.test", front.address)]);
    let feed = calendar_feed(guard);
    let mut store = Store::default();
    store.since = days_ago(30);
    store.sync(&feed, minutes(1)).await.unwrap();
    assert_eq!(with_rows(&store), ["/op/cal/new.ics"]);
    for round in 2..4 {
        store.sync(&feed, minutes(round)).await.unwrap();
        assert_eq!(store.changed, [""; 0], "{round}");
    }
    store.since = None;
    store.sync(&feed, minutes(5)).await.unwrap();
    assert_eq!(store.changed, ["/op/cal/old.ics"]);
    assert_eq!(stored(&store), super::sorted(server.listing("calendar")));
}

/// They have no time.
#[tokio::test]
async fn contacts_are_read_whole() {
    let Some(server) = Peer::Radicale.start("contacts_are_read_whole").await else {
        return;
    };
    let mut world = World::new(server, DavKind::Contacts);
    world.store.since = days_ago(30);
    world
        .server
        .put("/op/book/ada.vcf", &card("ada", "Ada"))
        .await;
    world.sync().await;
    world.assert_equal();
}
