//! Wrong keys, as fast as they can be sent (r034, r069).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use nix::sys::signal::Signal;
use serde_json::json;

use super::Target;
use super::request::{Request, Told};
use crate::mcp::support::json_of;
use crate::process::memory::{memory_at_most, memory_now};
use crate::process::raw::Raw;
use crate::support::users::in_scratch;

const STRANGERS: usize = 4;
/// Calls of the honest agent in each era, all while the wrong keys are sent.
const CALLS: usize = 100;
/// At least this many wrong keys are refused meanwhile.
const REFUSALS_MIN: usize = 500;
/// Rows of refusals in a window (r034); a test during which a minute begins sees two windows.
const ROWS_PER_WINDOW: usize = 30;
const RISE_KIB_MAX: u64 = 16 * 1024;

#[test]
fn r034_r069_wrong_keys_at_full_speed_cost_the_right_one_nothing() {
    in_scratch(async |home| {
        let target = Target::in_home(home).await;
        target.serves_the_good_one().await;
        let (log, before) = (target.log(), memory_now(target.service.pid()));
        let flood = Flood::begin(&target);
        let session = target.good.session().await;
        let mut calls = 0;
        while calls < CALLS || flood.refused() < REFUSALS_MIN {
            let told = flood.refused();
            for call in [
                target
                    .good
                    .session_call(&session, "list_actions", json!({})),
                target.good.modern_call("list_actions", json!({})),
            ] {
                let (status, answer) = json_of(call).await;
                assert_eq!((status, &answer["result"]["isError"]), (200, &json!(false)));
            }
            calls += 1;
            assert!(flood.refused() >= told);
        }
        let refused = flood.end();
        assert!(refused >= REFUSALS_MIN);
        target.serves_the_good_one().await;
        let rise = memory_at_most(target.service.pid()).saturating_sub(before);
        assert!(rise <= RISE_KIB_MAX, "{rise} KiB");
        assert_eq!(target.log(), log, "strangers write nothing into the log");
        rows_are_few(&target, refused).await;
        target.service.stop(Signal::SIGTERM).await;
    });
}

/// Asserts thirty rows for a window, and that those not recorded in it are reported with the next.
async fn rows_are_few(target: &Target, refused: usize) {
    let rows = target.rows("initialize", ROWS_PER_WINDOW).await;
    let told = |row: &&serde_json::Value| row["deny_reason"] == "unknown agent";
    let unknown = rows.iter().filter(told).count();
    let windows = unknown.div_ceil(ROWS_PER_WINDOW);
    assert!(unknown < refused && windows <= 2, "{unknown} of {refused}");
    assert!(rows.len() - unknown < windows, "{rows:?}");
    for row in rows.iter().filter(|row| !told(row)) {
        let reason = row["deny_reason"].as_str().unwrap();
        assert!(reason.starts_with("throttled: "), "{reason}");
    }
}

/// Threads that send wrong keys and read the refusals until they are stopped.
struct Flood {
    over: Arc<AtomicBool>,
    refused: Arc<AtomicUsize>,
    strangers: Vec<std::thread::JoinHandle<()>>,
}

impl Flood {
    fn begin(target: &Target) -> Self {
        let (over, refused) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let stranger = |number: usize| {
            let (over, refused) = (over.clone(), refused.clone());
            let address = target.address().to_owned();
            std::thread::spawn(move || {
                while !over.load(Ordering::SeqCst) {
                    let turn = refused.fetch_add(1, Ordering::SeqCst);
                    let request = Request::list(&format!("sxt_wrong-{number}-{turn}"));
                    let told = Told::read(&Raw::to(&address).send(request.bytes()).rest());
                    assert_eq!(told.status, 401, "{told:?}");
                }
            })
        };
        let strangers = (0..STRANGERS).map(stranger).collect();
        Self {
            over,
            refused,
            strangers,
        }
    }

    fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    fn end(self) -> usize {
        self.over.store(true, Ordering::SeqCst);
        for stranger in self.strangers {
            stranger.join().unwrap();
        }
        self.refused.load(Ordering::SeqCst)
    }
}
