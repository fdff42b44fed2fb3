//! Idle connections, on a service with a low limit of open files.

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;

use super::request::Request;
use super::slow::files;
use super::{Setup, Target};
use crate::process::raw::Raw;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

const FILES: usize = 400;
/// Three quarters of the limit, and half of that for one agent.
const CONNECTIONS: usize = 300;
const SHARE: usize = CONNECTIONS / 2;
/// More than the service accepts.
const STRANGERS: usize = 350;
/// File descriptors that the honest agent and the Console may need meanwhile.
const FILES_OF_OTHERS: usize = 20;

#[test]
fn an_agent_that_keeps_its_connections_leaves_the_others_theirs() {
    in_scratch(async |home| {
        let target = Target::start(Setup::with_files(home, FILES)).await;
        let key = target.service.key("hoarder", &[]).await;
        target.serves_the_good_one().await;
        let open = files(&target);
        let mut kept: Vec<Raw> = (0..SHARE).map(|_| served(&target, &key)).collect();
        let refused = target.ask(&Request::list(&key));
        assert_eq!((refused.status, refused.code()), (503, json!(-31002)));
        assert!(refused.head.contains("retry-after: 1"), "{refused:?}");
        target.serves_the_good_one().await;

        // The connections that it has are still served, and it may replace those that it closes.
        assert_eq!(list(&mut kept[0], &key), 200);
        drop(kept);
        eventually("no connection is left", async || files(&target) <= open + 4).await;
        assert_eq!(target.ask(&Request::list(&key)).status, 200);

        // Connections without a key leave file descriptors for the Console and the database.
        let strangers: Vec<Raw> = (0..STRANGERS).map(|_| target.connect()).collect();
        eventually("the port is full", async || files(&target) >= CONNECTIONS).await;
        let agents = target.service.call(Method::GET, "/api/agents", None, 200);
        assert_eq!(agents.await["agents"].as_array().unwrap().len(), 2);
        let taken = files(&target);
        assert!(taken <= open + CONNECTIONS + FILES_OF_OTHERS, "{taken}");
        drop(strangers);
        target.serves_the_good_one().await;
        target.service.stop(Signal::SIGTERM).await;
    });
}

/// A connection over which one request has been served.
fn served(target: &Target, key: &str) -> Raw {
    let mut raw = target.connect();
    assert_eq!(list(&mut raw, key), 200);
    raw
}

/// The status of a request on a connection that stays open.
fn list(raw: &mut Raw, key: &str) -> u16 {
    let request = Request::list(key).kept();
    let (head, _) = raw.send(request).answer();
    head[9..12].parse().unwrap()
}
