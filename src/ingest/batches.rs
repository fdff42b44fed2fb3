//! Steps in lots that one statement can take: bounded in rows and bytes, no key twice, the order of the push kept.

use std::collections::HashMap;
use std::iter::Peekable;

use super::identity::digest_of;
use super::limits::{BATCH_BYTES_MAX, BATCH_ROWS_MAX};
use super::problem::Unreadable;
use super::row::{Deletion, Root, Step};

/// What one round of statements stores.
#[derive(Debug, PartialEq)]
pub enum Batch {
    /// Records, and how many others were equal to one of them.
    Store { roots: Vec<Root>, repeated: u64 },
    /// Deletions.
    Delete(Vec<Deletion>),
}

/// A step and the bytes it had in the spool.
pub type Sized = Result<(Step, usize), Unreadable>;

/// Cuts `steps` into batches.
pub struct Batches<I: Iterator<Item = Sized>>(Peekable<I>);

impl<I: Iterator<Item = Sized>> Batches<I> {
    pub fn of(steps: I) -> Self {
        Self(steps.peekable())
    }

    fn deletions(&mut self) -> Batch {
        let mut deletions: Vec<Deletion> = Vec::new();
        while deletions.len() < BATCH_ROWS_MAX {
            let next = self
                .0
                .next_if(|next| matches!(next, Ok((Step::Delete(_), _))));
            let Some(Ok((Step::Delete(deletion), _))) = next else {
                break;
            };
            deletions.retain(|earlier| earlier.source_id != deletion.source_id);
            deletions.push(deletion);
        }
        Batch::Delete(deletions)
    }

    fn records(&mut self) -> Batch {
        let mut lot = Lot::default();
        while lot.roots.len() < BATCH_ROWS_MAX && lot.bytes < BATCH_BYTES_MAX {
            let next = self
                .0
                .next_if(|next| matches!(next, Ok((Step::Store(root), _)) if !lot.clashes(root)));
            let Some(Ok((Step::Store(root), bytes))) = next else {
                break;
            };
            lot.take(*root, bytes);
        }
        Batch::Store {
            roots: lot.roots,
            repeated: lot.repeated,
        }
    }
}

impl<I: Iterator<Item = Sized>> Iterator for Batches<I> {
    type Item = Result<Batch, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.0.peek()? {
            Ok((Step::Delete(_), _)) => Some(Ok(self.deletions())),
            Ok((Step::Store(_), _)) => Some(Ok(self.records())),
            Err(_) => self.0.next().and_then(|failed| failed.err()).map(Err),
        }
    }
}

#[derive(Default)]
struct Lot {
    roots: Vec<Root>,
    digests: HashMap<String, [u8; 16]>,
    bytes: usize,
    repeated: u64,
}

impl Lot {
    /// The same key with other content: the later wins, in the next batch.
    fn clashes(&self, root: &Root) -> bool {
        self.digests
            .get(&root.row.source_id)
            .is_some_and(|earlier| *earlier != content_of(root))
    }

    fn take(&mut self, root: Root, bytes: usize) {
        let source_id = root.row.source_id.clone();
        if self.digests.insert(source_id, content_of(&root)).is_some() {
            self.repeated += 1;
        } else {
            self.roots.push(root);
            self.bytes += bytes;
        }
    }
}

fn content_of(root: &Root) -> [u8; 16] {
    digest_of(&serde_json::to_value(root).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};
    use uuid::Uuid;

    use super::*;
    use crate::ingest::row::Row;

    fn record(source_id: &str, state: &str) -> Sized {
        let columns = Map::from_iter([("state".to_owned(), Value::from(state))]);
        let row = Row {
            id: Uuid::nil(),
            source_id: source_id.to_owned(),
            columns,
            references: vec![],
            extra: None,
            raw: None,
            updated_at: None,
        };
        Ok((
            Step::Store(Box::new(Root {
                row,
                parents: vec![],
                parts: vec![],
            })),
            100,
        ))
    }

    fn gone(source_id: &str) -> Sized {
        Ok((
            Step::Delete(Deletion {
                source_id: source_id.to_owned(),
                updated_at: None,
            }),
            10,
        ))
    }

    fn sketch(steps: Vec<Sized>) -> Vec<String> {
        Batches::of(steps.into_iter())
            .map(|batch| match batch.unwrap() {
                Batch::Store { roots, repeated } => {
                    format!("store {} and {repeated} equal", roots.len())
                }
                Batch::Delete(deletions) => format!("delete {}", deletions.len()),
            })
            .collect()
    }

    #[test]
    fn equal_records_are_counted_and_differing_ones_wait_for_the_next_batch() {
        let steps = vec![
            record("a", "on"),
            record("a", "on"),
            record("b", "on"),
            record("a", "off"),
        ];
        assert_eq!(
            sketch(steps),
            ["store 2 and 1 equal", "store 1 and 0 equal"]
        );
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
            ["store 1 and 0 equal", "delete 2", "store 1 and 0 equal"]
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
                format!("store {BATCH_ROWS_MAX} and 0 equal"),
                "store 1 and 0 equal".to_owned()
            ]
        );
    }
}
