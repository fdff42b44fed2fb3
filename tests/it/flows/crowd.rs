//! Two thousand live sessions of one agent, of both eras, each with an open stream, ended by one edit; another
//! agent's go on.

use std::pin::pin;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::json;

use crate::mcp::support::line::{Line, listening, streaming};
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::skipped;

const SESSIONS: usize = 2_000;
/// Sessions of the other agent.
const OTHERS: usize = 20;
/// Sessions that are opened concurrently.
const AT_ONCE: usize = 50;
/// Both ends of each stream are file descriptors of this process.
const FILES: u64 = 4 * SESSIONS as u64;

#[actix_web::test]
async fn r067_r504_two_thousand_sessions_end_with_one_edit() {
    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    if most < FILES {
        skipped::for_want_of(
            "two thousand sessions",
            &format!("{most} files are too few"),
        );
        return;
    }
    setrlimit(Resource::RLIMIT_NOFILE, now.max(FILES), most).unwrap();
    let mut settings = settings();
    settings.limits.sessions_per_agent_max = SESSIONS;
    let app = TestApp::start_with(settings).await;
    let key = app.key_of("claude", &["finance", "mail"]).await;
    let other = app.key_of("chatgpt", &["finance"]).await;
    let crowd = open(&app, &key, SESSIONS).await;
    let mut bystanders = open(&app, &other, OTHERS).await;
    let before = app.sessions("?agent=chatgpt").await;
    let live = app.sessions("?agent=claude").await;
    assert_eq!(live.as_array().unwrap().len(), SESSIONS);

    let change = json!({ "sectors": ["finance"] });
    let told = app.amend_agent("claude", change).await.expect(200);
    assert_eq!(told["sessionsEnded"], SESSIONS);
    let ends = join_all(crowd.into_iter().map(Line::rest)).await;
    for end in &ends {
        assert!(end.ends_with("0\r\n\r\n"), "ended in order: {end:?}");
    }
    let results = ends
        .iter()
        .filter(|end| end.contains("\"resultType\":\"complete\""));
    assert_eq!(
        results.count(),
        SESSIONS / 2,
        "each listen stream has its result"
    );
    assert_eq!(app.sessions("?agent=claude").await, json!([]));

    assert_eq!(app.sessions("?agent=chatgpt").await, before);
    for bystander in &mut bystanders {
        let blink = pin!(bystander.until("data:")).now_or_never();
        assert_eq!(blink, None, "another agent's stream");
    }
}

/// Opens this many sessions with their streams, of the two eras in turn.
async fn open(app: &TestApp, key: &str, count: usize) -> Vec<Line> {
    let agents = app.agents.to_string();
    let mut lines = Vec::with_capacity(count);
    while lines.len() < count {
        let next = lines.len()..count.min(lines.len() + AT_ONCE);
        let opened = join_all(next.map(async |number| match number % 2 {
            0 => streaming(&agents, key).await,
            _ => listening(&agents, key, number).await,
        }));
        lines.extend(opened.await);
    }
    lines
}
