//! The limits of the doctor.

use chrono::TimeDelta;

/// How long a certificate should last yet.
pub(super) const CERTIFICATE_MARGIN: TimeDelta = TimeDelta::days(14);
/// How long the agent may be there that the doctor signs in as, should it be unable to remove it.
pub(super) const AGENT_LIFE: TimeDelta = TimeDelta::hours(1);
/// Bytes of an answer that are read: a sign-in page, or the list of tools.
pub(super) const ANSWER_BYTES_MAX: usize = 512 * 1024;
/// Characters that are told of an address or a name that somebody else's answer holds.
pub(super) const QUOTED_CHARS_MAX: usize = 120;
/// Random bytes of a nonce, and of a state and a verifier.
pub(super) const NONCE_BYTES: usize = 24;
/// Random bytes in the name of the agent: eight characters.
pub(super) const AGENT_NAME_BYTES: usize = 6;
