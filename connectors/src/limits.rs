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

/// A command of mail, until the last byte of its answers.
pub const MAIL_COMMAND_DEADLINE: Duration = Duration::from_secs(60);

/// Taking leave of a mail server.
pub const MAIL_LOGOUT_DEADLINE: Duration = Duration::from_secs(2);

/// Bytes of all answers to one command of mail.
pub const MAIL_ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Answers to one command of mail.
pub const MAIL_ANSWERS_MAX: usize = 200_000;

/// Words and lists in one answer of a mail server.
pub const MAIL_VALUES_MAX: usize = 20_000;

/// Lists within lists in one answer of a mail server.
pub const MAIL_VALUE_DEPTH_MAX: usize = 50;

/// Mailboxes of one account.
pub const MAILBOXES_MAX: usize = 5_000;

/// Mails that are asked for at once.
pub const MAIL_LOT: usize = 200;

/// Mails that are named at once where nothing is asked of the server.
pub const MAIL_NAMED_LOT: usize = 2_000;

/// Bytes of the mails of one page.
pub const MAIL_PAGE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A mail up to here is fetched whole, and so many bytes of mails by one command: slow lines manage that in its time.
pub const MAIL_WHOLE_BYTES_MAX: usize = 1024 * 1024;

/// Parts of a mail over that limit of which more is asked than how large they are.
pub const MAIL_PARTS_MAX: usize = 100;

/// Mails a server may say at once to be gone; for more, all that are there are named.
pub const MAIL_VANISHED_MAX: usize = 10_000;
