//! Every limit of this crate by name.

use std::time::Duration;

use chrono::TimeDelta;

/// Until a connection stands, its TLS included.
pub const CONNECT_DEADLINE: Duration = Duration::from_secs(10);

/// A request with all its redirects, until the last byte of the answer.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(60);

/// How long a document at an address that somebody else named may take, its connection included.
pub const PUBLIC_REQUEST_DEADLINE: Duration = Duration::from_secs(5);

/// How long each step of a look at an address of one's own may take: a lookup, a connection, a request with its answer.
pub const PROBE_DEADLINE: Duration = Duration::from_secs(10);

/// Redirects of one request.
pub const REDIRECTS_MAX: usize = 5;

/// Bytes of an answer's body, unless a caller asks for less.
pub const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Bytes of an answer that issues tokens: some of them are kilobytes long.
pub const TOKEN_ANSWER_BYTES_MAX: usize = 256 * 1024;

/// The longest that a token is taken to last, whatever its provider says.
pub const TOKEN_LIFE_MAX: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// A token is renewed so long before it ends.
pub const TOKEN_MARGIN: Duration = Duration::from_secs(5 * 60);

/// Between an attempt to renew whose answer was lost and the one repetition, where a refresh token serves once.
pub const TOKEN_REPEAT_WAIT: Duration = Duration::from_secs(30);

/// After so many attempts whose answers were lost, a refresh token that serves once counts as spent.
pub const UNANSWERED_ATTEMPTS_MAX: u32 = 2;

/// After so many refusals that do not say for good, over [`OPAQUE_REFUSALS_SPAN`], a sign-in counts as ended.
pub const OPAQUE_REFUSALS_MAX: u32 = 3;

/// See [`OPAQUE_REFUSALS_MAX`].
pub const OPAQUE_REFUSALS_SPAN: Duration = Duration::from_secs(60 * 60);

/// The longest key of an item or a row, in bytes. Longer ones are a digest.
pub const KEY_BYTES_MAX: usize = 512;

/// Characters that are kept of a source's own words.
pub const SOURCE_TEXT_CHARACTERS_MAX: usize = 500;

/// Between two rounds, unless a provider or the operator says otherwise.
pub const INTERVAL: Duration = Duration::from_secs(15 * 60);
/// Between two rounds of a provider that asks for no more.
pub const INTERVAL_MIN: Duration = Duration::from_secs(5 * 60);
/// Between two rounds of iCloud: each finds its partition anew, which costs three requests (providers rule 24).
pub const ICLOUD_INTERVAL_MIN: Duration = Duration::from_secs(15 * 60);
/// The longest rest of iCloud while it says that it is busy (providers rule 24).
pub const ICLOUD_BUSY_REST_MAX: Duration = Duration::from_secs(6 * 60 * 60);
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

/// Bytes of one message of a home, and of a frame of it.
pub const HOME_MESSAGE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Until a home has taken or refused a token.
pub const HOME_SIGN_IN_DEADLINE: Duration = Duration::from_secs(10);

/// Until a home has answered a question.
pub const HOME_ANSWER_DEADLINE: Duration = Duration::from_secs(30);

/// Until a home has said how an action ended.
pub const HOME_ACTION_DEADLINE: Duration = Duration::from_secs(10);

/// How long the states that an action changes are waited for once the home has said that it is done.
pub const HOME_ACTION_SETTLE: Duration = Duration::from_secs(1);

/// Between two signs of life that are asked of a home.
pub const HOME_PING_INTERVAL: Duration = Duration::from_secs(30);

/// Until such a sign has come.
pub const HOME_PING_DEADLINE: Duration = Duration::from_secs(10);

/// Questions that wait to be sent to a home.
pub const HOME_QUESTIONS_QUEUED_MAX: usize = 32;

/// Events of a home that wait to be read.
pub const HOME_EVENTS_QUEUED_MAX: usize = 4096;

/// Between two looks at whether a home has started.
pub const HOME_START_POLL: Duration = Duration::from_secs(1);

/// Until a home must have started.
pub const HOME_START_DEADLINE: Duration = Duration::from_secs(300);

/// How long changes of a home are gathered before they are told.
pub const HOME_GATHER_INTERVAL: Duration = Duration::from_secs(1);

/// Items of one page of a home.
pub const HOME_PAGE_ITEMS_MAX: usize = 500;

/// Bytes of the fields of one page of a home.
pub const HOME_PAGE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of the attributes of one entity.
pub const HOME_ATTRIBUTES_BYTES_MAX: usize = 64 * 1024;

/// Between the opening of a home's stream and the reading of its past: a recorder writes what it has seen some seconds later.
pub const HOME_HISTORY_SETTLE: Duration = Duration::from_secs(10);

/// How far the past is read anew before the position: what a recorder wrote late is not missed.
pub const HOME_HISTORY_OVERLAP: Duration = Duration::from_secs(60);

/// How far back the past is read without a position, unless less is wanted: a recorder keeps ten days by default.
pub const HOME_HISTORY_BACK: Duration = Duration::from_secs(10 * 24 * 60 * 60);

/// The past of how long is asked for at once, so that the answer stays below [`HOME_MESSAGE_BYTES_MAX`].
pub const HOME_HISTORY_WINDOW: Duration = Duration::from_secs(6 * 60 * 60);

/// Of how many entities.
pub const HOME_HISTORY_ENTITIES_MAX: usize = 20;

/// How far back a WHOOP is read anew in each round: scores come and are corrected within days.
pub const WHOOP_REREAD: TimeDelta = TimeDelta::days(7);

/// How much longer before that is asked for, so that what the source dates otherwise than its row is not taken for gone.
pub const WHOOP_LEAD: TimeDelta = TimeDelta::days(1);

/// The same for recoveries: a strap may send a night so many days later, and the recovery is dated then.
pub const WHOOP_RECOVERY_LEAD: TimeDelta = TimeDelta::days(7);

/// The past of a WHOOP is read in steps of this length, newest first.
pub const WHOOP_STEP: TimeDelta = TimeDelta::days(30);

/// Records of one page: the most that the source takes.
pub const WHOOP_PAGE_RECORDS: usize = 25;

/// Pages of one list, which covers not much more than a step.
pub const WHOOP_PAGES_MAX: usize = 100;

/// Steps back in one round, of all collections together; the next round goes on.
pub const WHOOP_STEPS_MAX: usize = 1000;

/// Requests that are left unsent of those that the source allows.
pub const WHOOP_REQUESTS_KEPT: u64 = 5;

/// The longest time to wait that the source can mean: its longest count is of a day.
pub const WHOOP_RESET_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Pages of one list of Google.
pub const GOOGLE_LIST_PAGES_MAX: usize = 2_000;

/// Calendars of a sign-in at Google.
pub const GOOGLE_CALENDARS_MAX: usize = 1000;

/// Groups of contacts of a sign-in at Google.
pub const GOOGLE_GROUPS_MAX: usize = 5_000;

/// Groups that are asked for at once with their members; Google takes up to 200.
pub const GOOGLE_GROUPS_LOT: usize = 50;

/// Bytes of the parts of series that are held until a list has ended. What is more is asked for again, series by series.
pub const GOOGLE_HELD_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Series on a page.
pub const GOOGLE_PAGE_SERIES_MAX: usize = 100;

/// Bytes of the series of a page, as Google sends them; the last may be more.
pub const GOOGLE_PAGE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Pages of one collection of Graph in a round.
pub const GRAPH_PAGES_MAX: usize = 4_000;

/// Passes over one collection of Graph that a round begins because a page could not be had.
pub const GRAPH_PASSES_MAX: usize = 3;

/// How long a collection of Graph is read in an unusual way before the usual one is tried again.
pub const GRAPH_UNUSUAL_READING: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Folders of one sector of a Microsoft account.
pub const GRAPH_FOLDERS_MAX: usize = 5_000;

/// Contacts that are asked for at once.
pub const GRAPH_CONTACTS_LOT: usize = 200;

/// Mails of Graph that are asked for at once, with their texts.
pub const GRAPH_MAILS_LOT: usize = 50;

/// Attachments of one mail of Graph that are named.
pub const GRAPH_ATTACHMENTS_MAX: usize = 1_000;

/// Calendars of one Microsoft account.
pub const GRAPH_CALENDARS_MAX: usize = 1_000;

/// Events and occurrences of Graph that are asked for at once.
pub const GRAPH_EVENTS_LOT: usize = 50;

/// How far back a view of a calendar reaches, unless more is wanted.
pub const GRAPH_VIEW_BACK: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// How far back it reaches at most: Graph shows no more than 1,825 days at once.
pub const GRAPH_VIEW_BACK_MAX: Duration = Duration::from_secs(1_400 * 24 * 60 * 60);

/// How far ahead it reaches.
pub const GRAPH_VIEW_AHEAD: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// After which time a view is opened anew, so that its window moves on.
pub const GRAPH_VIEW_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Bytes of an access URL.
pub const SIMPLEFIN_CLAIM_BYTES_MAX: usize = 16 * 1024;

/// Bytes of one answer: some months of all banks.
pub const SIMPLEFIN_ANSWER_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Requests to a bridge a day. It asks for at most 24, and ends a token that asks four times as often.
pub const SIMPLEFIN_REQUESTS_A_DAY: u32 = 20;

/// Of these, those that may be spent on what lies before the last weeks.
pub const SIMPLEFIN_BACK_REQUESTS_A_DAY: u32 = 12;

/// Between two rounds of a bridge, unless the operator says otherwise: banks tell it once or twice a day.
pub const SIMPLEFIN_INTERVAL: Duration = Duration::from_secs(3 * 60 * 60);

/// The least that they may say: a round takes one of the requests, and one more now and then.
pub const SIMPLEFIN_INTERVAL_MIN: Duration = Duration::from_secs(90 * 60);

/// The rest after a bridge says that the subscription has lapsed: only the person can mend that, at the bridge.
pub const SIMPLEFIN_LAPSED_REST: Duration = Duration::from_secs(12 * 60 * 60);

/// How far back each round reads anew.
pub const SIMPLEFIN_REREAD: TimeDelta = TimeDelta::days(30);

/// How much of what was read before is read anew after a pause.
pub const SIMPLEFIN_OVERLAP: TimeDelta = TimeDelta::days(8);

/// The longest time that is asked for at once: a bridge gives 90 days, and the day that has begun counts.
pub const SIMPLEFIN_SPAN: TimeDelta = TimeDelta::days(89);

/// How far back is asked for at most, unless more is wanted.
pub const SIMPLEFIN_BACK_MAX: TimeDelta = TimeDelta::days(2 * 365);

/// After so many spans in which an account tells nothing, its bank has no more of it.
pub const SIMPLEFIN_QUIET_SPANS_MAX: u32 = 2;

/// Payments of one page.
pub const SIMPLEFIN_PAGE_ITEMS_MAX: usize = 500;

/// Accounts of one sign-in.
pub const SIMPLEFIN_ACCOUNTS_MAX: usize = 1_000;

/// Requests about one account of a linked bank within a day: banks allow four while the person is not there.
pub const LINKED_READS_A_DAY: u32 = 4;

/// Between two rounds of a linked bank.
pub const LINKED_INTERVAL: Duration = Duration::from_secs(6 * 60 * 60);

/// How long a bank's consent is asked for, where the bank gives no less.
pub const LINKED_CONSENT_MAX: TimeDelta = TimeDelta::days(180);

/// How much less is asked for than a bank gives: one whose clock goes after ours would refuse the whole of it.
pub const LINKED_CONSENT_MARGIN: TimeDelta = TimeDelta::hours(1);

/// How far back a linked bank is asked at most, but for the first time after a consent: some refuse three months, none 89 days.
pub const LINKED_SPAN_DAYS: i64 = 89;

/// How far back each round reads a linked bank anew.
pub const LINKED_REREAD_DAYS: i64 = 30;

/// How much of what was read before is read anew after a pause.
pub const LINKED_OVERLAP_DAYS: i64 = 8;

/// Times that a list is asked for in a round, each for less of the past, where a bank refuses how much was asked for.
pub const LINKED_SPANS_MAX: usize = 3;

/// Pages of one list of an account's payments.
pub const LINKED_LIST_PAGES_MAX: usize = 500;

/// Payments of one list.
pub const LINKED_LIST_PAYMENTS_MAX: usize = 50_000;

/// Payments of one page.
pub const LINKED_PAGE_ITEMS_MAX: usize = 500;

/// Accounts of one consent.
pub const LINKED_ACCOUNTS_MAX: usize = 1_000;

/// How long a token lasts that an application signs for itself.
pub const APPLICATION_TOKEN_LIFE: TimeDelta = TimeDelta::hours(1);

/// How much earlier than now it says that it was made: not every clock is right.
pub const APPLICATION_TOKEN_BACKDATED: TimeDelta = TimeDelta::minutes(1);
