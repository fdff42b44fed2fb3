//! An answer that is cut: what every surface of the agents says when a session's gate closes in the middle of one (r504).

use std::fmt;

use sextant_actors::sessions::CloseReason;

/// Most bytes that pass a gate at once: little has left when it closes.
pub const PIECE_BYTES_MAX: usize = 16 * 1024;

/// The session ended before the answer was whole.
#[derive(Debug)]
pub struct CutOff(pub CloseReason);

impl fmt::Display for CutOff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the session ended before its answer did: {:?}",
            self.0
        )
    }
}

impl std::error::Error for CutOff {}
