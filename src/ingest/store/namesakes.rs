//! Records that share their name with others of another push: each gets the name under which it is stored, or one that is
//! free. A batch takes one statement, and another where a name is held.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::catalog::Namesakes;
use crate::ingest::limits::NAMESAKES_MAX;
use crate::ingest::namesakes::{self, Holder, Name};
use crate::ingest::problem::RecordProblem;
use crate::statements::namesakes::held;

use super::{Root, StoreFailure, Work};

/// What became of the names of a batch.
#[derive(Default)]
pub struct Named {
    /// The records that no name is left for.
    pub refused: Vec<RecordProblem>,
    /// Ids that rows would have had, and those they have; none for a record that is refused.
    renamed: HashMap<Uuid, Option<Uuid>>,
}

impl Named {
    /// Records that another of the batch has overtaken go by its name.
    pub fn follow(&self, overtaken: &mut Vec<Uuid>) {
        overtaken.retain_mut(|id| match self.renamed.get(id) {
            Some(None) => false,
            Some(Some(renamed)) => {
                *id = *renamed;
                true
            }
            None => true,
        });
    }
}

/// Who holds which name, beside the record of this place.
type Holders = HashMap<(usize, String), Holder>;

impl Work<'_> {
    /// Lets no other push to this connection decide on names until this one has ended.
    pub(super) async fn name_alone(&self) -> Result<(), StoreFailure> {
        if self.to.table.namesakes.is_none() {
            return Ok(());
        }
        let statement = include_str!("../../../sql/statements/connections/name_alone.sql");
        self.transaction
            .query_one(statement, &[&self.to.connection])
            .await?;
        Ok(())
    }

    /// Gives each record its name, and takes out those for which none is left.
    pub(super) async fn name(&self, roots: &mut Vec<Root>) -> Result<Named, StoreFailure> {
        let Some(namesakes) = self.to.table.namesakes else {
            return Ok(Named::default());
        };
        let asked = |root: &Root| namesakes::is_told_apart(self.to.table, &root.row);
        let own = roots.iter().enumerate().filter(|(_, root)| asked(root));
        let own = own.map(|(place, root)| (place, root, vec![root.row.source_id.clone()]));
        let mut holders = self.holders(namesakes, own).await?;
        let is_met = |place: usize, root: &Root| {
            let holder = holders.get(&(place, root.row.source_id.clone()));
            !namesakes::is_own(holder.copied())
        };
        let met = roots.iter().enumerate();
        let met: Vec<(usize, &Root)> = met.filter(|(place, root)| is_met(*place, root)).collect();
        if met.is_empty() {
            return Ok(Named::default());
        }
        let places: HashSet<usize> = met.iter().map(|(place, _)| *place).collect();
        let others = met.into_iter().map(|(place, root)| {
            let names = namesakes::others(&root.row.source_id);
            (place, root, names.collect())
        });
        holders.extend(self.holders(namesakes, others).await?);
        Ok(self.rename(roots, &places, &holders))
    }

    async fn holders(
        &self,
        namesakes: &Namesakes,
        asked: impl Iterator<Item = (usize, &Root, Vec<String>)>,
    ) -> Result<Holders, StoreFailure> {
        let asked = asked.map(|(place, root, names)| question(namesakes, place, root, names));
        let asked = Value::Array(asked.collect());
        let none = asked.as_array().is_some_and(Vec::is_empty);
        let Some(statement) = held(self.to.table).filter(|_| !none) else {
            return Ok(Holders::new());
        };
        let statement = self.transaction.prepare_cached(&statement).await?;
        let found = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &asked])
            .await?;
        found.iter().map(holder).collect()
    }

    /// A name that a record of the batch was sent under is not given to another.
    fn rename(&self, roots: &mut Vec<Root>, met: &HashSet<usize>, holders: &Holders) -> Named {
        let sent: HashSet<String> = roots
            .iter()
            .map(|root| root.row.source_id.clone())
            .collect();
        let mut named = Named::default();
        let mut kept = Vec::with_capacity(roots.len());
        for (place, mut root) in roots.drain(..).enumerate() {
            let own = root.row.source_id.clone();
            let held = |name: &str| match holders.get(&(place, name.to_owned())) {
                _ if name != own && sent.contains(name) => Some(Holder::Another),
                holder => holder.copied(),
            };
            let name = match met.contains(&place) {
                true => namesakes::name(&own, held),
                false => Name::Own,
            };
            match name {
                Name::Own => {}
                Name::Other(name) => {
                    let before = root.row.id;
                    namesakes::rename(&mut root, self.to, name);
                    named.renamed.insert(before, Some(root.row.id));
                }
                Name::None => {
                    named.renamed.insert(root.row.id, None);
                    named.refused.push(refusal(root.index));
                    continue;
                }
            }
            kept.push(root);
        }
        *roots = kept;
        named
    }
}

/// A record as the statement reads it: its names, and what tells it apart.
fn question(namesakes: &Namesakes, place: usize, root: &Root, names: Vec<String>) -> Value {
    let told = namesakes.told_apart_by.iter().filter_map(|name| {
        let value = root.row.columns.get(*name)?;
        Some(((*name).to_owned(), value.clone()))
    });
    let mut question: Map<String, Value> = told.collect();
    question.insert("place".to_owned(), place.into());
    question.insert("own".to_owned(), root.row.source_id.clone().into());
    question.insert("names".to_owned(), names.into());
    Value::Object(question)
}

fn holder(row: &tokio_postgres::Row) -> Result<((usize, String), Holder), StoreFailure> {
    let place: i32 = row.try_get("place")?;
    let holder = match (
        row.try_get("is_gone")?,
        row.try_get("is_apart")?,
        row.try_get("is_same")?,
    ) {
        (true, _, _) => Holder::Gone,
        (false, false, _) => Holder::Yielding,
        (false, true, true) => Holder::Same,
        (false, true, false) => Holder::Another,
    };
    let place = usize::try_from(place).unwrap_or_default();
    Ok(((place, row.try_get("source_id")?), holder))
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
