//! Servers that misbehave, or know less than others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Url;
use sextant_connectors::dav::{DavFeed, DavKind};
use sextant_connectors::failure::{Failure, FailureKind};
use sextant_connectors::secret::Secret;

use super::{World, event, minutes, stored};
use crate::support::certificates::{self, LOOPBACK};
use crate::support::dav_server::Peer::Radicale;
use crate::support::dav_server::{PASSWORD, USER, guard_of_names};
use crate::support::front::Front;
use crate::support::sink::Sink;
use crate::support::store::Store;

const START: &str = "https://caldav.icloud.test/";

/// Servers of a test's own, which answer what it wants.
struct Stage {
    certificates: certificates::Certificates,
    _folder: tempfile::TempDir,
}

impl Stage {
    fn new(test: &str) -> Option<Self> {
        certificates::can_be_made(test).then(|| {
            let folder = tempfile::tempdir().unwrap();
            let names = format!("{LOOPBACK},DNS:*.icloud.test,DNS:sink.test");
            let certificates = certificates::make(folder.path(), &names);
            Self {
                certificates,
                _folder: folder,
            }
        })
    }

    async fn serve(&self, answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Sink {
        let own = &self.certificates;
        Sink::start(Some((&own.server, &own.server_key)), answers).await
    }

    async fn sync(&self, store: &mut Store, led: &[(&str, &Sink)]) -> Result<(), Failure> {
        let led: Vec<_> = led
            .iter()
            .map(|(name, sink)| (*name, sink.address))
            .collect();
        let guard = guard_of_names(&self.certificates, &led);
        let start = Url::parse(START).unwrap();
        let password = Secret::new(PASSWORD);
        let feed = DavFeed::new(DavKind::Calendar, guard, start, USER, &password)?;
        store.sync(&feed, minutes(1)).await
    }
}

fn answer(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn multistatus(inner: &str) -> Vec<u8> {
    let body = format!(
        r#"<m:multistatus xmlns:m="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">{inner}</m:multistatus>"#
    );
    answer("207 Multi-Status", &body)
}

/// A response with these properties.
fn response(href: &str, properties: &str) -> String {
    format!(
        "<m:response><m:href>{href}</m:href><m:propstat><m:prop>{properties}</m:prop>\
        <m:status>HTTP/1.1 200 OK</m:status></m:propstat></m:response>"
    )
}

/// What finds one calendar at `/op/cal/` whose changes have this token; `None` for other requests.
fn discovery(request: &str, token: &str) -> Option<Vec<u8>> {
    let calendar = format!(
        "<m:resourcetype><m:collection/><c:calendar/></m:resourcetype><m:sync-token>{token}</m:sync-token>"
    );
    if request.starts_with("PROPFIND / ") {
        let home = "<c:calendar-home-set><m:href>/op/</m:href></c:calendar-home-set>";
        return Some(multistatus(&response("/", home)));
    }
    let listed = response("/op/", "") + &response("/op/cal/", &calendar);
    request
        .starts_with("PROPFIND /op/ ")
        .then(|| multistatus(&listed))
}

/// The bodies that a multiget asks for.
fn bodies(request: &str) -> Vec<u8> {
    let asked = request.split("<D:href>").skip(1);
    let asked = asked.map(|rest| rest.split("</D:href>").next().unwrap());
    let sent = asked.map(|href| {
        let body = event(href, href, "");
        let data = format!("<m:getetag>1</m:getetag><c:calendar-data>{body}</c:calendar-data>");
        response(href, &data)
    });
    multistatus(&sent.collect::<String>())
}

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
        let start = Url::parse(START).unwrap();
        let password = Secret::new(PASSWORD);
        let feed = DavFeed::new(DavKind::Calendar, guard, start, USER, &password).unwrap();
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
        let start = Url::parse(START).unwrap();
        let password = Secret::new(PASSWORD);
        let feed = DavFeed::new(DavKind::Calendar, guard, start, USER, &password).unwrap();
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

/// A server that tells ten resources, three a list, to whoever goes on asking.
#[tokio::test]
async fn a_list_that_is_cut_is_asked_for_again() {
    let Some(stage) = Stage::new("a_list_that_is_cut") else {
        return;
    };
    let server = stage
        .serve(|request| {
            if let Some(found) = discovery(request, "10") {
                return found;
            }
            if request.contains("calendar-multiget") {
                return bodies(request);
            }
            let token = request.split("<D:sync-token>").nth(1).unwrap();
            let from: usize = token.split('<').next().unwrap().parse().unwrap_or(0);
            let to = (from + 3).min(10);
            let mut told: String = (from..to)
                .map(|at| response(&format!("/op/cal/{at}.ics"), "<m:getetag>1</m:getetag>"))
                .collect();
            if to < 10 {
                told += "<m:response><m:href>/op/cal/</m:href><m:status>HTTP/1.1 507 More</m:status></m:response>";
            }
            multistatus(&format!("{told}<m:sync-token>{to}</m:sync-token>"))
        })
        .await;
    let mut store = Store::default();
    let led = [("*.icloud.test", &server)];
    stage.sync(&mut store, &led).await.unwrap();
    assert_eq!(store.keys("/op/cal").len(), 10);
    assert_eq!(
        store.positions["/op/cal"],
        serde_json::json!({"token": "10"})
    );
    let asked = server.received().len();
    stage.sync(&mut store, &led).await.unwrap();
    assert_eq!(
        server.received().len(),
        asked + 2,
        "only what discovery asks"
    );
    assert_eq!(store.changed, [""; 0]);
}

#[tokio::test]
async fn a_list_that_does_not_get_on_has_an_end() {
    let Some(stage) = Stage::new("a_list_that_does_not_get_on") else {
        return;
    };
    let server = stage
        .serve(|request| {
            discovery(request, "1").unwrap_or_else(|| {
                let cut = "<m:response><m:href>/op/cal/</m:href><m:status>HTTP/1.1 507 More</m:status></m:response>";
                multistatus(&format!("{cut}<m:sync-token>same</m:sync-token>"))
            })
        })
        .await;
    let led = [("*.icloud.test", &server)];
    let failure = stage.sync(&mut Store::default(), &led).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
}

#[tokio::test]
async fn every_refusal_of_a_token_is_followed_by_a_pass() {
    let Some(stage) = Stage::new("every_refusal_of_a_token") else {
        return;
    };
    for status in [403, 409, 412] {
        let refused = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&refused);
        let server = stage
            .serve(move |request| {
                if let Some(found) = discovery(request, "new") {
                    return found;
                }
                if request.contains("calendar-multiget") {
                    return bodies(request);
                }
                if request.contains("<D:sync-token>old<") {
                    counted.fetch_add(1, Ordering::SeqCst);
                    let body = "<e:error xmlns:e='DAV:'><e:valid-sync-token/></e:error>";
                    return answer(&format!("{status} No"), body);
                }
                let there = response("/op/cal/a.ics", "<m:getetag>1</m:getetag>");
                multistatus(&format!("{there}<m:sync-token>new</m:sync-token>"))
            })
            .await;
        let mut store = Store::default();
        let old = serde_json::json!({"token": "old"});
        store.positions.insert("/op/cal".to_owned(), old);
        stage
            .sync(&mut store, &[("*.icloud.test", &server)])
            .await
            .unwrap();
        assert_eq!(store.keys("/op/cal"), ["/op/cal/a.ics"]);
        assert_eq!(refused.load(Ordering::SeqCst), 1);
        assert_eq!(
            store.positions["/op/cal"],
            serde_json::json!({"token": "new"})
        );
    }
}

#[tokio::test]
async fn a_page_is_bounded_in_bytes_and_a_giant_is_left_out() {
    let Some(stage) = Stage::new("a_page_is_bounded") else {
        return;
    };
    // Nine of these are more than a page holds.
    let long = "x".repeat(900_000);
    let server = stage
        .serve(move |request| {
            if let Some(found) = discovery(request, "1") {
                return found;
            }
            if !request.contains("calendar-multiget") {
                let there: String = (0..12)
                    .map(|at| response(&format!("/op/cal/{at:02}.ics"), "<m:getetag>1</m:getetag>"))
                    .collect();
                return multistatus(&format!("{there}<m:sync-token>1</m:sync-token>"));
            }
            let asked = request.split("<D:href>").skip(1);
            let asked = asked.map(|rest| rest.split("</D:href>").next().unwrap());
            let sent = asked.map(|href| {
                let times = if href.contains("05") { 10 } else { 1 };
                let note = format!("COMMENT:{}\r\n", long.repeat(times));
                let body = event(href, "t", &note);
                response(href, &format!("<c:calendar-data>{body}</c:calendar-data>"))
            });
            multistatus(&sent.collect::<String>())
        })
        .await;
    let mut store = Store::default();
    stage
        .sync(&mut store, &[("*.icloud.test", &server)])
        .await
        .unwrap();
    assert_eq!(store.keys("/op/cal").len() + store.skipped.len(), 12);
    assert_eq!(store.skipped[0].key, "/op/cal/05.ics");
    let largest = store
        .skipped
        .iter()
        .find(|one| one.reason.contains("longer than"));
    assert!(largest.is_some(), "{:?}", store.skipped);
}
