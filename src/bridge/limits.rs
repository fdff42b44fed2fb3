//! The limits of the OAuth bridge.

use std::time::Duration;

use chrono::TimeDelta;

/// Requests over registration, authorization and tokens together, in [`REQUEST_WINDOW`] (r103).
pub(super) const REQUESTS_PER_WINDOW: u32 = 120;
/// The window begins with the first request after the last one ended.
pub(super) const REQUEST_WINDOW: TimeDelta = TimeDelta::seconds(60);
/// Callers that are counted apart; further ones share one window.
pub(super) const CALLERS_MAX: usize = 10_000;
/// How long to wait before the database is asked again for what is stored.
pub(super) const LOAD_PAUSE: Duration = Duration::from_secs(1);
/// How long a sign-in page may stay open.
pub(super) const FORM_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long a code serves (RFC 6749 §4.1.2 wants it short).
pub(super) const CODE_LIFE: TimeDelta = TimeDelta::seconds(60);
/// Codes that are kept at one time; each needed a good key.
pub(super) const CODES_MAX: usize = 1_000;
/// How long an access token serves. It may be long, because whatever ends a key ends its tokens at once; some hosted agents sign in anew
/// whenever one ends.
pub(super) const ACCESS_LIFE: TimeDelta = TimeDelta::hours(12);
/// How long an access token that has ended is known as such; after that it is unknown.
pub(super) const ENDED_ACCESS_KEPT: TimeDelta = TimeDelta::days(1);
/// How long a refresh token that was used gives the same tokens again: hosted agents refresh from several places at once.
pub(super) const REUSE_WINDOW: TimeDelta = TimeDelta::seconds(60);
/// How long a sign-in is kept that is not used.
pub(super) const IDLE_MAX: TimeDelta = TimeDelta::days(90);
/// Sign-ins with one key; the one that was not used for the longest time makes room.
pub(super) const SIGN_INS_PER_KEY_MAX: i64 = 32;
/// How long a registration is kept that never led to a token.
pub(super) const UNUSED_CLIENT_LIFE: TimeDelta = TimeDelta::hours(24);
/// Such registrations; the oldest makes room.
pub(super) const UNUSED_CLIENTS_MAX: i64 = 1_000;
/// Redirect addresses of one client.
pub(super) const REDIRECTS_MAX: usize = 16;
/// The longest redirect address, in bytes.
pub(super) const REDIRECT_BYTES_MAX: usize = 2_048;
/// The longest name of a client that is shown, in characters.
pub(super) const NAME_CHARS_MAX: usize = 80;
/// The longest id of a client, in bytes.
pub(super) const CLIENT_ID_BYTES_MAX: usize = 1_024;
/// The longest state that is given back, in bytes.
pub(super) const STATE_BYTES_MAX: usize = 4_096;
/// The largest document of a client's metadata, in bytes.
pub(super) const DOCUMENT_BYTES_MAX: usize = 16 * 1024;
/// Documents that are fetched at one time.
pub(super) const DOCUMENTS_AT_ONCE_MAX: usize = 4;
/// How long a sign-in waits for its turn to fetch one.
pub(super) const DOCUMENT_TURN_WAIT: Duration = Duration::from_secs(5);
