//! The bounds of what may be set, each with the reason for it.

use std::ops::RangeInclusive;

/// How often the audit log is written, in milliseconds: below 10 it is one insert a call, above a minute rows appear too late.
pub(crate) const AUDIT_FLUSH_MS: RangeInclusive<u64> = 10..=60_000;

/// The largest push, in megabytes: above a gigabyte the file should be pushed in parts.
pub(crate) const INGEST_MAX_BODY_MB: RangeInclusive<usize> = 1..=1024;

/// Live sessions an agent may have: each keeps an actor and its memory.
pub(crate) const SESSIONS_PER_AGENT: RangeInclusive<usize> = 1..=10_000;

/// How long a session may be idle, in seconds: at least as long as a slow model thinks, at most a day.
pub(crate) const SESSION_IDLE_S: RangeInclusive<u64> = 10..=86_400;
