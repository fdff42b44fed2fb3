//! Everything that is stored, as one zip (docs/operating.md#export-and-import): from one snapshot of the database, in constant memory.
//!
//! ```text
//! contents.rs   what a bundle holds, in its order          snapshot.rs  rows of one read-only transaction, in batches
//! archive.rs    the zip, with the digest of each entry     manifest.rs  the last entry: counts and digests
//! bundle.rs     checks a received bundle by its manifest
//! outlet.rs     what leaves, as fast as it is taken        slots.rs     how many are made at once, and their end
//! document.rs   a file in a common format                  calendar.rs, contacts.rs, mail.rs, transactions.rs
//! content_line.rs  the lines that iCalendar and vCard are made of
//! request.rs    what to export, and within which bounds     error.rs  what cuts an export short
//! ```
//!
//! Rows are PostgreSQL's own jsonb text and are not parsed. The files are made of the same rows, one at a time, by pure
//! functions. Compression runs on blocking threads, one batch at a time.

mod archive;
pub mod body;
pub mod bundle;
mod calendar;
mod contacts;
mod content_line;
pub(crate) mod contents;
mod document;
mod error;
mod mail;
pub mod manifest;
mod request;
mod slots;
mod snapshot;
mod transactions;

use std::io;

use self::archive::{Archive, EntryDigest};
use self::body::BodySender;
use self::contents::{BundleEntry, EntrySource, entries};
use self::document::{Document, Section};
use self::manifest::{Manifest, ManifestFile, ManifestTable};
use self::snapshot::Snapshot;
use crate::db::ExclusiveReader;

pub use error::ExportError;
pub use request::{ExportLimits, ExportRequest};
pub use slots::{ExportSlot, ExportSlots};

/// Writes the bundle into `outlet`, once `begun` has been told that its snapshot stands. Answers how many rows its tables
/// hold when all of it has been taken; the outlet is then still to be ended.
///
/// # Errors
/// What cut it short. The connection is then of no more use.
pub async fn write(
    reader: &mut ExclusiveReader,
    request: &ExportRequest,
    sender: &BodySender,
    begun: impl FnOnce(),
) -> Result<u64, ExportError> {
    let snapshot = Snapshot::open(reader.begin()?).await?;
    begun();
    let mut export = Export {
        snapshot: &snapshot,
        request,
        sender,
        archive: Archive::with_timestamp(request.now.with_timezone(&request.zone).naive_local()),
        manifest: Manifest::of(request),
    };
    for entry in entries(request.sector) {
        export.add(&entry).await?;
    }
    let rows = export.end().await?;
    snapshot.close().await?;
    reader.finish();
    sender.wait_until_taken().await?;
    Ok(rows)
}

/// A bundle that is being written.
struct Export<'a> {
    snapshot: &'a Snapshot<'a>,
    request: &'a ExportRequest,
    sender: &'a BodySender,
    archive: Archive,
    manifest: Manifest,
}

impl Export<'_> {
    async fn add(&mut self, entry: &BundleEntry) -> Result<(), ExportError> {
        match &entry.source {
            EntrySource::Table(sql) => self.add_table(&entry.name, sql).await,
            EntrySource::Document(document) => self.add_document(&entry.name, document).await,
        }
    }

    async fn add_table(&mut self, name: &str, sql: &str) -> Result<(), ExportError> {
        self.archive.open(&format!("{name}.jsonl"))?;
        let mut rows = self.snapshot.rows(sql, self.request.sector).await?;
        let mut count = 0;
        while let Some(lines) = rows.next_lines().await? {
            count += lines.rows;
            self.work(move |archive| archive.write(lines.text.as_bytes()))
                .await?;
        }
        let EntryDigest { bytes, sha256 } = self.work(Archive::close).await?;
        let entry = ManifestTable {
            rows: count,
            bytes,
            sha256,
        };
        self.manifest.tables.insert(name.to_owned(), entry);
        Ok(())
    }

    async fn add_document(&mut self, name: &str, document: &Document) -> Result<(), ExportError> {
        self.archive.open(name)?;
        let head = (document.head)(self.request);
        self.work(move |archive| archive.write(&head)).await?;
        for section in document.sections {
            self.add_section(section).await?;
        }
        let foot = document.foot.as_bytes();
        self.work(move |archive| archive.write(foot)).await?;
        let EntryDigest { bytes, sha256 } = self.work(Archive::close).await?;
        let entry = ManifestFile { bytes, sha256 };
        self.manifest.files.insert(name.to_owned(), entry);
        Ok(())
    }

    async fn add_section(&mut self, section: &'static Section) -> Result<(), ExportError> {
        let mut rows = self.snapshot.rows(section.sql, self.request.sector).await?;
        while let Some(lines) = rows.next_lines().await? {
            let request = *self.request;
            self.work(move |archive| {
                let mut written = Vec::new();
                for line in lines.text.lines() {
                    let row = serde_json::from_str(line)?;
                    (section.write)(&row, &request, &mut written);
                }
                archive.write(&written)
            })
            .await?;
        }
        Ok(())
    }

    /// Writes the manifest and the end of the zip; returns the number of rows of all tables.
    async fn end(mut self) -> Result<u64, ExportError> {
        let manifest = self.manifest.text()?;
        self.archive.open(manifest::NAME)?;
        self.work(move |archive| {
            archive.write(manifest.as_bytes())?;
            archive.close()
        })
        .await?;
        self.work(Archive::finish).await?;
        Ok(self.manifest.rows())
    }

    /// Runs `act` on the archive on a blocking thread, and sends the bytes that are ready.
    async fn work<T: Send + 'static>(
        &mut self,
        act: impl FnOnce(&mut Archive) -> io::Result<T> + Send + 'static,
    ) -> Result<T, ExportError> {
        let mut archive = std::mem::take(&mut self.archive);
        let worked = tokio::task::spawn_blocking(move || {
            let done = act(&mut archive);
            let ready = archive.take();
            (archive, ready, done)
        });
        let (archive, ready, done) = worked.await.map_err(io::Error::other)?;
        self.archive = archive;
        let done = done?;
        self.sender.send(ready).await?;
        Ok(done)
    }
}
