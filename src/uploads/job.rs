//! An upload as it is answered and kept beside its files.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::file_answers::{FileAnswers, FileQuestion};
use super::limits::{FILES_LISTED_MAX, REFUSALS_LISTED_MAX, TROUBLED_FILES_LISTED_MAX};
use crate::intake::FileCounts;

/// How far an upload has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UploadState {
    /// Files may be sent; nothing has been read yet.
    Receiving,
    /// Files are read and their records checked; nothing is stored.
    Checking,
    /// Everything has been checked.
    Checked,
    /// Records are being stored.
    Running,
    /// Everything that could be stored is stored.
    Done,
    /// The person ended it; what it names as stored is stored.
    Cancelled,
    /// The service stopped meanwhile. Run it again; nothing is stored twice.
    Interrupted,
    /// It ended early, for the reason given. Run it again; nothing is stored twice.
    Failed,
}

impl UploadState {
    pub(crate) const fn is_at_work(self) -> bool {
        matches!(self, Self::Checking | Self::Running)
    }
}

/// What an upload is asked to do with its files: everything up to storing, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UploadWork {
    Check,
    Run,
}

/// An upload: its files, and what its last check or run made of them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UploadJob {
    pub id: Uuid,
    pub state: UploadState,
    pub created_at: DateTime<Utc>,
    pub files_received: u64,
    pub bytes_received: u64,
    /// Of which work everything that follows is.
    pub work: Option<UploadWork>,
    /// The file that is being read.
    pub reading: Option<ReadingFile>,
    pub totals: UploadTotals,
    /// The first files, and besides those that need the person.
    pub files: Vec<UploadedFile>,
    /// Where records go, by table.
    pub tables: Vec<UploadTable>,
    /// The first refusals; `GET /api/uploads/{id}/refusals` has all.
    pub refusals: Vec<UploadRefusal>,
    /// Sentences: connections that were made, what of the files no table holds, what was passed over.
    pub notes: Vec<String>,
    /// Why it failed.
    pub problem: Option<String>,
    /// What the person chose: the id of a connection by table, or null for a new one.
    pub destinations: BTreeMap<String, Option<Uuid>>,
    /// What the person answered, by file.
    pub answers: BTreeMap<String, FileAnswers>,
}

/// The file that is being read.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadingFile {
    pub path: String,
    pub bytes_read: u64,
    /// Null where it is not known.
    pub bytes: Option<u64>,
}

/// Counts over all files.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UploadTotals {
    /// Files that were read, or could not be.
    pub files: u64,
    /// Files that cannot be read, or not to their ends.
    pub unread: u64,
    #[serde(flatten)]
    pub records: RecordTotals,
}

/// What became of records. Of a check, `taken` are those that can be stored, and nothing is known of the other counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RecordTotals {
    pub taken: u64,
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
    pub refused: u64,
}

/// How far a file was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum UploadFileState {
    /// It has been read to its end.
    #[default]
    Read,
    /// There is nothing in it, and that is no fault.
    Empty,
    /// It is of another kind, and that is no fault.
    PassedOver,
    /// It cannot be read, for the reason given; with an answer to its question, if there is one, it can.
    Unread,
    /// Its rest cannot be read.
    CutOff,
}

/// One file, or one within an archive.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UploadedFile {
    pub path: String,
    pub state: UploadFileState,
    pub reason: Option<String>,
    /// Which answer would make it readable.
    pub question: Option<FileQuestion>,
    #[serde(flatten)]
    pub records: RecordTotals,
}

/// A table and the connection that its records go to.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UploadTable {
    /// `sector.table`.
    pub table: String,
    /// Null: one is made, under this label, when the first record is stored.
    pub connection_id: Option<Uuid>,
    pub label: String,
    #[serde(flatten)]
    pub records: RecordTotals,
}

/// An entry that is not stored, or not all of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UploadRefusal {
    pub path: String,
    /// Counted from 1.
    pub line: u64,
    /// The kind of entry and its own key, as far as there are any.
    pub name: String,
    pub reason: String,
    /// It is stored without a part.
    pub is_partial: bool,
}

impl UploadJob {
    pub(super) fn new(id: Uuid, created_at: DateTime<Utc>) -> Self {
        Self {
            id,
            state: UploadState::Receiving,
            created_at,
            files_received: 0,
            bytes_received: 0,
            work: None,
            reading: None,
            totals: UploadTotals::default(),
            files: Vec::new(),
            tables: Vec::new(),
            refusals: Vec::new(),
            notes: Vec::new(),
            problem: None,
            destinations: BTreeMap::new(),
            answers: BTreeMap::new(),
        }
    }

    /// Forgets what the last work made of the files.
    pub(super) fn begin(&mut self, work: UploadWork) {
        *self = Self {
            files_received: self.files_received,
            bytes_received: self.bytes_received,
            destinations: std::mem::take(&mut self.destinations),
            answers: std::mem::take(&mut self.answers),
            work: Some(work),
            state: match work {
                UploadWork::Check => UploadState::Checking,
                UploadWork::Run => UploadState::Running,
            },
            ..Self::new(self.id, self.created_at)
        };
    }

    /// Adds a file that has been read, or could not be.
    pub(super) fn add_file(&mut self, file: UploadedFile) {
        let is_unread = matches!(
            file.state,
            UploadFileState::Unread | UploadFileState::CutOff
        );
        self.totals.files += 1;
        self.totals.unread += u64::from(is_unread);
        let listed_max = match is_unread {
            true => TROUBLED_FILES_LISTED_MAX,
            false => FILES_LISTED_MAX,
        };
        if self.files.len() < listed_max {
            self.files.push(file);
        }
    }

    pub(super) fn add_refusal(&mut self, refusal: UploadRefusal) {
        if self.refusals.len() < REFUSALS_LISTED_MAX {
            self.refusals.push(refusal);
        }
    }
}

impl RecordTotals {
    pub(super) fn add(&mut self, work: UploadWork, counts: FileCounts) {
        self.taken += counts.taken();
        if work == UploadWork::Run {
            self.inserted += counts.inserted;
            self.updated += counts.updated;
            self.unchanged += counts.unchanged;
            self.deleted += counts.deleted;
        }
    }
}
