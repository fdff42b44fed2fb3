//! Reads a whole body, decodes and validates it outside any transaction, and writes its valid steps into a spool file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};

use serde_json::Value;

use crate::catalog::Table;

use super::batches::{Batch, Batches, SpooledStep};
use super::decode::{BodyFormat, Encoding, decoder};
use super::destination::PushDestination;
use super::identity::sent_id;
use super::items::{self, Item};
use super::limits::{BATCH_BYTES_MAX, PROBLEMS_MAX, REJECTED_MAX};
use super::problem::{FieldFault, RecordProblem, Unreadable};
use super::record::RecordReader;
use super::row::{Deletion, PushStep};
use super::similar_names::FieldNotes;
use super::spool_folder::SpoolFolder;
use super::text::TextReader;

/// How a push is treated in which some records cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejects {
    /// The whole push is refused.
    All,
    /// The valid records are stored, the others are listed in the answer (`?partial=true`).
    Listed,
}

/// A push that has been read to its end and validated.
pub struct Prepared {
    steps: File,
    table: &'static Table,
    rejects: Rejects,
    items: usize,
    /// With [`Rejects::Listed`] all of them, otherwise the first [`PROBLEMS_MAX`].
    pub problems: Vec<RecordProblem>,
    /// The length of the body as it was sent, if a device sent it.
    pub sent_bytes: Option<u64>,
    /// One sentence for each unknown field whose name is similar to a known one.
    pub notes: Vec<String>,
}

impl Prepared {
    /// How the push is treated if a record conflicts with what is stored.
    pub const fn rejects(&self) -> Rejects {
        self.rejects
    }

    /// How many records and deletions the push has, those at fault included.
    pub const fn items(&self) -> usize {
        self.items
    }

    /// The batches to store, in the order of the push, from the beginning at each call. Blocking: it reads the spool.
    ///
    /// # Errors
    /// When the spool cannot be read.
    pub fn batches(
        &self,
    ) -> std::io::Result<impl Iterator<Item = Result<Batch, Unreadable>> + Send + use<>> {
        let mut spool = self.steps.try_clone()?;
        spool.rewind()?;
        let steps = Steps {
            spool: BufReader::new(spool),
            line: Vec::new(),
        };
        Ok(Batches::of(self.table, steps))
    }
}

/// Reads the steps of the spool, one a line, each with its size in bytes.
struct Steps<R: BufRead> {
    spool: R,
    line: Vec<u8>,
}

impl<R: BufRead> Iterator for Steps<R> {
    type Item = SpooledStep;

    fn next(&mut self) -> Option<Self::Item> {
        self.line.clear();
        // One record may be much longer than the others.
        self.line.shrink_to(BATCH_BYTES_MAX);
        match self.spool.read_until(b'\n', &mut self.line) {
            Ok(0) => None,
            Ok(bytes) => {
                let step = serde_json::from_slice(&self.line);
                Some(
                    step.map(|step| (step, bytes))
                        .map_err(|fault| Unreadable::Spool(fault.into())),
                )
            }
            Err(failed) => Some(Err(Unreadable::Spool(failed))),
        }
    }
}

/// Reads `wire`, a body of this `shape`, to its end, and spools its good records; `bytes_max` bounds the decoded body. Blocking: it
/// decodes and parses.
///
/// # Errors
/// When the body as a whole cannot be read. Problems of single records are in [`Prepared::problems`] instead.
pub fn prepare(
    wire: impl Read,
    shape: (Encoding, BodyFormat),
    (bytes_max, spools): (u64, &SpoolFolder),
    to: &PushDestination,
    rejects: Rejects,
) -> Result<Prepared, Unreadable> {
    let (encoding, format) = shape;
    let mut body = TextReader::new(decoder(wire, encoding, bytes_max)?)?;
    let mut preparation = Preparation {
        table: to.table,
        reader: RecordReader::new(to),
        spool: BufWriter::new(spools.create()?),
        deletions: BufWriter::new(spools.create()?),
        problems: Vec::new(),
        notes: FieldNotes::default(),
        rejects,
        items: 0,
    };
    items::read(&mut body, format, &mut |index, item| {
        preparation.add(index, item)
    })?;
    let mut steps = flush(preparation.spool)?;
    let mut deletions = flush(preparation.deletions)?;
    deletions.rewind()?;
    io::copy(&mut deletions, &mut steps)?;
    Ok(Prepared {
        steps,
        table: to.table,
        rejects,
        items: preparation.items,
        problems: preparation.problems,
        sent_bytes: None,
        notes: preparation.notes.into_sentences(),
    })
}

fn flush(spool: BufWriter<File>) -> Result<File, Unreadable> {
    spool
        .into_inner()
        .map_err(|failed| Unreadable::Spool(failed.into_error()))
}

/// A push while it is read.
struct Preparation {
    table: &'static Table,
    reader: RecordReader,
    spool: BufWriter<File>,
    /// The list `deleted`. It applies after all records wherever it stands in the body, because the members of a JSON object
    /// have no order. It may be as long as the list of records, so it is spooled too.
    deletions: BufWriter<File>,
    problems: Vec<RecordProblem>,
    notes: FieldNotes,
    rejects: Rejects,
    /// Records and deletions read so far.
    items: usize,
}

impl Preparation {
    fn add(&mut self, index: usize, item: Item) -> Result<(), Unreadable> {
        self.items += 1;
        match self.read_step(index, &item) {
            Ok(step) => self.spool_step(&step, matches!(item, Item::Deleted(_))),
            Err(fault) => self.reject(index, fault),
        }
    }

    fn read_step(&mut self, index: usize, item: &Item) -> Result<PushStep, FieldFault> {
        match item {
            Item::Record(sent) => {
                let step = self.reader.read(index, sent)?;
                if let PushStep::Store(root) = &step {
                    self.notes.inspect(self.table, root);
                }
                Ok(step)
            }
            Item::Deleted(id) => deletion(index, id),
            Item::Broken(message) => Err(FieldFault {
                field: String::new(),
                message: message.clone(),
            }),
        }
    }

    fn spool_step(&mut self, step: &PushStep, is_of_deleted: bool) -> Result<(), Unreadable> {
        let is_refused = self.rejects == Rejects::All && !self.problems.is_empty();
        if is_refused {
            return Ok(());
        }
        let spool = if is_of_deleted {
            &mut self.deletions
        } else {
            &mut self.spool
        };
        serde_json::to_writer(&mut *spool, step)
            .map_err(|fault| Unreadable::Spool(fault.into()))?;
        spool.write_all(b"\n").map_err(Unreadable::Spool)
    }

    fn reject(
        &mut self,
        index: usize,
        FieldFault { field, message }: FieldFault,
    ) -> Result<(), Unreadable> {
        let listed_max = match self.rejects {
            Rejects::All => PROBLEMS_MAX,
            Rejects::Listed => REJECTED_MAX,
        };
        if self.problems.len() < listed_max {
            self.problems.push(RecordProblem {
                index,
                field,
                message,
            });
        } else if self.rejects == Rejects::Listed {
            return Err(Unreadable::Malformed(format!(
                "more than {REJECTED_MAX} of its records cannot be stored"
            )));
        }
        Ok(())
    }
}

fn deletion(index: usize, id: &Value) -> Result<PushStep, FieldFault> {
    let source_id = sent_id(id).map_err(|message| FieldFault {
        field: "deleted".to_owned(),
        message,
    })?;
    Ok(PushStep::Delete(Deletion {
        index,
        source_id,
        updated_at: None,
    }))
}
