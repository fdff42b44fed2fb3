//! Lists that are cut, lost or too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sextant_connectors::failure::FailureKind;

use super::event;
use super::stage::{Stage, answer, bodies, discovery, hrefs, multistatus, response};
use crate::support::store::Store;

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
                return bodies(request, |_| Some("1".to_owned()));
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
                    return bodies(request, |_| Some("1".to_owned()));
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
            let sent = hrefs(request).map(|href| {
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
