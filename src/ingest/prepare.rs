//! The whole body, decoded and validated outside any transaction, into a spool of good steps.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use serde_json::Value;

use crate::catalog::Table;

use super::batches::{Batch, Batches, Sized};
use super::decode::{Encoding, Format, decoded};
use super::destination::Destination;
use super::identity::sent_id;
use super::items::{self, Item};
use super::limits::{PROBLEMS_MAX, REJECTED_MAX};
use super::similar_names::Notes;
use super::problem::{Fault, RecordProblem, Unreadable};
use super::record::Reader;
use super::row::{Deletion, Step};
use super::text::text;

/// What becomes of a push in which some records cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejects {
    /// The push is refused whole.
    All,
    /// The good ones are stored, the others listed (`?partial=true`).
    Listed,
}

/// A push that has been read to its end.
pub struct Prepared {
    steps: File,
    table: &'static Table,
    rejects: Rejects,
    /// In partial mode all of them, else the first twenty.
    pub problems: Vec<RecordProblem>,
    /// Unknown fields that are close to known ones, a sentence each.
    pub notes: Vec<String>,
}

impl Prepared {
    /// What becomes of the push if a record turns out not to fit what is stored.
    pub const fn rejects(&self) -> Rejects {
        self.rejects
    }

    /// What it stores, in the order of the push, from the beginning at each call. Blocking: it reads the spool.
    ///
    /// # Errors
    /// When the spool cannot be read.
    pub fn batches(
        &self,
    ) -> std::io::Result<impl Iterator<Item = Result<Batch, Unreadable>> + Send + use<>> {
        let mut spool = self.steps.try_clone()?;
        spool.rewind()?;
        let steps = serde_json::Deserializer::from_reader(BufReader::new(spool)).into_iter();
        Ok(Batches::of(self.table, Steps(steps)))
    }
}

/// The spool's steps with their sizes.
struct Steps<R: serde_json::de::Read<'static>>(serde_json::StreamDeserializer<'static, R, Step>);

impl<R: serde_json::de::Read<'static>> Iterator for Steps<R> {
    type Item = Sized;

    fn next(&mut self) -> Option<Self::Item> {
        let before = self.0.byte_offset();
        let step = self.0.next()?;
        let bytes = self.0.byte_offset().saturating_sub(before);
        Some(
            step.map(|step| (step, bytes))
                .map_err(|fault| Unreadable::Spool(fault.into())),
        )
    }
}

/// Reads `wire` to its end. Blocking: it decodes and parses.
///
/// # Errors
/// When the body as a whole cannot be taken; what is wrong with single records stands in [`Prepared::problems`].
pub fn prepare(
    wire: impl Read,
    shape: (Encoding, Format),
    bytes_max: u64,
    to: &Destination,
    rejects: Rejects,
) -> Result<Prepared, Unreadable> {
    let (encoding, format) = shape;
    let mut body = text(decoded(wire, encoding, bytes_max)?)?;
    let mut preparing = Preparing {
        table: to.table,
        reader: Reader::new(to),
        spool: BufWriter::new(tempfile::tempfile()?),
        deletions: BufWriter::new(tempfile::tempfile()?),
        problems: Vec::new(),
        notes: Notes::default(),
        rejects,
    };
    items::read(&mut body, format, &mut |index, item| {
        preparing.take(index, item)
    })?;
    let mut steps = written(preparing.spool)?;
    io::copy(&mut written_from_start(preparing.deletions)?, &mut steps)?;
    Ok(Prepared {
        steps,
        table: to.table,
        rejects,
        problems: preparing.problems,
        notes: preparing.notes.into_sentences(),
    })
}

fn written(spool: BufWriter<File>) -> Result<File, Unreadable> {
    spool
        .into_inner()
        .map_err(|failed| Unreadable::Spool(failed.into_error()))
}

fn written_from_start(spool: BufWriter<File>) -> Result<File, Unreadable> {
    let mut file = written(spool)?;
    file.rewind()?;
    Ok(file)
}

struct Preparing {
    table: &'static Table,
    reader: Reader,
    spool: BufWriter<File>,
    /// The list `deleted`, which counts after all records wherever it stands: the members of an object have no order. It may
    /// be as long as theirs, so it has a spool too.
    deletions: BufWriter<File>,
    problems: Vec<RecordProblem>,
    notes: Notes,
    rejects: Rejects,
}

impl Preparing {
    fn take(&mut self, index: usize, item: Item) -> Result<(), Unreadable> {
        match self.step(index, &item) {
            Ok(step) => self.keep(&step, matches!(item, Item::Deleted(_))),
            Err(fault) => self.refuse(index, fault),
        }
    }

    fn step(&mut self, index: usize, item: &Item) -> Result<Step, Fault> {
        match item {
            Item::Record(sent) => {
                let step = self.reader.step(index, sent)?;
                if let Step::Store(root) = &step {
                    self.notes.look_at(self.table, root);
                }
                Ok(step)
            }
            Item::Deleted(id) => deletion(id),
            Item::Broken(message) => Err(Fault {
                field: String::new(),
                message: message.clone(),
            }),
        }
    }

    fn keep(&mut self, step: &Step, is_last: bool) -> Result<(), Unreadable> {
        if self.rejects == Rejects::All && !self.problems.is_empty() {
            return Ok(());
        }
        let spool = if is_last {
            &mut self.deletions
        } else {
            &mut self.spool
        };
        serde_json::to_writer(&mut *spool, step)
            .map_err(|fault| Unreadable::Spool(fault.into()))?;
        spool.write_all(b"\n").map_err(Unreadable::Spool)
    }

    fn refuse(&mut self, index: usize, Fault { field, message }: Fault) -> Result<(), Unreadable> {
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

fn deletion(id: &Value) -> Result<Step, Fault> {
    let source_id = sent_id(id).map_err(|message| Fault {
        field: "deleted".to_owned(),
        message,
    })?;
    Ok(Step::Delete(Deletion {
        source_id,
        updated_at: None,
    }))
}
