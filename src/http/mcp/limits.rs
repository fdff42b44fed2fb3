//! Every bound of the agent port, named.

use std::time::Duration;

/// Largest body of one POST.
pub const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How long a client may take to send its body.
pub(crate) const BODY_WAIT: Duration = Duration::from_secs(30);
/// Largest head of a request: names and values of its headers together.
pub const HEAD_BYTES_MAX: usize = 32 * 1024;
/// How long a client may take to send its head.
pub(crate) const HEAD_WAIT: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
pub(crate) const CONNECTION_IDLE_MAX: Duration = Duration::from_secs(75);
/// How long a connection that has served its last request may take to close.
pub(crate) const DISCONNECT_WAIT: Duration = Duration::from_secs(1);
/// How many agents it takes to hold all connections.
pub(crate) const AGENTS_TO_FILL: usize = 2;
/// Bytes of bodies that one agent may have under way: eight of the largest.
pub(crate) const BODY_BYTES_PER_AGENT_MAX: usize = 8 * BODY_BYTES_MAX;
/// Most values and names of one message: far more than any question needs.
pub(crate) const MESSAGE_VALUES_MAX: usize = 10_000;
/// Deepest nesting of one message.
pub(crate) const MESSAGE_LEVELS_MAX: usize = 64;
/// Fewest threads that serve the port and run what is asked over it: one that is at work must not hold up everybody.
pub(crate) const WORKERS_MIN: usize = 2;
/// Most of them, however many cores there are.
pub(crate) const WORKERS_MAX: usize = 8;
/// How long a stop waits for answers under way, in seconds; the sessions have ended before it.
pub(crate) const STOP_WAIT_S: u64 = 2;
/// How often a silent stream says that it is alive: well below the 60 s after which proxies cut.
pub(crate) const STREAM_KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long rmcp keeps a finished answer for a client that lost its stream: personal data, so hardly at all.
pub(crate) const FINISHED_ANSWER_KEPT: Duration = Duration::from_secs(1);
/// Longest name or version of a client that is kept, in characters.
pub(crate) const CLIENT_WORD_CHARS_MAX: usize = 64;
