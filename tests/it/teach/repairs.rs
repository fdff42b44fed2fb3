mod wrong;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use self::wrong::{KINDS, Kind, Random, right};
use super::{agent, answer, reply_of, with_sample};

/// Wrong calls of each kind: 300 in all.
const CALLS_OF_A_KIND: usize = 25;
/// Of a hundred suggested calls at least this many must run.
const RUNNING_PERCENT_MIN: usize = 95;
const SEED: u64 = 20_260_317;
/// Draws after which no further wrong call of a kind is sought.
const DRAWS_MAX: usize = 5_000;

#[derive(Default)]
struct Share {
    calls: usize,
    running: usize,
    /// The suggestion equals the valid call.
    restored: usize,
}

/// The call that an error suggests.
fn suggested(fault: &str) -> Option<Value> {
    let (_, call) = fault.rsplit_once(". Try: ")?;
    serde_json::from_str(call).ok()
}

#[actix_web::test]
async fn the_call_that_an_error_suggests_runs() {
    let app = with_sample().await;
    let client = agent(&app).await;
    let right = right();
    for call in &right {
        answer(&client, "query", call).await;
    }
    let another = answer(
        &client,
        "query",
        &json!({"target": "mail.messages", "limit": 1}),
    )
    .await;
    let cursor = another["next_cursor"].as_str().unwrap();
    let mut random = Random(SEED);
    let mut shares: BTreeMap<Kind, Share> = BTreeMap::new();
    for kind in KINDS {
        let share = shares.entry(kind).or_default();
        let mut draws = 0;
        while share.calls < CALLS_OF_A_KIND {
            draws += 1;
            assert!(draws < DRAWS_MAX, "no wrong call of {kind:?}");
            let meant = random.one_of(&right);
            let Some(call) = kind.spoil(meant, cursor, &mut random) else {
                continue;
            };
            // A changed call that is still valid is no wrong call.
            let Err(fault) = reply_of(&client, "query", &call).await else {
                continue;
            };
            share.calls += 1;
            let suggestion = suggested(&fault);
            let runs = match &suggestion {
                Some(suggestion) => reply_of(&client, "query", suggestion).await.is_ok(),
                None => false,
            };
            share.running += usize::from(runs);
            share.restored += usize::from(suggestion.as_ref() == Some(meant));
            if !runs {
                println!("{kind:?}: {call}\n    {fault}");
            }
        }
    }
    let (mut calls, mut running) = (0, 0);
    for (kind, share) in &shares {
        let Share {
            calls: of,
            running: run,
            restored,
        } = share;
        println!("{kind:?}: {run} of {of} suggestions run, {restored} are the call that was meant");
        calls += of;
        running += run;
    }
    println!("in all {running} of {calls}");
    assert_eq!(calls, 300);
    assert!(
        running * 100 >= calls * RUNNING_PERCENT_MIN,
        "{running} of {calls}"
    );
}
