//! The rows of one flush on their way into the database: a plain state machine, no actor and no waiting.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::audit_queue::{Numbered, TakenRows};
use crate::entry::{AuditEntry, SafeArgs};
use crate::limits::FLUSH_ROWS_MAX;

/// Some of a flush's rows, and the number to which the position advances with them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlushPart {
    pub(super) rows: Arc<Vec<Numbered>>,
    pub(super) through: u64,
}

/// One flush. It survives a crash of its writer: what it still has to do is in here, not in the writer's futures.
#[derive(Debug)]
pub(super) struct FlushBatch {
    bytes: usize,
    full: bool,
    /// What is still to be inserted, in order; one part, unless the database refused some of it.
    parts: VecDeque<FlushPart>,
}

/// What became of a part that the database refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusedPart {
    /// It was halved, to find the row at fault.
    Halved,
    /// It was one row; its arguments are given up, and it will be tried once more.
    Stripped,
    /// It was one row without arguments already: it can never be stored. The position advances over it.
    GivenUp,
}

impl FlushBatch {
    pub(super) fn of(taken: TakenRows) -> Self {
        Self {
            bytes: taken.bytes,
            full: taken.rows.len() >= FLUSH_ROWS_MAX,
            parts: FlushPart::of(taken.rows).into_iter().collect(),
        }
    }

    /// The same, marked so that the next one follows at once.
    pub(super) fn with_more(self) -> Self {
        Self { full: true, ..self }
    }

    /// Bytes to be released when the batch is settled.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether it took as many rows as one may, so that more may have been left.
    pub(super) fn was_full(&self) -> bool {
        self.full
    }

    /// What is to be inserted next; none when the batch is settled.
    pub(super) fn next(&self) -> Option<&FlushPart> {
        self.parts.front()
    }

    /// Removes the first part, which has been committed; returns how many rows it had.
    pub(super) fn complete_first(&mut self) -> usize {
        self.parts.pop_front().map_or(0, |part| part.rows.len())
    }

    /// Removes what the database has, everything up to `position`; returns how many rows of this batch that was.
    pub(super) fn advance_to(&mut self, position: u64) -> usize {
        let mut there = 0;
        while self.next().is_some_and(|part| part.through <= position) {
            there += self.complete_first();
        }
        if let Some(part) = self.parts.front_mut() {
            let inside = part.rows.partition_point(|(number, _)| *number <= position);
            if inside > 0 {
                part.rows = Arc::new(part.rows.iter().skip(inside).cloned().collect());
                there += inside;
            }
        }
        there
    }

    /// Splits the first part, which the database refused, to find the row at fault; a single row loses its arguments, then itself.
    pub(super) fn split_refused(&mut self) -> RefusedPart {
        let Some(part) = self.parts.pop_front() else {
            return RefusedPart::Halved;
        };
        match part.rows.as_slice() {
            [(number, entry)] if is_without_args(entry) => {
                log::error!(
                    "entry {number} of the record ({}) cannot be stored",
                    entry.tool
                );
                self.parts.push_front(FlushPart {
                    rows: Arc::default(),
                    ..part
                });
                RefusedPart::GivenUp
            }
            [(number, entry)] => {
                self.parts.push_front(FlushPart {
                    rows: Arc::new(vec![(*number, without_args(entry))]),
                    ..part
                });
                RefusedPart::Stripped
            }
            rows => {
                let (first, second) = rows.split_at(rows.len() / 2);
                self.parts.push_front(FlushPart {
                    rows: Arc::new(second.to_vec()),
                    through: part.through,
                });
                if let Some(first) = FlushPart::of(first.to_vec()) {
                    self.parts.push_front(first);
                }
                RefusedPart::Halved
            }
        }
    }
}

impl FlushPart {
    fn of(rows: Vec<Numbered>) -> Option<Self> {
        let through = rows.last()?.0;
        Some(Self {
            rows: Arc::new(rows),
            through,
        })
    }
}

fn without_args(entry: &AuditEntry) -> AuditEntry {
    AuditEntry {
        args: Some(SafeArgs::truncated()),
        ..entry.clone()
    }
}

fn is_without_args(entry: &AuditEntry) -> bool {
    entry.args == Some(SafeArgs::truncated())
}
