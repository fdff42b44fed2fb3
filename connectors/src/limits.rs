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

/// Bytes of a list of a collection's resources: some hundred a resource.
pub const DAV_LIST_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Resources of a collection that are asked for at once.
pub const DAV_LOT_MAX: usize = 50;

/// Resources of a collection that one page tells, most of them unchanged.
pub const DAV_PAGE_ITEMS_MAX: usize = 1000;

/// Calendars or address books of a sign-in.
pub const DAV_COLLECTIONS_MAX: usize = 1000;

/// Lists of one collection in a round, where the server cuts its lists.
pub const DAV_LISTS_MAX: usize = 1000;
