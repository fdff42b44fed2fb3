//! The kill path under a seeded scheduler. Clients, operators, the store and the tool service wait at every step;
//! when all wait, the scheduler picks who goes on, and what goes wrong. What it observes from outside must keep the
//! rules, in every interleaving.
//!
//! `KILL_PATH_SEED` and `KILL_PATH_RUNS` choose other seeds; a failure says how to replay it.

#![expect(
    clippy::indexing_slicing,
    reason = "a play whose own state is wrong fails"
)]

mod chance;
mod clock;
mod history;
mod looks;
mod operators;
mod play;
mod players;
mod rounds;
mod rules;
mod stage;
mod store;
mod tally;
mod tool_service;

use std::collections::HashSet;

use play::{End, Play};
use tally::Tally;

use crate::support::run;

/// Interleavings that are tried by default.
const RUNS: u64 = 6_000;
/// The least number of different interleavings among them.
const DISTINCT_MIN: usize = 4_000;

/// Events that must occur, and how often at least: a scheduler that never kills during a call would prove nothing.
const OFTEN: [(&str, u64); 35] = [
    ("a byte passes", 2_000),
    ("a call is answered", 2_000),
    ("a commit whose answer is lost", 200),
    ("a deadline ends a session", 10),
    ("a connection's actor crashes", 300),
    ("a kill in mid-call", 100),
    ("a kill in mid-stream", 50),
    ("a lost commit lands late", 200),
    ("a lost commit never lands", 20),
    ("a reload ends a session", 10),
    ("a session crashes", 200),
    ("a session ends as its call returns", 50),
    ("a session is deleted", 200),
    ("a session is found", 100),
    ("a session is not found", 200),
    ("a session is opened", 4_000),
    ("an edit ends a session", 800),
    ("an edit is answered while rounds run", 1_500),
    ("an edit of unknown fate", 500),
    ("an edit that was refused", 100),
    ("an edit that was unavailable", 200),
    ("an open gets no answer", 100),
    ("an operator leaves in mid-edit", 100),
    ("an outdated ticket is refused", 300),
    ("created", 300),
    ("created again", 20),
    ("deadline edited", 200),
    ("removed", 100),
    ("revoked", 100),
    ("rotated", 200),
    ("sectors edited", 300),
    ("several edits of one agent at once", 500),
    ("sessions that an edit ended are counted", 200),
    ("the grants crash", 300),
    ("the registry crashes", 500),
];

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
fn from_environment(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn a_seed_replays_its_interleaving() {
    for seed in 1..=20 {
        assert_eq!(play(seed).trace, play(seed).trace, "seed {seed}");
    }
}

#[test]
fn r504_no_interleaving_lets_anything_pass_under_a_grant_that_was_edited() {
    let (first, runs) = (
        from_environment("KILL_PATH_SEED", 1),
        from_environment("KILL_PATH_RUNS", RUNS),
    );
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
