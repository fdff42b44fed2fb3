//! The checks of a call before anything is read, and the compilation of its SQL: without a socket or a database.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use sextant::calls::decide;
use sextant_actors::domain::{Call, Caller, OPERATOR, Sector, SectorSet};

use super::anchors::{ANCHORS, Anchor, TIME, VARIANTS, compiled};

/// Calls that are timed together, and those before them that are not; the fastest of the rounds counts.
const CALLS: usize = 20_000;
const ROUNDS: usize = 5;

/// Microseconds for each query, on one thread that does nothing else.
pub fn table() -> String {
    let mut table = "| | decided µs | compiled µs |\n| --- | ---: | ---: |\n".to_owned();
    for anchor in &ANCHORS {
        let (decided, compiled) = (deciding(anchor), compiling(anchor));
        writeln!(
            table,
            "| {} | {:.1} | {:.1} |",
            anchor.name,
            each_us(decided),
            each_us(compiled)
        )
        .unwrap();
    }
    table
}

/// Times the checks: the grant, the arguments, the fields, up to a valid query.
fn deciding(anchor: &Anchor) -> Duration {
    let caller = Caller {
        user: OPERATOR,
        agent: None,
        sectors: SectorSet::EMPTY.with(Sector::Finance).with(Sector::Mail),
        expires_at: None,
    };
    let calls: Vec<Call> = (0..VARIANTS)
        .map(|variant| Call {
            tool: "query".to_owned(),
            arguments: anchor.arguments(variant),
            request_id: None,
        })
        .collect();
    least(&calls, |call| {
        assert!(decide(&caller, black_box(call), &TIME).is_ok());
    })
}

/// Times the compilation: the statement and the values bound to it.
fn compiling(anchor: &Anchor) -> Duration {
    let questions: Vec<_> = (0..VARIANTS)
        .map(|variant| anchor.question(variant))
        .collect();
    least(&questions, |question| {
        black_box(compiled(black_box(question)));
    })
}

fn least<T>(of: &[T], step: impl Fn(&T)) -> Duration {
    let round = || {
        let begun = Instant::now();
        of.iter().cycle().take(CALLS).for_each(&step);
        begun.elapsed()
    };
    (0..=ROUNDS).map(|_| round()).min().unwrap_or_default()
}

fn each_us(all: Duration) -> f64 {
    all.as_secs_f64() * 1e6 / CALLS as f64
}
