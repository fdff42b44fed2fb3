//! Clients that nobody here wrote read the stand-in: what they are told is what it keeps. And what holds it to the provider's
//! description notices what is not of it.

use chrono::{DateTime, Duration, Utc};
use reqwest::Url;
use serde_json::{Value, json};
use tokio::process::Command;

use super::{World, day};
use crate::support::plain_http;
use crate::support::skipped;
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::contracts::{Contract, peers, root};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::whoop::Whoop;
use crate::support::stand_ins::whoop::records::{Kind, stored_as, uuid};
use crate::support::stand_ins::wire::raw;

/// What both clients are told between two instants; `None` where they are not installed, which is said.
async fn read(test: &str, world: &World, from: DateTime<Utc>, to: DateTime<Utc>) -> Option<Value> {
    let python = peers().join("whoop/bin/python");
    if !python.exists() {
        let missing = "the clients of WHOOP are missing; run tests/peers/install.sh";
        skipped::for_want_of(test, missing);
        return None;
    }
    let plain = world.whoop.serve(test, None).await;
    let output = Command::new(python)
        .arg(root().join("tests/peers/wearable.py"))
        .arg(format!("http://{}", plain.address))
        .arg("access-0")
        .args([from, to].map(|at| at.format("%Y-%m-%dT%H:%M:%S+00:00").to_string()))
        .output()
        .await
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

impl World {
    /// What the stand-in keeps of a kind, the newest first.
    fn kept(&self, kind: Kind) -> Vec<Value> {
        let whoop = self.whoop();
        let of_kind = whoop.records.iter().filter(|((own, _), _)| *own == kind);
        let mut kept: Vec<_> = of_kind.map(|(_, record)| record.clone()).collect();
        kept.sort_by_key(|record| std::cmp::Reverse(whoop.span_of(kind, record).0));
        kept
    }
}

#[tokio::test]
async fn what_independent_clients_are_told_is_what_the_stand_in_keeps() {
    let test = "what_independent_clients_are_told";
    let Some(world) = World::with_nights(test, 40).await else {
        return;
    };
    {
        let mut whoop = world.whoop();
        whoop.limits = (1_000, 10_000);
        whoop.add_cycle(20_000, day(0) - Duration::hours(3), None);
        whoop.unscore(Kind::Cycle, "20000");
        whoop.remove(Kind::Recovery, "9995");
    }
    let Some(told) = read(test, &world, day(-60), day(1)).await else {
        return;
    };
    let (whoop, whoopy) = (&told["whoop"], &told["whoopy"]);
    for kind in Kind::ALL {
        let kept = world.kept(kind);
        let name = stored_as(kind);
        assert_eq!(whoop["lists"][name], json!(kept), "{name}");
        let singles = whoop["singles"][name].as_array().unwrap();
        let (missing, found): (Vec<_>, Vec<_>) = singles.iter().partition(|one| **one == 404);
        assert_eq!(found, kept.iter().collect::<Vec<_>>(), "{name}");
        // A recovery is asked for by its cycle: the running one has none yet, and one has gone.
        let expected = if kind == Kind::Recovery { 2 } else { 0 };
        assert_eq!(missing.len(), expected, "{name}");
    }
    let of_cycles = whoop["singles"]["sleeps of cycles"].as_array().unwrap();
    assert_eq!(of_cycles[0], 404);
    assert_eq!(of_cycles[1]["id"], uuid(Kind::Sleep, 9_999));
    assert_eq!(whoop["person"][0]["user_id"], 10_129);
    assert_eq!(whoop["after revocation"], 401);
    let cycles = world.kept(Kind::Cycle);
    let read = cycles.iter();
    let read = read.map(|one| json!([one["id"], one.get("end").is_some(), one["score_state"]]));
    assert_eq!(*whoopy, read.collect::<Value>());
}

#[tokio::test]
async fn a_wrong_request_and_a_wrong_answer_are_noticed() {
    let test = "whoop_a_wrong_request_and_a_wrong_answer";
    let whoop = StandIn::new(Whoop::new(day(0)));
    whoop.state().add_night(1, day(-1));
    let served = whoop.serve(test, None).await;
    if !Contract::Whoop.is_here() {
        return;
    }
    let ask = async |target: &str| {
        let address = format!("http://{}/developer{target}", served.address);
        let headers = "authorization: Bearer access-0\r\n";
        let answer = plain_http::get_with(&Url::parse(&address).unwrap(), headers).await;
        (answer, served.violations())
    };
    let (right, violations) = ask("/v2/cycle?limit=25").await;
    assert_eq!((right.status, violations), (200, Vec::new()));
    assert!(
        right.head.contains("x-ratelimit-remaining: 99"),
        "{}",
        right.head
    );

    let (passed, violations) = ask("/v2/cycle?next_token=a").await;
    assert_eq!((passed.status, violations.len()), (200, 1));
    for wrong in [
        "/v2/cycle?limit=26",
        "/v2/cycle?start=yesterday",
        "/v1/cycle",
    ] {
        let (answer, violations) = ask(wrong).await;
        assert!((400..500).contains(&answer.status), "{}", answer.head);
        assert_eq!(violations.len(), 1, "{wrong}");
    }
    for (status, body) in [
        (200, r#"{"records":[{"id":"one"}]}"#),
        (200, r#"{"records":[],"next_token":7}"#),
        (503, "{}"),
    ] {
        let answer = move |_: &str| raw(status, "", body);
        whoop.state().faults.once("/v2/cycle", Law::Kept, answer);
        let (_, violations) = ask("/v2/cycle").await;
        assert_eq!(violations.len(), 1, "{body} {violations:?}");
    }
}
