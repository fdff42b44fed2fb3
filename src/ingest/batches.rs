//! Groups the steps of a push into batches that one statement stores: bounded in rows and bytes, no source id twice, in the
//! order of the push. Pure.

mod merged;
mod open_batch;

use std::iter::Peekable;

use crate::catalog::Table;

use super::limits::{BATCH_BYTES_MAX, BATCH_ROWS_MAX};
use super::problem::Unreadable;
use super::row::{Deletion, PushStep, PushedRecord};

use self::open_batch::OpenBatch;

pub(super) use self::merged::{MergeReason, MergedRecord};

/// What one round of statements stores.
#[derive(Debug, PartialEq)]
pub enum Batch {
    Store {
        roots: Vec<PushedRecord>,
        /// Other records of the push, for which one of `roots` with the same row id stands, in the order of the push.
        merged: Vec<MergedRecord>,
    },
    Delete(Vec<Deletion>),
}

/// A step and its size in the spool, in bytes.
pub(super) type SpooledStep = Result<(PushStep, usize), Unreadable>;

/// Iterates over the batches of `steps`.
pub(super) struct Batches<I: Iterator<Item = SpooledStep>> {
    table: &'static Table,
    steps: Peekable<I>,
}

impl<I: Iterator<Item = SpooledStep>> Batches<I> {
    pub(super) fn of(table: &'static Table, steps: I) -> Self {
        let steps = steps.peekable();
        Self { table, steps }
    }

    fn deletions(&mut self) -> Batch {
        let mut deletions: Vec<Deletion> = Vec::new();
        while deletions.len() < BATCH_ROWS_MAX {
            let next = self
                .steps
                .next_if(|next| matches!(next, Ok((PushStep::Delete(_), _))));
            let Some(Ok((PushStep::Delete(deletion), _))) = next else {
                break;
            };
            add_deletion(&mut deletions, deletion);
        }
        Batch::Delete(deletions)
    }

    fn records(&mut self) -> Batch {
        let mut batch = OpenBatch::new(self.table);
        while batch.roots.len() < BATCH_ROWS_MAX && batch.bytes < BATCH_BYTES_MAX {
            let next = self.steps.next_if(
                |next| matches!(next, Ok((PushStep::Store(root), _)) if batch.accepts(root.as_ref())),
            );
            let Some(Ok((PushStep::Store(root), bytes))) = next else {
                break;
            };
            batch.add(*root, bytes);
        }
        Batch::Store {
            roots: batch.roots,
            merged: batch.merged,
        }
    }
}

/// Adds a deletion; the last of one id stays, in the first one's position of the push: as if the first had deleted.
fn add_deletion(deletions: &mut Vec<Deletion>, mut deletion: Deletion) {
    deletions.retain(|earlier| {
        let is_other = earlier.source_id != deletion.source_id;
        if !is_other {
            deletion.index = earlier.index;
        }
        is_other
    });
    deletions.push(deletion);
}

impl<I: Iterator<Item = SpooledStep>> Iterator for Batches<I> {
    type Item = Result<Batch, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.steps.peek()? {
            Ok((PushStep::Delete(_), _)) => Some(Ok(self.deletions())),
            Ok((PushStep::Store(_), _)) => Some(Ok(self.records())),
            Err(_) => self.steps.next().and_then(|failed| failed.err()).map(Err),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::{Map, Value};
    use uuid::Uuid;

    use super::*;
    use crate::ingest::row::SectorRow;

    fn entities() -> &'static Table {
        crate::catalog::by_target("home.entities").unwrap()
    }

    fn record(source_id: &str, state: &str) -> SpooledStep {
        stamped(source_id, state, None)
    }

    fn stamped(source_id: &str, state: &str, second: Option<i64>) -> SpooledStep {
        let columns = Map::from_iter([("state".to_owned(), Value::from(state))]);
        let row = SectorRow {
            id: Uuid::nil(),
            source_id: source_id.to_owned(),
            columns,
            references: vec![],
            extra: None,
            raw: None,
            updated_at: second.and_then(|second| DateTime::from_timestamp(second, 0)),
        };
        Ok((
            PushStep::Store(Box::new(PushedRecord {
                index: 0,
                row,
                parents: vec![],
                ancestors: vec![],
                parts: vec![],
            })),
            100,
        ))
    }

    fn gone(source_id: &str) -> SpooledStep {
        Ok((
            PushStep::Delete(Deletion {
                index: 0,
                source_id: source_id.to_owned(),
                updated_at: None,
            }),
            10,
        ))
    }

    fn sketch(steps: Vec<SpooledStep>) -> Vec<String> {
        Batches::of(entities(), steps.into_iter())
            .map(|batch| match batch.unwrap() {
                Batch::Store { roots, merged } => {
                    let count = |because: MergeReason| {
                        merged.iter().filter(|one| one.because == because).count()
                    };
                    format!(
                        "store {} for {}, {} equal",
                        roots.len(),
                        count(MergeReason::Superseded),
                        count(MergeReason::Repeats)
                    )
                }
                Batch::Delete(deletions) => format!("delete {}", deletions.len()),
            })
            .collect()
    }

    #[test]
    fn equal_records_are_counted_and_of_differing_ones_the_later_is_stored() {
        let steps = vec![
            record("a", "on"),
            record("a", "on"),
            record("b", "on"),
            record("a", "off"),
        ];
        let Some(Ok(Batch::Store { roots, .. })) =
            Batches::of(entities(), steps.into_iter()).next()
        else {
            panic!("no records");
        };
        assert_eq!(roots[0].row.columns["state"], "off");
        let steps = vec![
            record("a", "on"),
            record("a", "on"),
            record("b", "on"),
            record("a", "off"),
        ];
        assert_eq!(sketch(steps), ["store 2 for 1, 1 equal"]);
    }

    #[test]
    fn the_newer_stamp_is_stored_and_what_one_row_cannot_say_waits_for_the_next_batch() {
        let steps = vec![
            stamped("a", "new", Some(9)),
            stamped("a", "stale", Some(5)),
            stamped("a", "newer", Some(9)),
            record("a", "unstamped"),
        ];
        let states = Batches::of(entities(), steps.into_iter()).map(|batch| match batch.unwrap() {
            Batch::Store { roots, .. } => roots[0].row.columns["state"].clone(),
            Batch::Delete(_) => panic!("nothing is deleted"),
        });
        assert_eq!(states.collect::<Vec<_>>(), ["newer", "unstamped"]);
    }

    #[test]
    fn the_order_of_records_and_deletions_is_kept() {
        let steps = vec![
            record("a", "on"),
            gone("a"),
            gone("a"),
            gone("b"),
            record("a", "off"),
        ];
        assert_eq!(
            sketch(steps),
            [
                "store 1 for 0, 0 equal",
                "delete 2",
                "store 1 for 0, 0 equal"
            ]
        );
    }

    #[test]
    fn a_batch_ends_at_its_bound() {
        let steps = (0..BATCH_ROWS_MAX + 1)
            .map(|ordinal| record(&ordinal.to_string(), "on"))
            .collect();
        assert_eq!(
            sketch(steps),
            [
                format!("store {BATCH_ROWS_MAX} for 0, 0 equal"),
                "store 1 for 0, 0 equal".to_owned()
            ]
        );
    }
}
