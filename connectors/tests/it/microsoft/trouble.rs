//! Every way in which Graph fails: what the failure is, that no row is lost by it, and that the next round makes up for it.

use std::time::Duration;

use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};

use super::stage::{Sector, World};
use super::{contact, event, message};
use crate::support::stand_ins::bearers::Bearers;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::graph::answers;
use crate::support::stand_ins::wire::raw;
use crate::support::store::Store;

const SECTORS: [(Sector, &str, &str); 3] = [
    (Sector::Contacts, "contacts", "contacts"),
    (Sector::Mail, "in", "mailFolders/in/messages"),
    (Sector::Calendar, "cal", "calendars/cal/calendarView"),
];

async fn world(test: &str, (sector, _, collection): (Sector, &str, &str)) -> Option<World> {
    let world = World::start(test, sector).await?;
    {
        let mut graph = world.graph();
        graph.put(
            "mailFolders",
            serde_json::json!({"id": "in", "displayName": "Inbox"}),
        );
        graph.put(
            "calendars",
            serde_json::json!({"id": "cal", "name": "Calendar"}),
        );
        for number in 0..8 {
            graph.put(collection, object(sector, &format!("i{number}"), "Ann"));
        }
    }
    Some(world)
}

pub fn object(sector: Sector, id: &str, words: &str) -> serde_json::Value {
    match sector {
        Sector::Contacts => contact(id, words),
        Sector::Mail => message(id, words),
        Sector::Calendar => event(id, words, "2026-03-09T09:00:00", "2026-03-09T10:00:00"),
    }
}

/// A round that meets trouble on its data, then one that does not.
async fn meet(
    world: &mut World,
    (status, headers): (u16, &'static str),
    body: &'static str,
) -> SourceFailure {
    let answer = move |_: &str| raw(status, headers, body);
    world.graph().faults.once("token=", Law::Broken, answer);
    world.sync().await.unwrap_err()
}

#[tokio::test]
async fn a_token_that_is_forgotten_means_everything_anew() {
    for sector in SECTORS {
        let Some(mut world) = world("forgotten", sector).await else {
            return;
        };
        world.sync().await.unwrap();
        // Both ways in which Graph says so.
        for name in ["i1", "i2"] {
            world.graph().age += 1;
            world.graph().remove(sector.2, name);
            world.graph().put(sector.2, object(sector.0, "i3", name));
            world.sync().await.unwrap();
            world.assert_equal(sector.1, sector.2);
            world.store.changed.sort();
            assert_eq!(world.store.changed, [name, "i3"]);
        }
        world.graph().age += 1;
        world.sync().await.unwrap();
        assert_eq!(
            world.store.changed, [""; 0],
            "an unchanged pass changes nothing"
        );
    }
}

#[tokio::test]
async fn every_word_by_which_graph_forgets_a_token_means_everything_anew() {
    for (status, code) in [
        (410, "SyncStateNotFound"),
        (410, "anything"),
        (400, "SyncStateInvalid"),
        (400, "syncStateNotFound"),
        (400, "resyncRequired"),
        (409, "ResyncChangesApplyDifferences"),
    ] {
        for sector in SECTORS {
            let Some(mut world) = world("graph_forgets", sector).await else {
                return;
            };
            world.sync().await.unwrap();
            world.graph().remove(sector.2, "i1");
            let forgotten = move |_: &str| answers::refusal(status, code);
            let on = "deltatoken=";
            world.graph().faults.once(on, Law::Kept, forgotten);
            world.sync().await.unwrap();
            world.assert_equal(sector.1, sector.2);
        }
    }
}

#[tokio::test]
async fn a_token_that_is_forgotten_in_the_middle_of_a_pass_means_a_pass_anew() {
    for sector in SECTORS {
        let Some(mut world) = world("forgotten_in_a_pass", sector).await else {
            return;
        };
        world.sync_pages(3).await.unwrap();
        world.graph().age += 1;
        world.graph().remove(sector.2, "i0");
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
    }
}

#[tokio::test]
async fn a_rate_limit_is_told_with_and_without_its_time() {
    for sector in SECTORS {
        let Some(mut world) = world("rate_limit", sector).await else {
            return;
        };
        let failure = meet(&mut world, (429, "retry-after: 17\r\n"), "{}").await;
        assert_eq!(failure.kind, FailureKind::RateLimited);
        assert_eq!(
            failure.retry_after,
            Some(RetryAfter::Wait(Duration::from_secs(17)))
        );
        let failure = meet(&mut world, (429, ""), "").await;
        assert_eq!(
            (failure.kind, failure.retry_after),
            (FailureKind::RateLimited, None)
        );
        let failure = meet(&mut world, (503, "retry-after: 5\r\n"), "{}").await;
        assert_eq!(failure.kind, FailureKind::RateLimited);
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
    }
}

#[tokio::test]
async fn what_is_no_answer_of_graph_is_a_failure_and_nothing_is_lost() {
    for sector in SECTORS {
        let Some(mut world) = world("garbage", sector).await else {
            return;
        };
        let cases = [
            (500, "<html>", FailureKind::Unavailable),
            (200, "", FailureKind::Malformed),
            (200, "{\"value\": [{\"id\": \"i0\"}", FailureKind::Malformed),
            (200, "{\"value\": [{\"id\": 7}]}", FailureKind::Malformed),
            (200, "[]", FailureKind::Malformed),
            (200, "{\"error\": {}}", FailureKind::Malformed),
        ];
        for (status, body, kind) in cases {
            let failure = meet(&mut world, (status, ""), body).await;
            assert_eq!(failure.kind, kind, "{status} {body}");
        }
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
    }
}

#[tokio::test]
async fn a_page_that_ends_in_its_middle_is_asked_for_again() {
    for sector in SECTORS {
        let Some(mut world) = world("microsoft_a_page_that_ends", sector).await else {
            return;
        };
        world.graph().faults.cut_off("skiptoken=");
        let failure = world.sync().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
        assert!(
            !world.store.keys(sector.1).is_empty(),
            "the first page is stored"
        );
        world.graph().remove(sector.2, "i0");
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
    }
}

#[tokio::test]
async fn pages_without_end_are_left_for_a_plain_list_that_names_everything() {
    for sector in SECTORS {
        for page_items in [1, 3, 100] {
            let Some(mut world) = world("microsoft_pages_without_end", sector).await else {
                return;
            };
            world.graph().page_items = page_items;
            world.graph().is_endless = true;
            world.sync().await.unwrap();
            world.assert_equal(sector.1, sector.2);
            assert!(world.asked("/delta") < 40);
            world.graph().remove(sector.2, "i1");
            world.sync().await.unwrap();
            world.assert_equal(sector.1, sector.2);
            assert_eq!(world.store.changed, ["i1"]);
            assert_eq!(world.asked(&format!("{}/delta", sector.2)), 0);
        }
    }
}

#[tokio::test]
async fn a_token_that_is_refused_is_renewed_once() {
    for sector in SECTORS {
        let Some(mut world) = world("renewed", sector).await else {
            return;
        };
        world.tokens.give_next("token-2");
        world.graph().bearers = Bearers::only("token-2");
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
        assert_eq!(world.tokens.renewals(), 1);
        world.graph().bearers.end();
        let failure = world.sync().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::SignInEnded);
        world.assert_equal(sector.1, sector.2);
    }
}

#[tokio::test]
async fn r129_a_scope_that_was_not_granted_is_a_refusal_and_the_others_are_read() {
    let scopes = ["Contacts.Read", "Mail.Read", "Calendars.Read"];
    for (sector, scope) in SECTORS.into_iter().zip(scopes) {
        let Some(mut world) = world("r129_not_granted", sector).await else {
            return;
        };
        world.graph().scopes.retain(|own| *own != scope);
        let refused = "the source answered 403: ErrorAccessDenied r-1";
        for failure in [
            world.feed().check().await.unwrap_err(),
            world.sync().await.unwrap_err(),
        ] {
            assert_eq!(failure.kind, FailureKind::Rejected);
            assert_eq!(failure.message, refused, "none of the source's words");
        }
        for (other, ..) in SECTORS {
            if other != sector.0 {
                (world.sector, world.store) = (other, Store::default());
                world.sync().await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn a_link_that_leads_elsewhere_is_not_followed_nor_stored() {
    for sector in SECTORS {
        let Some(mut world) = world("elsewhere", sector).await else {
            return;
        };
        world.graph().page_items = 100;
        world.sync().await.unwrap();
        let positions = world.store.positions.clone();
        world.graph().page_items = 3;
        for number in 0..8 {
            let id = format!("i{number}");
            world.graph().put(sector.2, object(sector.0, &id, "Bob"));
        }
        for elsewhere in [
            "https://elsewhere.test/v1.0/me",
            "https://graph.microsoft.com@elsewhere.test/v1.0/me",
            "https://op@graph.microsoft.com/v1.0/me",
            "http://graph.microsoft.com/v1.0/me",
            "https://graph.microsoft.com:444/v1.0/me",
            "//elsewhere.test/v1.0/me",
        ] {
            elsewhere.clone_into(&mut world.graph().links_to);
            let failure = world.sync().await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{elsewhere}");
            assert!(!failure.message.contains(".test"), "{failure}");
            let stored = world.store.positions.get(sector.1);
            assert_eq!(stored, positions.get(sector.1), "{elsewhere}");
        }
        assert!(!format!("{:?}", world.store.positions).contains("elsewhere"));
        assert_eq!(world.elsewhere.received(), [""; 0]);
        "https://graph.microsoft.com/v1.0/me".clone_into(&mut world.graph().links_to);
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
    }
}

#[tokio::test]
async fn a_redirect_elsewhere_takes_no_token_along() {
    for sector in SECTORS {
        let Some(mut world) = world("redirect", sector).await else {
            return;
        };
        let moved = (302, "location: https://elsewhere.test/v1.0/me/contacts\r\n");
        let failure = meet(&mut world, moved, "").await;
        assert_eq!(failure.kind, FailureKind::ForbiddenAddress);
        assert_eq!(world.elsewhere.received(), [""; 0]);
        world.sync().await.unwrap();
        world.assert_equal(sector.1, sector.2);
    }
}
