//! The rows of one flush on their way into the database: a plain state machine, no actor and no waiting.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::queue::Taken;
use super::{Entry, TRUNCATED};
use crate::limits::FLUSH_ROWS_MAX;

/// Rows with the ids they keep through every retry.
pub(super) type Numbered = Arc<Vec<(i64, Entry)>>;

/// One flush. It survives a crash of its writer: what it still has to do is in here, not in the writer's futures.
#[derive(Debug)]
pub(super) struct Batch {
    bytes: usize,
    full: bool,
    unnumbered: Vec<Entry>,
    /// Parts that are still to be inserted, in order; one, unless the database refused some of it.
    parts: VecDeque<Numbered>,
}

/// What the writer has to do next.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Draw so many ids.
    Number(usize),
    /// Insert these rows.
    Insert(Numbered),
    /// Nothing: the batch is settled.
    Done,
}

/// What became of a part that the database refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It was halved, to find the row at fault.
    Halved,
    /// It was one row; its arguments are given up, and it will be tried once more.
    Stripped,
    /// It was one row without arguments already: it can never be stored.
    GivenUp,
}

impl Batch {
    pub(super) fn of(taken: Taken) -> Self {
        Self {
            bytes: taken.bytes,
            full: taken.rows.len() >= FLUSH_ROWS_MAX,
            unnumbered: taken.rows,
            parts: VecDeque::new(),
        }
    }

    /// What is to be released when the batch is settled.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether it took as many rows as one may, so that more may have been left.
    pub(super) fn was_full(&self) -> bool {
        self.full
    }

    pub(super) fn next(&self) -> Step {
        if !self.unnumbered.is_empty() {
            return Step::Number(self.unnumbered.len());
        }
        match self.parts.front() {
            Some(part) => Step::Insert(Arc::clone(part)),
            None => Step::Done,
        }
    }

    /// Gives the rows their ids, for good; false when there are not as many ids as rows, and then nothing has changed.
    pub(super) fn number(&mut self, ids: Vec<i64>) -> bool {
        if ids.len() != self.unnumbered.len() {
            return false;
        }
        let rows = ids.into_iter().zip(self.unnumbered.drain(..)).collect();
        self.parts.push_back(Arc::new(rows));
        true
    }

    /// The first part has been committed; how many rows it had.
    pub(super) fn inserted(&mut self) -> usize {
        self.parts.pop_front().map_or(0, |part| part.len())
    }

    /// The database refused the first part.
    pub(super) fn refused(&mut self) -> Refused {
        let Some(part) = self.parts.pop_front() else {
            return Refused::Halved;
        };
        match part.as_slice() {
            [(id, entry)] if is_stripped(entry) => {
                log::error!("row {id} of the record ({}) cannot be stored", entry.tool);
                Refused::GivenUp
            }
            [(id, entry)] => {
                self.parts
                    .push_front(Arc::new(vec![(*id, stripped(entry))]));
                Refused::Stripped
            }
            rows => {
                let (first, second) = rows.split_at(rows.len() / 2);
                self.parts.push_front(Arc::new(second.to_vec()));
                self.parts.push_front(Arc::new(first.to_vec()));
                Refused::Halved
            }
        }
    }
}

fn stripped(entry: &Entry) -> Entry {
    Entry {
        args: Some(Value::String(TRUNCATED.to_owned())),
        ..entry.clone()
    }
}

fn is_stripped(entry: &Entry) -> bool {
    entry.args.as_ref().is_some_and(|args| args == TRUNCATED)
}
