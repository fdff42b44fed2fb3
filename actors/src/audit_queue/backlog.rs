//! What waits to be written to the database, in the order of its numbers: rows in memory, and spans that only the journal has.

use std::collections::VecDeque;

use crate::entry::AuditEntry;

/// A row and its number.
pub(crate) type Numbered = (u64, AuditEntry);

/// Entries that stand in the journal alone, because memory was full or they are of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JournalSpan {
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) rows: usize,
}

#[derive(Debug)]
enum BacklogItem {
    Row(Numbered),
    Stored(JournalSpan),
}

/// What is at the front.
#[derive(Debug)]
pub(super) enum BacklogHead {
    Rows(Vec<Numbered>),
    Stored(JournalSpan),
}

/// What became of entries that the journal could not write.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Withdrawn {
    /// They are in memory now.
    pub(super) kept: usize,
    /// There was no room for them.
    pub(super) dropped: usize,
}

/// The queue's rows. Numbers ascend from the front to the back.
#[derive(Debug, Default)]
pub(super) struct Backlog(VecDeque<BacklogItem>);

impl Backlog {
    pub(super) fn push_row(&mut self, row: Numbered) {
        self.0.push_back(BacklogItem::Row(row));
    }

    /// An entry that only the journal has.
    pub(super) fn push_stored(&mut self, number: u64) {
        match self.0.back_mut() {
            Some(BacklogItem::Stored(span)) => {
                span.last = number;
                span.rows += 1;
            }
            _ => self.push_span(JournalSpan {
                first: number,
                last: number,
                rows: 1,
            }),
        }
    }

    pub(super) fn push_span(&mut self, span: JournalSpan) {
        self.0.push_back(BacklogItem::Stored(span));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes at most `count` rows off the front; a span there stays until it is settled.
    pub(super) fn head(&mut self, count: usize) -> BacklogHead {
        if let Some(BacklogItem::Stored(span)) = self.0.front() {
            return BacklogHead::Stored(*span);
        }
        let is_row = |item: &&BacklogItem| matches!(item, BacklogItem::Row(_));
        let rows = self.0.iter().take(count).take_while(is_row).count();
        let taken = self.0.drain(..rows).filter_map(|item| match item {
            BacklogItem::Row(row) => Some(row),
            BacklogItem::Stored(_) => None,
        });
        BacklogHead::Rows(taken.collect())
    }

    /// The span at the front has been read as far as `through`, and `rows` of it were there; how many were missing at its end.
    pub(super) fn settle(&mut self, through: u64, rows: usize) -> usize {
        let Some(BacklogItem::Stored(span)) = self.0.front_mut() else {
            return 0;
        };
        span.rows = span.rows.saturating_sub(rows);
        if through < span.last {
            span.first = through + 1;
            return 0;
        }
        let missing = span.rows;
        self.0.pop_front();
        missing
    }

    /// Whether an entry from number `from` on is in the journal alone.
    pub(super) fn relies_on(&self, from: u64) -> bool {
        let recent = self.0.iter().rev().take_while(|item| item.last() >= from);
        recent
            .into_iter()
            .any(|item| matches!(item, BacklogItem::Stored(_)))
    }

    /// The journal has not got what it was given from number `from` on: `failed`, in order. Those that were in it alone are kept in
    /// memory in their place, if they fit.
    pub(super) fn withdraw(
        &mut self,
        from: u64,
        mut failed: Vec<Numbered>,
        mut fits: impl FnMut(&AuditEntry) -> bool,
    ) -> Withdrawn {
        let mut withdrawn = Withdrawn::default();
        let mut tail = Vec::new();
        while self.0.back().is_some_and(|item| item.last() >= from) {
            let Some(item) = self.0.pop_back() else { break };
            let BacklogItem::Stored(span) = item else {
                tail.push(item);
                continue;
            };
            let first = span.first.max(from);
            let after = failed.partition_point(|(number, _)| *number <= span.last);
            failed.truncate(after);
            let inside = failed.split_off(failed.partition_point(|(number, _)| *number < first));
            if span.first < from {
                self.push_span(JournalSpan {
                    last: from - 1,
                    rows: span.rows.saturating_sub(inside.len()),
                    ..span
                });
            }
            let all = inside.len();
            let kept: Vec<Numbered> = inside
                .into_iter()
                .filter(|(_, entry)| fits(entry))
                .collect();
            withdrawn.kept += kept.len();
            withdrawn.dropped += all - kept.len();
            tail.extend(kept.into_iter().rev().map(BacklogItem::Row));
        }
        self.0.extend(tail.into_iter().rev());
        withdrawn
    }
}

impl BacklogItem {
    fn last(&self) -> u64 {
        match self {
            BacklogItem::Row((number, _)) => *number,
            BacklogItem::Stored(span) => span.last,
        }
    }
}
