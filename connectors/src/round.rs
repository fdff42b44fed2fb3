//! What a source is to the service: one sector of a sign-in, read in rounds of pages.
//!
//! A round lives over its pages: one login, one discovery. What a page says is stored with the page's own position in one
//! transaction, so that a round that was cut off goes on from its last page. A source's own token becomes a position only with the
//! last page that it covers: it is never ahead of the rows.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::Value;
use sextant_formats::RecordFields;

use crate::action::Actuator;
use crate::failure::SourceFailure;

/// The scope of what holds the others: calendars, address books, mailboxes, areas.
pub const CONTAINERS: &str = "";

/// One sector of a sign-in.
#[async_trait]
pub trait Feed: Send + Sync {
    /// Tries the credential, and that this sector is there.
    async fn check(&self) -> Result<(), SourceFailure>;

    /// Begins a round.
    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure>;
}

/// Pages, until there are no more.
#[async_trait]
pub trait Round: Send {
    /// The next page; `None` when the source has told everything. After a failure the round is over.
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure>;

    /// Takes leave of the source (a mail server's `LOGOUT`). A failure of that is nobody's trouble.
    async fn end(self: Box<Self>) {}
}

/// A source that tells its changes by itself, for as long as it is listened to.
#[async_trait]
pub trait Watch: Send + Sync {
    /// Tries the credential.
    async fn check(&self) -> Result<(), SourceFailure>;

    /// Connects, and listens from then on.
    async fn open(&self, request: RoundRequest) -> Result<WatchedSource, SourceFailure>;
}

/// What is there as long as one connection to a watched source stands.
pub struct WatchedSource {
    /// What is stored of it.
    pub changes: Box<dyn ChangeStream>,
    /// What can be done there.
    pub actions: Arc<dyn Actuator>,
}

/// Pages without an end: first those of a pass over everything, then what changes.
#[async_trait]
pub trait ChangeStream: Send {
    /// Waits for the next page. After a failure (also that of a stream that was read too slowly) the stream is over: the caller
    /// opens another, which begins with a pass again.
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Page, SourceFailure>;

    /// Whether the pages of the first pass were all handed out: what comes from now on is what changes.
    fn has_caught_up(&self) -> bool;
}

/// What of a scope is stored: so that an unchanged item is not fetched again, and nothing is held in memory for it.
#[async_trait]
pub trait KnownItems: Send + Sync {
    /// The stored versions of those of `keys` that are stored at all.
    async fn versions(
        &self,
        scope: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, SourceFailure>;
}

/// From where a round goes on, and how far back.
#[derive(Clone, Debug)]
pub struct RoundRequest {
    /// The position that was stored with the last page of each scope.
    pub positions: HashMap<String, Value>,
    /// Items whose instant lies before it are not wanted; `None` for all there are.
    pub since: Option<DateTime<Utc>>,
    /// The present, by the service's clock.
    pub now: DateTime<Utc>,
    /// The person's zone, by which a day begins.
    pub zone: Tz,
}

/// What is stored in one transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Of which container, or [`CONTAINERS`].
    pub scope: String,
    /// In their order; a key stands in a page once.
    pub changes: Vec<ItemChange>,
    /// What the scope goes on from after this page. An object of the source's own.
    pub position: Value,
    /// Whether the page is of a pass over everything, and whether it is the last of it.
    pub pass: Option<Pass>,
    /// What could not be read of the source's items, and was left out.
    pub skipped: Vec<SkippedItem>,
    /// From when on its scope is covered then.
    pub coverage: ScopeCoverage,
    /// What the source says is wrong with a part of it (one bank of many), as sentences.
    pub warnings: Vec<String>,
}

/// From when on a scope is covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeCoverage {
    /// From where the round was asked to begin ([`RoundRequest::since`]).
    #[default]
    AsAsked,
    /// From its beginning, whatever was asked.
    Everything,
    /// From this instant on.
    From(DateTime<Utc>),
}

/// A pass over everything in a scope: what it has not named by its end is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The same for all its pages, also after a restart: the position carries it.
    pub begun_at: DateTime<Utc>,
    /// Only what lies in this window is judged; `None` for all.
    pub since: Option<DateTime<Utc>>,
    /// With this page everything has been named.
    pub is_complete: bool,
}

/// One item of a source as it is now.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemChange {
    /// It is there, and these are all its records: any other record of the same key is gone.
    Put(SourceItem),
    /// Some of its fields are others now (a mail was read); the rest stays as it is stored.
    Amend {
        /// The item's key.
        key: String,
        /// Its version now.
        version: String,
        /// The fields that changed.
        records: Vec<SourceRecord>,
    },
    /// It is there, unchanged: said in a pass over everything.
    Keep {
        /// The item's key.
        key: String,
    },
    /// It is gone, with all its records.
    Remove {
        /// The item's key.
        key: String,
    },
}

/// An item: a resource of a calendar, a mail, an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceItem {
    /// Its key in its scope, at most [`crate::limits::KEY_BYTES_MAX`] bytes, without a host.
    pub key: String,
    /// What changes whenever the item does: an ETag, a digest of flags.
    pub version: String,
    /// The instant by which a window decides; `None` for what is always wanted.
    pub at: Option<DateTime<Utc>>,
    /// The scope that ends with it, if it is a container.
    pub holds: Option<String>,
    /// What it consists of.
    pub records: Vec<SourceRecord>,
}

/// One row that is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRecord {
    /// The table, as `calendar.series`.
    pub target: &'static str,
    /// The row's own key at this connection, at most [`crate::limits::KEY_BYTES_MAX`] bytes.
    pub source_id: String,
    /// Its fields, as a push has them.
    pub fields: RecordFields,
}

/// An item that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedItem {
    /// Its key.
    pub key: String,
    /// A sentence without the item's content.
    pub reason: String,
}

impl Page {
    /// A page of a scope, with nothing in it yet.
    pub fn new(scope: impl Into<String>, position: Value) -> Self {
        Self {
            scope: scope.into(),
            changes: Vec::new(),
            position,
            pass: None,
            skipped: Vec::new(),
            coverage: ScopeCoverage::default(),
            warnings: Vec::new(),
        }
    }

    /// The keys that its changes name.
    pub fn keys(&self) -> HashSet<&str> {
        self.changes.iter().map(ItemChange::key).collect()
    }
}

impl ItemChange {
    /// The key of its item.
    pub fn key(&self) -> &str {
        match self {
            Self::Put(item) => &item.key,
            Self::Amend { key, .. } | Self::Keep { key } | Self::Remove { key } => key,
        }
    }
}
