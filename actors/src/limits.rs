//! Every limit of the actors, by name: those that a configuration may change with their defaults, then the fixed ones.

use std::time::Duration;

use crate::backoff::Backoff;

/// The bounds that a configuration may change.
#[derive(Clone, Debug)]
pub struct TreeLimits {
    /// How often the audit log is written (r021).
    pub audit_flush_interval: Duration,
    /// Rows that may wait for the database before further ones are counted instead of kept.
    pub audit_waiting_rows_max: usize,
    /// Bytes that may wait likewise.
    pub audit_waiting_bytes_max: usize,
    /// How long an answer waits for its row to be journaled (r024).
    pub journal_patience: Duration,
    /// How large a segment of the journal grows before the next is begun.
    pub journal_segment_bytes_max: u64,
    /// How large the journal grows before it takes no more.
    pub journal_bytes_max: u64,
    /// Live sessions an agent may have.
    pub sessions_per_agent_max: usize,
    /// How long a session may be idle.
    pub session_idle_max: Duration,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self {
            audit_flush_interval: Duration::from_millis(1000),
            audit_waiting_rows_max: 200_000,
            audit_waiting_bytes_max: 256 * 1024 * 1024,
            journal_patience: Duration::from_millis(5),
            journal_segment_bytes_max: 8 * 1024 * 1024,
            journal_bytes_max: 1024 * 1024 * 1024,
            sessions_per_agent_max: 32,
            session_idle_max: Duration::from_secs(300),
        }
    }
}

// Supervision.

/// Waits between the restarts of a permanent actor.
pub(crate) const PERMANENT_BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    longest: Duration::from_secs(5),
};
/// Waits between the restarts of a transient actor.
pub(crate) const TRANSIENT_BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_secs(600),
};
/// Crashes within the window after which an actor is given up or parked.
pub(crate) const CRASHES_MAX: u32 = 5;
/// How far back the crashes of a permanent actor are counted.
pub(crate) const CRASH_WINDOW: Duration = Duration::from_secs(60);
/// How far back the crashes of a transient actor are counted.
pub(crate) const TRANSIENT_WINDOW: Duration = Duration::from_secs(3600);
/// How long a transient actor rests when it has crashed too often.
pub(crate) const PARKED_FOR: Duration = Duration::from_secs(3600);
/// Threads for actors whose own work is long.
pub(crate) const WORKER_THREADS: usize = 2;
/// How long whoever asks for a restart of an actor waits until its thread comes to it.
pub(crate) const RESTART_PATIENCE: Duration = Duration::from_secs(5);
/// Messages a mailbox takes before a sender has to wait. Not a bound on the whole: each sender has one slot more.
pub(crate) const MAILBOX_SLOTS: usize = 64;

// The database, as every actor meets it.

/// Waits between attempts while the database is away.
pub(crate) const STORE_BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    longest: Duration::from_secs(5),
};
/// How long one reading of grants or connections may take.
pub(crate) const LOAD_DEADLINE: Duration = Duration::from_secs(30);

// The audit log.

/// Rows that one flush writes; the rest follows at once.
pub(crate) const FLUSH_ROWS_MAX: usize = 5_000;
/// How long one statement of a flush may take.
pub(crate) const FLUSH_DEADLINE: Duration = Duration::from_secs(30);
/// How long the last rows may take when the service stops.
pub(crate) const DRAIN_DEADLINE: Duration = Duration::from_secs(10);
/// Longest arguments that are kept, in bytes of JSON after redaction (r027).
pub(crate) const ARGS_BYTES_MAX: usize = 4096;
/// Deepest nesting of arguments that is kept.
pub(crate) const ARGS_DEPTH_MAX: usize = 64;
/// Longest method of a refused handshake that is kept, in characters.
pub(crate) const METHOD_CHARS_MAX: usize = 64;
/// Refused handshakes that are recorded one by one in a window (r034).
pub(crate) const REFUSALS_PER_WINDOW: u32 = 30;
/// How long such a window lasts.
pub(crate) const REFUSAL_WINDOW: chrono::TimeDelta = chrono::TimeDelta::seconds(60);

// The journal.

/// Bytes that may wait to be written to the journal; what comes then is not journaled.
pub(crate) const JOURNAL_GROUP_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Groups that one caller writes one after the other, its own first; the journal's thread writes what comes then.
pub(crate) const JOURNAL_CALLER_TURNS_MAX: usize = 4;
/// A write to the journal that takes longer is slow: callers leave the writing to the journal's thread then.
pub(crate) const JOURNAL_WRITE_FAST_MAX: Duration = Duration::from_millis(5);
/// How many fast writes of the journal's thread in a row it takes until callers write again.
pub(crate) const JOURNAL_FAST_WRITES_MIN: u32 = 16;
/// Longest line of one entry: far above what the bounds on arguments and words leave.
pub(crate) const JOURNAL_ENTRY_BYTES_MAX: usize = 1024 * 1024;
/// How much of one file is read at the most: a segment of any earlier setting.
pub(crate) const JOURNAL_READ_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// How often the journal is synced to the disk, and what is committed is removed.
pub(crate) const JOURNAL_SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Waits before the disk is tried again.
pub(crate) const JOURNAL_BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    longest: Duration::from_secs(5),
};
/// How often a segment that cannot be read is tried before its rows are given up.
pub(crate) const JOURNAL_READS_MAX: u32 = 5;
/// How soon a drain looks again for entries that the journal has neither written nor refused.
pub(crate) const JOURNAL_LOOK_INTERVAL: Duration = Duration::from_millis(10);
/// How far a start leaps ahead of the numbers it found: beyond any that a statement of the process before, still on its way to the
/// database, can bring the position to.
pub(crate) const JOURNAL_LEAP: u64 = 1 << 32;
/// Numbers end below this; the database keeps them in 63 bits.
pub(crate) const JOURNAL_NUMBER_MAX: u64 = 1 << 62;
/// How long the journal may take to close.
pub(crate) const JOURNAL_CLOSE_DEADLINE: Duration = Duration::from_secs(5);

// The grants.

/// How long the database may take over one edit.
pub(crate) const EDIT_DEADLINE: Duration = Duration::from_secs(10);
/// How long the registry may take to end an agent's sessions.
pub(crate) const KILL_DEADLINE: Duration = Duration::from_secs(5);
/// How long the Console waits for an edit: longer than the edit and the kills behind it together.
pub(crate) const EDIT_PATIENCE: Duration = Duration::from_secs(25);
/// How often an edit is sent to an actor that crashes each time before it begins it.
pub(crate) const EDIT_ATTEMPTS_MAX: u32 = 3;
/// Edits of one agent, and revocations of all, that may wait for one another.
pub(crate) const EDITS_WAITING_MAX: usize = 16;

// The sessions.

/// How often idle sessions and passed deadlines are looked for.
pub(crate) const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// How long a session's acknowledgement of its end is waited for; its gate is closed by then.
pub(crate) const KILL_PATIENCE: Duration = Duration::from_secs(1);
/// How long the registry may take over a question.
pub(crate) const REGISTRY_PATIENCE: Duration = Duration::from_secs(5);
/// Calls that one session runs at once; further ones wait for their turn.
pub(crate) const CALLS_AT_ONCE_MAX: u32 = 32;
/// Sessions of earlier runs that one run takes up for one agent.
pub(crate) const RESUMED_PER_AGENT_MAX: usize = 256;
/// Sessions of one agent that are remembered to have ended only because they were idle.
pub(crate) const IDLE_ENDED_PER_AGENT_MAX: usize = 256;
/// How long one call may take: longer than any tool's own bound.
pub(crate) const CALL_DEADLINE: Duration = Duration::from_secs(120);
/// How long ending all sessions may take when the service stops.
pub(crate) const CLOSE_DEADLINE: Duration = Duration::from_secs(5);
/// Longest name or version that a client may give itself, in characters.
pub(crate) const CLIENT_CHARS_MAX: usize = 128;

// The rounds of connections that are read from their sources.

/// How long a round may go on; what is left goes on at once.
pub(crate) const ROUND_TIME: Duration = Duration::from_secs(15 * 60);
/// How much longer it may take to come to the end of its page.
pub(crate) const ROUND_GRACE: Duration = Duration::from_secs(3 * 60);
/// How long whoever asks for a round waits for its end.
pub(crate) const SYNC_PATIENCE: Duration = Duration::from_secs(20 * 60);
/// Rests after failures of a source in a row.
pub(crate) const SOURCE_BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(60),
    longest: Duration::from_secs(3600),
};
/// Waits before a stream that fell silent is opened again.
pub(crate) const STREAM_BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_secs(60),
};
/// How often it is stored that a stream is still listened to. One that was listened to for so long has begun well: the next failure is
/// the first again.
pub(crate) const LISTENING_SETTLED_EVERY: Duration = Duration::from_secs(60);
/// How long whoever wants a round to begin waits until it is known whether it may.
pub(crate) const BEGIN_PATIENCE: Duration = Duration::from_secs(5);
/// How long the actor of a connection that is paused or gone may take to end, before it is left to itself.
pub(crate) const LAST_ROUND_PATIENCE: Duration = Duration::from_secs(20 * 60);
/// How much longer than its interval, or its rest, a wait may be, in percent: connections that began together drift apart.
pub(crate) const SYNC_JITTER_PERCENT: u32 = 10;

// The sign-ins.

/// How long whoever needs an access token waits for it: longer than a request for one may take (60 s), and what is stored before and
/// after it.
pub(crate) const TOKEN_PATIENCE: Duration = Duration::from_secs(120);
/// How long obtaining one may go on, waited for or not. What takes longer hangs: a token that was renewed is lost if it could not be
/// committed by then.
pub(crate) const OBTAIN_TIME: Duration = Duration::from_secs(15 * 60);
/// How long whoever renews or removes a credential waits until the old one's token is forgotten.
pub(crate) const FORGET_PATIENCE: Duration = Duration::from_secs(5);
/// How long a token that is being obtained is waited for when the service stops.
pub(crate) const OBTAIN_END_PATIENCE: Duration = Duration::from_secs(4);

// The connections.

/// How long a push that was stored waits until agents are told of it.
pub(crate) const PROGRESS_PATIENCE: Duration = Duration::from_secs(5);
/// Readings of the connections at one time. What changes while as many are under way is read by the next, all of it together;
/// a second one serves while the database is slow to answer the first.
pub(crate) const CONNECTION_READS_AT_ONCE_MAX: usize = 2;
/// How long the reader of a changed connection is waited for.
pub(crate) const CHANGED_PATIENCE: Duration = Duration::from_secs(35);
/// How long connections may take to halt.
pub(crate) const HALT_DEADLINE: Duration = Duration::from_secs(5);
