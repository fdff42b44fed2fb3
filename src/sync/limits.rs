//! Every limit of rounds. Those of a source's answers are in `connectors/src/limits.rs`, those of time between rounds in
//! `actors/src/limits.rs`.

use std::time::Duration;

/// Rounds that run at one time; more wait. A source that has caught up and listens is none of them.
pub(super) const ROUNDS_AT_ONCE_MAX: usize = 8;
/// Pages that are stored at one time, however many cores there are.
pub(super) const COMMITS_AT_ONCE_MAX: usize = 4;
/// Pages of one round; then it ends, and goes on with the next (providers rule 9).
pub(super) const PAGES_MAX: usize = 2_000;
/// How often a connection is read that says nothing of it.
pub(super) const INTERVAL_DEFAULT: Duration = Duration::from_secs(15 * 60);
/// How long a state of a home is kept, and then its tombstone (`docs/decisions.md`).
pub(super) const HISTORY_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// States that go in one transaction.
pub(super) const HISTORY_ROWS_AT_ONCE_MAX: i64 = 1000;
/// Runs of a connection that are kept; the newest are.
pub(super) const RUNS_KEPT_MAX: i64 = 200;
/// Items left out that a run's message names.
pub(super) const SKIPPED_NAMED_MAX: usize = 3;
/// Warnings of a source that a run's message has.
pub(super) const WARNINGS_TOLD_MAX: usize = 10;
/// Characters of a key in a message.
pub(super) const KEY_SHOWN_CHARACTERS_MAX: usize = 80;
/// A mail server may refuse a login for other reasons than the password; twice so far apart it is the password (providers rule 23).
pub(super) const MAIL_REFUSALS_APART: Duration = Duration::from_secs(60 * 60);
/// The first rest of a provider that says it is busy, and has a longest one of its own.
pub(super) const BUSY_REST_FIRST: Duration = Duration::from_secs(60);
/// Threads that rounds run on, apart from those of calls and edits.
pub(super) const THREADS: usize = 1;
/// The priority of those threads, as `nice` counts: 0 is that of calls and edits, 19 the least.
#[cfg(target_os = "linux")]
pub(super) const PRIORITY: i32 = 10;
