//! Assigns a source id to each record whose own id may be stored for another record. It takes one statement a batch, and a
//! second one where an id is occupied.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::catalog::Namesakes;
use crate::db::{StoreError, columns};
use crate::ingest::limits::NAMESAKES_MAX;
use crate::ingest::namesakes::{self, AssignedId, Occupant};
use crate::ingest::problem::RecordProblem;
use crate::ingest::row::PushedRecord;
use crate::statements::occupants::held;

use super::failure::StoreFailure;
use super::transaction::PushTransaction;

/// The result of assigning ids to the records of a batch.
#[derive(Default)]
pub(super) struct Assigned {
    /// The records for which no id is free.
    pub refused: Vec<RecordProblem>,
    /// From the row id a record was sent with to the one it got; `None` for a record that is refused.
    renamed: HashMap<Uuid, Option<Uuid>>,
}

impl Assigned {
    /// The row id that the records sent with this one got; `None` if they are refused.
    pub(super) fn row_of(&self, sent: Uuid) -> Option<Uuid> {
        self.renamed.get(&sent).copied().unwrap_or(Some(sent))
    }
}

/// What is stored under a source id, compared with the record at this position of the batch.
type Occupants = HashMap<(usize, String), Occupant>;

impl PushTransaction<'_> {
    /// Keeps other pushes to this connection from assigning ids until this transaction ends.
    pub(super) async fn lock_names(&self) -> Result<(), StoreFailure> {
        if self.to.table.namesakes.is_none() {
            return Ok(());
        }
        let statement = include_str!("../../../sql/statements/connections/name_alone.sql");
        self.transaction
            .query_one(statement, &[&self.to.connection])
            .await?;
        Ok(())
    }

    /// Assigns an id to each record, and removes those for which none is free.
    pub(super) async fn assign_ids(
        &self,
        roots: &mut Vec<PushedRecord>,
    ) -> Result<Assigned, StoreFailure> {
        let Some(namesakes) = self.to.table.namesakes else {
            return Ok(Assigned::default());
        };
        let is_distinguished =
            |root: &PushedRecord| namesakes::is_distinguished(self.to.table, &root.row);
        let own = roots.iter().enumerate();
        let own = own.filter(|(_, root)| is_distinguished(root));
        let own = own.map(|(position, root)| (position, root, vec![root.row.source_id.clone()]));
        let mut occupants = self.load_occupants(namesakes, own).await?;
        let keeps_own = |position: usize, root: &PushedRecord| {
            let occupant = occupants.get(&(position, root.row.source_id.clone()));
            namesakes::keeps_own(occupant.copied())
        };
        let occupied: Vec<(usize, &PushedRecord)> = roots
            .iter()
            .enumerate()
            .filter(|(position, root)| !keeps_own(*position, root))
            .collect();
        if occupied.is_empty() {
            return Ok(Assigned::default());
        }
        let positions: HashSet<usize> = occupied.iter().map(|(position, _)| *position).collect();
        let numbered = occupied.into_iter().map(|(position, root)| {
            let ids = namesakes::numbered(&root.row.source_id);
            (position, root, ids.collect())
        });
        occupants.extend(self.load_occupants(namesakes, numbered).await?);
        Ok(self.rename(roots, &positions, &occupants))
    }

    /// Loads what is stored under the given ids, each compared with its record.
    async fn load_occupants(
        &self,
        namesakes: &Namesakes,
        candidates: impl Iterator<Item = (usize, &PushedRecord, Vec<String>)>,
    ) -> Result<Occupants, StoreFailure> {
        let candidates: Vec<Value> = candidates
            .map(|(position, root, ids)| candidate(namesakes, position, root, ids))
            .collect();
        let Some(statement) = held(self.to.table).filter(|_| !candidates.is_empty()) else {
            return Ok(Occupants::new());
        };
        let candidates = Value::Array(candidates);
        let statement = self.transaction.prepare_cached(&statement).await?;
        let rows = self
            .transaction
            .query(
                &statement,
                &[&self.to.user, &self.to.connection, &candidates],
            )
            .await?;
        rows.iter().map(occupant).collect()
    }

    /// Renames the records at the `occupied` positions. The id that another record of the batch was sent with is not given away.
    fn rename(
        &self,
        roots: &mut Vec<PushedRecord>,
        occupied: &HashSet<usize>,
        occupants: &Occupants,
    ) -> Assigned {
        let sent: HashSet<String> = roots
            .iter()
            .map(|root| root.row.source_id.clone())
            .collect();
        let mut assigned = Assigned::default();
        let mut kept = Vec::with_capacity(roots.len());
        for (position, mut root) in roots.drain(..).enumerate() {
            let own = root.row.source_id.clone();
            let occupant_of = |id: &str| match occupants.get(&(position, id.to_owned())) {
                _ if id != own && sent.contains(id) => Some(Occupant::Different),
                occupant => occupant.copied(),
            };
            let id = match occupied.contains(&position) {
                true => namesakes::assign(&own, occupant_of),
                false => AssignedId::Own,
            };
            match id {
                AssignedId::Own => {}
                AssignedId::Numbered(id) => {
                    let before = root.row.id;
                    namesakes::rename(&mut root, self.to, id);
                    assigned.renamed.insert(before, Some(root.row.id));
                }
                AssignedId::NoneFree => {
                    assigned.renamed.insert(root.row.id, None);
                    assigned.refused.push(refusal(root.index));
                    continue;
                }
            }
            kept.push(root);
        }
        *roots = kept;
        assigned
    }
}

/// A record as the statement reads it: its possible ids, and the fields that distinguish it.
fn candidate(
    namesakes: &Namesakes,
    position: usize,
    root: &PushedRecord,
    ids: Vec<String>,
) -> Value {
    let distinguishing = namesakes.distinguished_by.iter().filter_map(|name| {
        let value = root.row.columns.get(*name)?;
        Some(((*name).to_owned(), value.clone()))
    });
    let mut candidate: Map<String, Value> = distinguishing.collect();
    candidate.insert("place".to_owned(), position.into());
    candidate.insert("own".to_owned(), root.row.source_id.clone().into());
    candidate.insert("names".to_owned(), ids.into());
    Value::Object(candidate)
}

fn occupant(row: &tokio_postgres::Row) -> Result<((usize, String), Occupant), StoreFailure> {
    let (position, source_id, is_gone, is_apart, is_same): (i32, _, _, _, _) =
        columns("statements::occupants", row)?;
    let occupant = match (is_gone, is_apart, is_same) {
        (true, _, _) => Occupant::Deleted,
        (false, false, _) => Occupant::Replaceable,
        (false, true, true) => Occupant::Same,
        (false, true, false) => Occupant::Different,
    };
    let position = usize::try_from(position).map_err(|_| StoreError::Fault {
        cause: format!("{position} is no position in a batch"),
    })?;
    Ok(((position, source_id), occupant))
}

fn refusal(index: usize) -> RecordProblem {
    RecordProblem {
        index,
        field: "id".to_owned(),
        message: format!(
            "stands for {NAMESAKES_MAX} different records already; give this one an id of its own"
        ),
    }
}
