//! Who is told what becomes of files and their entries.

use std::io;

use sextant_formats::{EntryPlace, KindCounts, OpenQuestion};

use super::outcome::FileCounts;

/// What happens between the begin of a file and its end, in this order.
#[derive(Debug)]
pub(crate) enum IntakeEvent {
    /// An entry is not stored. Told when it is known: of what the service refuses, later than of what stands after it in the file.
    Refused { place: EntryPlace, reason: String },
    /// An entry is taken without a part of it.
    LeftOut { place: EntryPlace, part: String },
    /// A record would go to a table, by this destination.
    Planned { table: String, destination: String },
    /// A record would go nowhere.
    Unplanned { reason: String },
    /// A connection was made for the record that comes next.
    ConnectionMade { note: String },
    /// Records of the file were answered; each that was rejected was told as refused before.
    Stored {
        /// The sink's index of it.
        connection: usize,
        counts: FileCounts,
        /// What else the service says of them.
        notes: Vec<String>,
    },
    /// All entries that were read so far have been answered, since [`Listener::is_full`].
    AllAnswered,
    /// The file as a whole is not read; with an answer to the question, if there is one, it would be.
    Unread {
        reason: String,
        question: Option<OpenQuestion>,
    },
    /// The file is of another kind, and that is no fault.
    PassedOver { reason: &'static str },
    /// There is nothing in the file, and that is no fault.
    Empty,
    /// The rest of the file is not read.
    CutOff { reason: String },
    /// What of the entries no table holds.
    LeftBehind(KindCounts),
    /// The file has ended, however it did.
    FileEnded,
}

/// Gets the number of bytes of the file that have been read.
pub(crate) struct OnProgress(Box<dyn Fn(u64) + Send + Sync>);

impl OnProgress {
    pub(crate) fn new(report: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self(Box::new(report))
    }

    pub(crate) fn report(&self, read_bytes: u64) {
        (self.0)(read_bytes);
    }
}

/// What is told of each file, one after another: its begin, then events, of which [`IntakeEvent::FileEnded`] is the last.
pub(crate) trait Listener {
    /// The next file; what it returns is called while the file is read.
    fn begin_file(&mut self, name: &str, size_bytes: Option<u64>) -> io::Result<OnProgress>;

    /// # Errors
    /// What was told cannot be written, and loading ends.
    fn hear(&mut self, event: IntakeEvent) -> io::Result<()>;

    /// Whether it holds so much that what waits to be stored is to be stored first, and it told [`IntakeEvent::AllAnswered`].
    fn is_full(&self) -> bool;
}
