//! A provider whose hosts move, and whose paths are written in several ways.

use std::net::SocketAddr;

use sextant_connectors::failure::FailureKind;

use super::stage::calendar_feed;
use super::{event, minutes, stored};
use crate::support::dav_server::Peer::Radicale;
use crate::support::dav_server::{CREDENTIAL, DavServer};
use crate::support::front::Front;
use crate::support::store::Store;

/// The provider: `caldav.icloud.test` leads to a partition, whose answers name it by its whole address.
struct Provider {
    server: DavServer,
    front: Front,
}

impl Provider {
    async fn start(test: &str) -> Option<Self> {
        let server = Radicale.start(test).await?;
        let front = Front::start(&server).await;
        Some(Self { server, front })
    }

    /// Makes the answers name this partition, and write `@` in this way.
    fn move_to(&self, partition: &str, at: &'static str) {
        let home = format!("https://{partition}/op/");
        self.front.rewrite(move |body| {
            let body = body.replace("op@me.ics", &format!("op{at}me.ics"));
            let body = body.replace("op%40me.ics", &format!("op{at}me.ics"));
            let (open, close) = ("calendar-home-set><href>", "</href></C:calendar-home-set>");
            body.replace(
                &format!("{open}/op/{close}"),
                &format!("{open}{home}{close}"),
            )
        });
    }

    async fn sync(&self, store: &mut Store, round: i64) {
        let led: [(&str, SocketAddr); 1] = [("*.icloud.test", self.front.address)];
        let guard = self.server.guard_of_names(&led);
        let feed = calendar_feed(guard);
        store.sync(&feed, minutes(round)).await.unwrap();
    }
}

#[tokio::test]
async fn r126_a_partition_that_moves_changes_no_key() {
    let Some(provider) = Provider::start("r126_partition_moves").await else {
        return;
    };
    let server = &provider.server;
    server
        .put("/op/cal/op%40me.ics", &event("a", "a", ""))
        .await;
    server.put("/op/cal/b.ics", &event("b", "b", "")).await;
    let mut store = Store::default();
    provider.move_to("p42-caldav.icloud.test", "%40");
    provider.sync(&mut store, 1).await;
    assert_eq!(
        store.keys("/op/cal"),
        ["/op/cal/b.ics", "/op/cal/op@me.ics"]
    );
    assert!(provider.front.hosts().contains("p42-caldav.icloud.test"));
    let before = stored(&store);

    // Another host and another writing, with a whole pass over everything.
    for (round, at) in [(2, "@"), (3, "%40")] {
        provider.front.forget();
        provider.move_to("p43-caldav.icloud.test", at);
        store.positions.clear();
        provider.sync(&mut store, round).await;
        assert_eq!(store.changed, [""; 0]);
        assert_eq!(stored(&store), before);
        assert!(provider.front.hosts().contains("p43-caldav.icloud.test"));
        assert!(!provider.front.hosts().contains("p42-caldav.icloud.test"));
    }

    // Nothing of where the partition is was stored.
    let kept = format!("{:?} {:?}", store.positions, store.items);
    assert!(!kept.contains("icloud.test") && !kept.contains(CREDENTIAL));
}

#[tokio::test]
async fn r126_an_href_on_a_foreign_host_is_refused_before_anything_is_sent() {
    let Some(provider) = Provider::start("r126_foreign_href").await else {
        return;
    };
    let (server, front) = (&provider.server, &provider.front);
    server.put("/op/cal/b.ics", &event("b", "b", "")).await;
    let rewrites: [fn(&str) -> String; 4] = [
        |body| body.replace("<href>/op/</href>", "<href>https://sink.test/op/</href>"),
        |body| body.replace("<href>/op/cal/</href>", "<href>//sink.test/op/cal/</href>"),
        |body| {
            body.replace(
                "<href>/op/cal/b.ics",
                "<href>https://caldav.icloud.test@sink.test/b.ics",
            )
        },
        |body| {
            body.replace(
                "<href>/op/cal/b.ics",
                "<href>https://caldav.icloud.test.sink.test/b.ics",
            )
        },
    ];
    for rewrite in rewrites {
        front.forget();
        front.rewrite(rewrite);
        let names = [("*.icloud.test", front.address), ("*.test", front.address)];
        let guard = server.guard_of_names(&names);
        let feed = calendar_feed(guard);
        let failure = Store::default().sync(&feed, minutes(1)).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{failure}");
        let hosts = front.hosts();
        assert!(
            hosts.iter().all(|host| host == "caldav.icloud.test"),
            "{hosts:?}"
        );
    }
}
