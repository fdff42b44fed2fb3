//! Steps in lots that one statement can take: bounded in rows and bytes, no key twice, the order of the push kept.

use std::collections::HashMap;
use std::iter::Peekable;

use uuid::Uuid;

use crate::catalog::Table;

use super::limits::{BATCH_BYTES_MAX, BATCH_ROWS_MAX};
use super::problem::Unreadable;
use super::row::{Deletion, Root, Step};
use super::{inferred_day, namesakes};

/// What one round of statements stores.
#[derive(Debug, PartialEq)]
pub enum Batch {
    /// Records, how many others change nothing beside one of them, and the row of each that a later one has overtaken.
    Store {
        roots: Vec<Root>,
        repeated: u64,
        superseded: Vec<Uuid>,
    },
    /// Deletions.
    Delete(Vec<Deletion>),
}

/// A step and the bytes it had in the spool.
pub type Sized = Result<(Step, usize), Unreadable>;

/// Cuts `steps` into batches.
pub struct Batches<I: Iterator<Item = Sized>> {
    table: &'static Table,
    steps: Peekable<I>,
}

impl<I: Iterator<Item = Sized>> Batches<I> {
    pub fn of(table: &'static Table, steps: I) -> Self {
        let steps = steps.peekable();
        Self { table, steps }
    }

    fn deletions(&mut self) -> Batch {
        let mut deletions: Vec<Deletion> = Vec::new();
        while deletions.len() < BATCH_ROWS_MAX {
            let next = self
                .steps
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
        let mut lot = Lot::of(self.table);
        while lot.roots.len() < BATCH_ROWS_MAX && lot.bytes < BATCH_BYTES_MAX {
            let next = self
                .steps
                .next_if(|next| matches!(next, Ok((Step::Store(root), _)) if !lot.clashes(root)));
            let Some(Ok((Step::Store(root), bytes))) = next else {
                break;
            };
            lot.take(*root, bytes);
        }
        Batch::Store {
            roots: lot.roots,
            repeated: lot.repeated,
            superseded: lot.superseded,
        }
    }
}

impl<I: Iterator<Item = Sized>> Iterator for Batches<I> {
    type Item = Result<Batch, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.steps.peek()? {
            Ok((Step::Delete(_), _)) => Some(Ok(self.deletions())),
            Ok((Step::Store(_), _)) => Some(Ok(self.records())),
            Err(_) => self.steps.next().and_then(|failed| failed.err()).map(Err),
        }
    }
}

struct Lot {
    table: &'static Table,
    roots: Vec<Root>,
    /// Where in `roots` a key stands.
    places: HashMap<String, usize>,
    bytes: usize,
    repeated: u64,
    superseded: Vec<Uuid>,
}

impl Lot {
    fn of(table: &'static Table) -> Self {
        Self {
            table,
            roots: Vec::new(),
            places: HashMap::new(),
            bytes: 0,
            repeated: 0,
            superseded: Vec::new(),
        }
    }

    /// The same key with other content that one row cannot stand for: it waits for the next batch.
    fn clashes(&self, root: &Root) -> bool {
        self.earlier(root)
            .is_some_and(|earlier| !earlier.says_the_same(root) && !self.is_settled(earlier, root))
    }

    /// Whether storing the winner of two is the same as storing one after the other.
    fn is_settled(&self, earlier: &Root, later: &Root) -> bool {
        is_settled_by_one(earlier, later)
            && !namesakes::are_two(self.table, &earlier.row, &later.row)
    }

    fn earlier(&self, root: &Root) -> Option<&Root> {
        self.roots.get(*self.places.get(&root.row.source_id)?)
    }

    fn take(&mut self, mut root: Root, bytes: usize) {
        self.bytes += bytes;
        let place = self.places.get(&root.row.source_id).copied();
        match place.and_then(|place| self.roots.get_mut(place)) {
            None => {
                self.places
                    .insert(root.row.source_id.clone(), self.roots.len());
                self.roots.push(root);
            }
            Some(earlier)
                if earlier.says_the_same(&root) || earlier.row.updated_at > root.row.updated_at =>
            {
                self.repeated += 1;
            }
            Some(earlier) => {
                inferred_day::keep(self.table, &mut root.row, &earlier.row);
                *earlier = root;
                self.superseded.push(earlier.row.id);
            }
        }
    }
}

/// Whether two differ in nothing but their own row, and their stamps alone say which wins.
fn is_settled_by_one(earlier: &Root, later: &Root) -> bool {
    let is_alone = |root: &Root| root.parents.is_empty() && root.parts.is_empty();
    is_alone(earlier)
        && is_alone(later)
        && earlier.row.references == later.row.references
        && !earlier.row.is_of_another_time(&later.row)
        && earlier.row.updated_at.is_some() == later.row.updated_at.is_some()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::{Map, Value};

    use super::*;
    use crate::ingest::row::Row;

    fn entities() -> &'static Table {
        crate::catalog::by_target("home.entities").unwrap()
    }

    fn record(source_id: &str, state: &str) -> Sized {
        stamped(source_id, state, None)
    }

    fn stamped(source_id: &str, state: &str, second: Option<i64>) -> Sized {
        let columns = Map::from_iter([("state".to_owned(), Value::from(state))]);
        let row = Row {
            id: Uuid::nil(),
            source_id: source_id.to_owned(),
            columns,
            references: vec![],
            extra: None,
            raw: None,
            updated_at: second.and_then(|second| DateTime::from_timestamp(second, 0)),
        };
        Ok((
            Step::Store(Box::new(Root {
                index: 0,
                row,
                parents: vec![],
                ancestors: vec![],
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
        Batches::of(entities(), steps.into_iter())
            .map(|batch| match batch.unwrap() {
                Batch::Store {
                    roots,
                    repeated,
                    superseded,
                } => {
                    format!(
                        "store {} for {}, {repeated} equal",
                        roots.len(),
                        superseded.len()
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
