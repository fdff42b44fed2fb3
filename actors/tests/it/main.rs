//! The actors behind their handles, with fake ports that can be made to fail. Time is paused: it moves only while
//! everybody waits.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod audit;
mod calls;
mod connections;
mod doubt;
mod failures;
mod faults;
mod gives_up;
mod grants;
mod journal;
mod journal_play;
mod journal_turns;
mod kill_path;
mod readers;
mod replay;
mod restarts;
mod sessions;
mod sign_ins;
mod steps;
mod streams;
mod support;
mod sync;
mod tree;
mod witness;
