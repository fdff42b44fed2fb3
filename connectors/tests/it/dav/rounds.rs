//! What is put, changed and deleted at a server, and what of it a round changes here.

use sextant_connectors::dav::DavKind;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::round::Feed as _;

use super::{World, card, event, series_with_exception};
use crate::support::dav_server::Peer;
use crate::support::dav_server::Peer::{Radicale, Xandikos};

async fn world(peer: Peer, kind: DavKind, test: &str) -> Option<World> {
    let server = peer.start(&format!("{test} ({peer:?})")).await?;
    Some(World::new(server, kind))
}

async fn a_calendar_follows(peer: Peer) {
    let Some(mut world) = world(peer, DavKind::Calendar, "a_calendar_follows").await else {
        return;
    };
    let at = |name: &str| format!("{}/{name}", peer.calendar());
    for name in ["a", "b", "c"] {
        let body = event(&format!("{name}@x"), name, "");
        world.server.put(&at(&format!("{name}.ics")), &body).await;
    }
    let changed = world.sync().await;
    for item in [peer.calendar(), &at("a.ics"), &at("b.ics"), &at("c.ics")] {
        assert!(changed.iter().any(|key| key == item), "{item}");
    }
    world.assert_equal();
    assert_eq!(world.sync().await, [""; 0], "an unchanged round");

    world
        .server
        .put(&at("a.ics"), &event("a@x", "later", ""))
        .await;
    world.server.delete(&at("b.ics")).await;
    world
        .server
        .put(&at("d e@f.ics"), &event("d@x", "new", ""))
        .await;
    let changed = world.sync().await;
    assert_eq!(changed, [at("a.ics"), at("b.ics"), at("d e@f.ics")]);
    world.assert_equal();

    // What the source says now wins: the old bytes, put again, are the new truth.
    world.server.put(&at("b.ics"), &event("b@x", "b", "")).await;
    assert_eq!(world.sync().await, [at("b.ics")]);
    world.assert_equal();
}

#[tokio::test]
async fn a_calendar_follows_radicale() {
    a_calendar_follows(Radicale).await;
}

#[tokio::test]
async fn a_calendar_follows_xandikos() {
    a_calendar_follows(Xandikos).await;
}

async fn contacts_follow(peer: Peer) {
    let Some(mut world) = world(peer, DavKind::Contacts, "contacts_follow").await else {
        return;
    };
    let at = |name: &str| format!("{}/{name}.vcf", peer.book());
    world.server.put(&at("ada"), &card("ada", "Ada")).await;
    world.server.put(&at("bob"), &card("bob", "Bob")).await;
    let group = card("all", "All").replace(
        "END:VCARD",
        "X-ADDRESSBOOKSERVER-KIND:group\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:ada\r\nEND:VCARD",
    );
    world.server.put(&at("all"), &group).await;
    world.sync().await;
    world.assert_equal();
    let groups = world.store.records("contacts.groups");
    assert_eq!(groups[at("all").as_str()].fields["member_uids"][0], "ada");
    assert_eq!(world.store.records("contacts.people").len(), 2);
    assert_eq!(world.sync().await, [""; 0]);

    world.server.put(&at("ada"), &card("ada", "Ada L")).await;
    world.server.delete(&at("bob")).await;
    assert_eq!(world.sync().await, [at("ada"), at("bob")]);
    world.assert_equal();
}

#[tokio::test]
async fn contacts_follow_radicale() {
    contacts_follow(Radicale).await;
}

#[tokio::test]
async fn contacts_follow_xandikos() {
    contacts_follow(Xandikos).await;
}

async fn an_exception_comes_and_goes(peer: Peer) {
    let test = "an_exception_comes_and_goes";
    let Some(mut world) = world(peer, DavKind::Calendar, test).await else {
        return;
    };
    let path = format!("{}/s.ics", peer.calendar());
    let plain = event("s@x", "weekly", "RRULE:FREQ=WEEKLY;COUNT=5\r\n");
    world.server.put(&path, &plain).await;
    world.sync().await;
    let master = world.store.records("calendar.series")[path.as_str()].clone();

    world.server.put(&path, &series_with_exception("s@x")).await;
    assert_eq!(world.sync().await.join(" "), path);
    let series = world.store.records("calendar.series");
    assert_eq!(series[path.as_str()], &master, "the master stays as it was");
    let (id, exception) = series.iter().find(|(id, _)| **id != path).unwrap();
    assert!(id.starts_with(&format!("{path}#2026")), "{id}");
    assert_eq!(exception.fields["series_source_id"], path.as_str());
    assert_eq!(exception.fields["title"], "moved");
    assert_eq!(exception.fields["calendar"]["id"], peer.calendar());
    world.assert_equal();

    world.server.put(&path, &plain).await;
    assert_eq!(world.sync().await.join(" "), path);
    let series = world.store.records("calendar.series");
    assert_eq!(series.into_values().collect::<Vec<_>>(), [&master]);
    world.assert_equal();
}

#[tokio::test]
async fn an_exception_comes_and_goes_at_radicale() {
    an_exception_comes_and_goes(Radicale).await;
}

#[tokio::test]
async fn an_exception_comes_and_goes_at_xandikos() {
    an_exception_comes_and_goes(Xandikos).await;
}

async fn a_lost_token_costs_nothing(peer: Peer) {
    let test = "a_lost_token_costs_nothing";
    let Some(mut world) = world(peer, DavKind::Calendar, test).await else {
        return;
    };
    let at = |name: &str| format!("{}/{name}.ics", peer.calendar());
    for name in ["a", "b", "c"] {
        world.server.put(&at(name), &event(name, name, "")).await;
    }
    world.sync().await;
    world.server.delete(&at("b")).await;
    world.server.put(&at("d"), &event("d", "d", "")).await;
    match peer {
        Radicale => world.server.lose_tokens(peer.calendar()),
        Xandikos => {
            let position = serde_json::json!({"token": "0123456789012345678901234567890123456789"});
            world
                .store
                .positions
                .insert(peer.calendar().to_owned(), position);
        }
    }
    // What is unchanged is kept, what went meanwhile goes.
    assert_eq!(world.sync().await, [at("b"), at("d")]);
    world.assert_equal();
}

#[tokio::test]
async fn a_lost_token_costs_nothing_at_radicale() {
    a_lost_token_costs_nothing(Radicale).await;
}

#[tokio::test]
async fn a_lost_token_costs_nothing_at_xandikos() {
    a_lost_token_costs_nothing(Xandikos).await;
}

#[tokio::test]
async fn calendars_come_and_go_with_their_rows() {
    let test = "calendars_come_and_go";
    let Some(mut world) = world(Radicale, DavKind::Calendar, test).await else {
        return;
    };
    let events = r#"<C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>"#;
    let todos = events.replace("VEVENT", "VTODO");
    world.server.make_calendar("/op/office/", events).await;
    world.server.make_calendar("/op/lists/", &todos).await;
    world
        .server
        .put("/op/office/w.ics", &event("w", "w", ""))
        .await;
    // The same event in two calendars is two items.
    world
        .server
        .put("/op/cal/w.ics", &event("w", "w", ""))
        .await;
    world.sync().await;
    world.assert_equal();
    let calendars = world.store.records("calendar.calendars");
    assert_eq!(
        calendars.keys().collect::<Vec<_>>(),
        [&"/op/cal", &"/op/office"]
    );
    assert_eq!(calendars["/op/cal"].fields["name"], "Home");
    assert_eq!(calendars["/op/cal"].fields["color"], "#ff0000");
    assert_eq!(calendars["/op/office"].fields["name"], "op/office");

    world.server.delete("/op/office/").await;
    assert_eq!(world.sync().await, ["/op/office", "/op/office/w.ics"]);
    world.assert_equal();
    world.server.make_calendar("/op/office/", events).await;
    world
        .server
        .put("/op/office/w.ics", &event("w", "again", ""))
        .await;
    assert_eq!(world.sync().await, ["/op/office", "/op/office/w.ics"]);
    world.assert_equal();
}

#[tokio::test]
async fn a_pass_that_is_cut_off_goes_on() {
    let Some(mut world) = world(Radicale, DavKind::Calendar, "a_pass_cut_off").await else {
        return;
    };
    for number in 0..120 {
        let path = format!("/op/cal/{number:03}.ics");
        let body = event(&format!("{number}"), "x", "");
        world.server.put(&path, &body).await;
    }
    // The containers and one lot.
    world.try_sync(2).await.unwrap();
    assert_eq!(world.store.keys("/op/cal").len(), 50);
    world.server.delete("/op/cal/000.ics").await;
    world
        .server
        .put("/op/cal/001.ics", &event("1", "y", ""))
        .await;
    world.try_sync(2).await.unwrap();
    world.server.delete("/op/cal/119.ics").await;
    let changed = world.sync().await;
    assert!(
        !changed.contains(&"/op/cal/010.ics".to_owned()),
        "fetched once"
    );
    world.assert_equal();
    assert_eq!(world.sync().await, [""; 0]);
}

#[tokio::test]
async fn what_cannot_be_read_does_not_hold_up_the_rest() {
    let Some(mut world) = world(Xandikos, DavKind::Calendar, "what_cannot_be_read").await else {
        return;
    };
    let at = |name: &str| format!("{}/{name}.ics", Xandikos.calendar());
    let todo = event("t", "t", "")
        .replace("VEVENT", "VTODO")
        .replace("DURATION:PT1H\r\n", "");
    world.server.put(&at("todo"), &todo).await;
    let range = event(
        "r",
        "seeded-title",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20260112T090000\r\n",
    );
    world.server.put(&at("range"), &range).await;
    world.server.put(&at("good"), &event("g", "good", "")).await;
    world.sync().await;
    let skipped = &world.store.skipped;
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!(skipped[0].key, at("range"));
    assert!(!format!("{skipped:?}").contains("seeded"), "{skipped:?}");
    let series = world.store.records("calendar.series");
    assert_eq!(series.keys().collect::<Vec<_>>(), [&at("good")]);
    assert!(
        world
            .store
            .keys(Xandikos.calendar())
            .contains(&at("todo").as_str())
    );
    assert_eq!(world.sync().await, [""; 0]);
}

#[tokio::test]
async fn a_wrong_password_and_a_server_that_is_down() {
    let test = "a_wrong_password";
    for peer in [Radicale, Xandikos] {
        let Some(mut world) = world(peer, DavKind::Calendar, test).await else {
            return;
        };
        world
            .feed(crate::support::dav_server::PASSWORD)
            .check()
            .await
            .unwrap();
        let failure = world.feed("seeded-wrong").check().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::CredentialRefused, "{failure}");
        assert!(!format!("{failure:?}").contains("seeded"), "{failure:?}");
        world.sync().await;
        let before = world.store.items.clone();
        world.server.stop();
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
        assert_eq!(world.store.items, before);
    }
}
