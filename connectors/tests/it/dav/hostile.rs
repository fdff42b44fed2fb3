//! Servers that misbehave, or know less than others.

use sextant_connectors::dav::DavKind;
use sextant_connectors::failure::FailureKind;

use super::stage::{Stage, answer, calendar_feed, discovery, multistatus};
use super::{World, event, minutes, stored};
use crate::support::dav_server::Peer::Radicale;
use crate::support::dav_server::guard_of_names;
use crate::support::front::Front;
use crate::support::store::Store;

#[tokio::test]
async fn r126_a_redirect_to_a_foreign_host_gets_no_password_and_no_body() {
    let Some(stage) = Stage::new("r126_redirect_to_foreign") else {
        return;
    };
    let sink = stage.serve(|_| multistatus("")).await;
    for (path, status) in [("/", 301), ("/", 307), ("/op/", 302), ("/op/cal/", 308)] {
        let server = stage
            .serve(move |request| {
                if request.split(' ').nth(1) == Some(path) {
                    let head = format!("{status} Moved\r\nlocation: https://sink.test/caught");
                    return answer(&head, "");
                }
                discovery(request, "1").unwrap()
            })
            .await;
        let led = [("caldav.icloud.test", &server), ("*.test", &sink)];
        let failure = stage.sync(&mut Store::default(), &led).await.unwrap_err();
        assert_eq!(
            failure.kind,
            FailureKind::ForbiddenAddress,
            "{path} {failure}"
        );
        let received = server.received();
        assert!(
            received
                .iter()
                .all(|one| one.contains("authorization: Basic "))
        );
    }
    assert_eq!(sink.received(), [""; 0]);
}

#[tokio::test]
async fn garbage_is_a_failure_and_removes_nothing() {
    let Some(mut world) = world("garbage_is_a_failure").await else {
        return;
    };
    world
        .server
        .put("/op/cal/a.ics", &event("a", "a", ""))
        .await;
    world.sync().await;
    let before = world.store.items.clone();
    let front = Front::start(&world.server).await;
    let cut = |body: &str| body.get(..body.len() * 2 / 3).unwrap().to_owned();
    let rewrites: [fn(&str) -> String; 5] = [
        |_| "<html><body>Sign in to the seeded-hotel</body></html>".to_owned(),
        |_| String::new(),
        |_| "\u{0}\u{1}".repeat(1000),
        |body| body.replace("multistatus", "multistat"),
        |_| "<multistatus xmlns='DAV:'/>".to_owned(),
    ];
    let rewrites =
        rewrites.map(|rewrite| Box::new(rewrite) as Box<dyn Fn(&str) -> String + Send + Sync>);
    for rewrite in rewrites.into_iter().chain([Box::new(cut) as _]) {
        front.rewrite(rewrite);
        let led = [("*.icloud.test", front.address)];
        let guard = guard_of_names(&world.server.certificates, &led);
        let feed = calendar_feed(guard);
        let failure = world.store.sync(&feed, minutes(9)).await.unwrap_err();
        assert!(!failure.message.contains("seeded"), "{failure}");
        assert_eq!(world.store.items, before);
    }
}

async fn world(test: &str) -> Option<World> {
    let server = Radicale.start(test).await?;
    Some(World::new(server, DavKind::Calendar))
}

#[tokio::test]
async fn a_server_without_tokens_is_read_by_its_versions() {
    let Some(world) = world("a_server_without_tokens").await else {
        return;
    };
    let server = &world.server;
    for has_ctag in [true, false] {
        for name in ["a", "b"] {
            server
                .put(&format!("/op/cal/{name}.ics"), &event(name, name, ""))
                .await;
        }
        let front = Front::start(server).await;
        front.rewrite(move |body| {
            let body = body.replace("sync-token", "no-token");
            if has_ctag {
                body
            } else {
                body.replace("getctag", "no-ctag")
            }
        });
        let guard = guard_of_names(&server.certificates, &[("*.icloud.test", front.address)]);
        let feed = calendar_feed(guard);
        let mut store = Store::default();
        store.sync(&feed, minutes(1)).await.unwrap();
        assert_eq!(stored(&store), super::sorted(server.listing("calendar")));
        assert_eq!(store.positions["/op/cal"].get("ctag").is_some(), has_ctag);
        store.sync(&feed, minutes(2)).await.unwrap();
        assert_eq!(store.changed, [""; 0]);
        server.put("/op/cal/a.ics", &event("a", "later", "")).await;
        server.delete("/op/cal/b.ics").await;
        store.sync(&feed, minutes(3)).await.unwrap();
        assert_eq!(store.changed, ["/op/cal/a.ics", "/op/cal/b.ics"]);
        assert_eq!(stored(&store), super::sorted(server.listing("calendar")));
    }
}
