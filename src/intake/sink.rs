//! Where batches go.

use std::io;

use super::batch::PushBatch;
use super::outcome::BatchOutcome;

/// The way of one record.
pub(crate) enum RecordRoute {
    To(usize),
    /// To a connection that was made just now.
    Made(usize, String),
    /// Nowhere, for this reason.
    None(String),
    /// In a rehearsal: the table, and by what it would get there.
    Would(String, String),
    /// In a rehearsal: nowhere, for this reason.
    WouldNot(String),
}

/// What takes the records of files: it says which connection each goes to, and stores them a batch at a time.
///
/// A connection is known by its index; the sink counts them from 0.
pub(crate) trait Sink {
    /// Why loading ends without a result; what a listener could not write is one.
    type Error: From<io::Error>;

    /// The way of a record for a table (`sector.table`; `None` if the file does not say it).
    ///
    /// # Errors
    /// Nothing more can be stored.
    async fn route(&mut self, target: Option<&str>) -> Result<RecordRoute, Self::Error>;

    /// Stores the records of a batch that are valid, for a connection of [`Self::route`].
    ///
    /// # Errors
    /// Nothing more can be stored.
    async fn push(
        &mut self,
        connection: usize,
        batch: &PushBatch,
    ) -> Result<BatchOutcome, Self::Error>;
}
