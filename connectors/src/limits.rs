//! Every limit of this crate by name.

use std::time::Duration;

/// Until a connection stands, its TLS included.
pub const CONNECT_DEADLINE: Duration = Duration::from_secs(10);

/// A request with all its redirects, until the last byte of the answer.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(60);

/// Redirects of one request.
pub const REDIRECTS_MAX: usize = 5;

/// Bytes of an answer's body, unless a caller asks for less.
pub const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Characters that are kept of a source's own words.
pub const SOURCE_TEXT_CHARACTERS_MAX: usize = 500;
