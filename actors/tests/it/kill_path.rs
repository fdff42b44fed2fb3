//! The kill path under a seeded scheduler. Clients, operators, the store and the desk wait at every step; when everybody stands still
//! the scheduler picks who goes on, and what goes wrong. What it sees from outside must keep the rules, in every interleaving.
//!
//! `KILL_PATH_SEED` and `KILL_PATH_RUNS` choose other seeds; a failure says how to replay it.

mod chance;
mod clock;
mod desk;
mod history;
mod looks;
mod play;
mod players;
mod rules;
mod stage;
mod store;
mod tally;

use std::collections::HashSet;

use play::{End, Play};
use tally::Tally;

use crate::support::run;

/// Interleavings that are tried when nobody asks for more.
const RUNS: u64 = 1_500;
/// Interleavings that must differ among them.
const DISTINCT_MIN: usize = 1_000;

const OFTEN: [(&str, u64); 0] = [];

fn play(seed: u64) -> End {
    let end = run(async { Play::prepare(seed).await.perform().await });
    assert!(
        end.broken.is_empty(),
        "seed {seed}: {}\n\nwhat was picked:\n  {}\n\nreplay: KILL_PATH_SEED={seed} KILL_PATH_RUNS=1 cargo test -p sextant-actors --test it kill_path",
        end.broken[0],
        end.trace.join("\n  "),
    );
    end
}

#[expect(
    clippy::disallowed_methods,
    reason = "a seed to replay comes from the environment"
)]
fn asked(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn r504_no_interleaving_lets_anything_pass_under_a_grant_that_was_edited() {
    let (first, runs) = (asked("KILL_PATH_SEED", 1), asked("KILL_PATH_RUNS", RUNS));
    println!("{runs} interleavings from seed {first}");
    let mut traces = HashSet::new();
    let mut tally = Tally::default();
    for seed in first..first + runs {
        let end = play(seed);
        traces.insert(end.hash);
        tally.add(end.tally);
    }
    println!("{} of them differ\n{}", traces.len(), tally.lines());
    if runs >= RUNS {
        assert!(traces.len() >= DISTINCT_MIN, "{} differ", traces.len());
        let rare = tally.rare(&OFTEN);
        assert!(rare.is_empty(), "this hardly ever happened: {rare:?}");
    }
}
