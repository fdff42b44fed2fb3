//! A thousand handshakes whose sessions are never ended, measured as the memory of the process that answered them.

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;

use super::{Setup, Target};
use crate::mcp::support::body_of;
use crate::process::memory::memory_now;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

const HANDSHAKES: usize = 1_000;
/// The most sessions that live at one time; the others were evicted.
const CAP: &str = "250";
const IDLE_S: &str = "10";
/// A session that is left behind costs some 50 KiB: a thousand would be twice this and more.
const RISE_KIB_MAX: u64 = 24 * 1024;

#[test]
fn a_thousand_sessions_that_were_left_give_their_memory_back() {
    in_scratch(async |home| {
        let setup = Setup::in_home(home)
            .env("SESSIONS_PER_AGENT", CAP)
            .env("SESSION_IDLE_S", IDLE_S);
        let target = Target::start(setup).await;
        // The memory that the first thousand return to the allocator is reused for the next.
        come_and_go(&target).await;
        let before = memory_now(target.service.pid());
        come_and_go(&target).await;
        let rise = memory_now(target.service.pid()).saturating_sub(before);
        assert!(rise <= RISE_KIB_MAX, "{rise} KiB");
        target.serves_the_good_one().await;
        target.service.stop(Signal::SIGTERM).await;
    });
}

async fn come_and_go(target: &Target) {
    for turn in 0..HANDSHAKES {
        if turn % 2 == 0 {
            target.good.session().await;
        } else {
            let half = target.good.initialize("2025-11-25");
            assert_eq!(body_of(half).await.0, 200);
        }
    }
    eventually("all have been idle for too long", async || {
        let path = "/api/sessions?agent=good";
        let live = target.service.call(Method::GET, path, None, 200).await;
        live["sessions"] == json!([])
    })
    .await;
}
