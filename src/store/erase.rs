//! Erasing (docs/operating.md#erase): everything that connections delivered, and everything derived from it, in one transaction.
//!
//! It deletes rows and tombstones of every table of the catalogue, evidence, pending references, cursors and coverage, and the
//! history of syncs and pushes. Connections, agents and the audit log stay. Rows that were derived from several connections are derived anew
//! from the remaining ones. No tombstones remain from which a change cursor could see the deletions, so a new generation begins.
//!
//! # Order of locks
//!
//! The connections are locked first: a push holds a lock on its own until it is stored, so one under way is waited for and
//! erased, and a later one finds the sector erased. Then the derived rows are locked (`derived::lock`): what another
//! connection's push has derived from rows that are erased now is visible by then, and is erased too.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{self, ServicePool, StoreError, tx};
use crate::derived;
use crate::statements::erase;

const OF_SCOPE: &str = include_str!("../../sql/statements/connections/of_scope.sql");
const LOCK_SCOPE: &str = include_str!("../../sql/statements/connections/lock_scope.sql");
const PAUSE_PULLED: &str = include_str!("../../sql/statements/connections/pause_pulled.sql");
const WAIT_PATIENTLY: &str = include_str!("../../sql/statements/transaction/wait_patiently.sql");
const BEGIN_GENERATION: &str = include_str!("../../sql/statements/generations/begin.sql");
/// Deletes the notes of the last pushes.
pub(super) const FORGET_PUSHES: &str = include_str!("../../sql/statements/pushes/erase.sql");
/// Deletes what connections have beside rows: pending references, cursors, the items of sources, and the history of
/// syncs and pushes. The service keeps it for
/// itself; it is no data of the person, so it is not counted.
const BOOKKEEPING: [&str; 5] = [
    include_str!("../../sql/statements/pending_references/erase.sql"),
    include_str!("../../sql/statements/sync_cursors/erase.sql"),
    include_str!("../../sql/statements/sync_runs/erase.sql"),
    include_str!("../../sql/statements/source_items/erase.sql"),
    FORGET_PUSHES,
];

/// What to erase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EraseScope {
    Connection(Uuid),
    Sector(Sector),
    All,
}

impl EraseScope {
    fn sectors(self) -> Vec<&'static str> {
        match self {
            Self::Sector(sector) => vec![sector.name()],
            Self::Connection(_) | Self::All => Sector::ALL.map(Sector::name).to_vec(),
        }
    }

    fn connection(self) -> Option<Uuid> {
        match self {
            Self::Connection(id) => Some(id),
            Self::Sector(_) | Self::All => None,
        }
    }
}

/// The number of rows by table that were, or would be, erased, tombstones included. Tables without any are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Erased(pub BTreeMap<String, u64>);

impl Erased {
    /// All rows together.
    pub(crate) fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn add(&mut self, table: String, rows: u64) {
        if rows > 0 {
            self.0.insert(table, rows);
        }
    }
}

/// Counts what [`erase()`] would erase now. Returns `None` if there is no such connection.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn preview(
    pool: &ServicePool,
    scope: EraseScope,
) -> Result<Option<Erased>, StoreError> {
    count(&pool.get().await?, scope).await
}

/// Counts what [`erase()`] would erase, within a transaction or on a connection of the caller.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn count(
    client: &impl GenericClient,
    scope: EraseScope,
) -> Result<Option<Erased>, StoreError> {
    let Some(reach) = Reach::find(client, OF_SCOPE, scope).await? else {
        return Ok(None);
    };
    let mut counted = Erased::default();
    let sectors: Vec<Sector> = reach.0.keys().copied().collect();
    if sectors.is_empty() {
        return Ok(Some(counted));
    }
    let statement = erase::count(&sectors);
    for row in client.query(&statement, &[&OPERATOR, &reach.ids()]).await? {
        let (table, n) = db::columns("statements::erase::count", &row)?;
        counted.add(table, db::count(n)?);
    }
    Ok(Some(counted))
}

/// Erases, and pauses connections that are pulled, since the next sync would fetch everything again. Returns `None` if there is
/// no such connection.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn erase(
    pool: &ServicePool,
    scope: EraseScope,
    now: DateTime<Utc>,
) -> Result<Option<Erased>, StoreError> {
    tx(pool, "erase", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            let Some((erased, reach)) = erase_within(&transaction, scope).await? else {
                return Ok(None);
            };
            transaction
                .execute(PAUSE_PULLED, &[&OPERATOR, &reach.ids(), &now])
                .await?;
            Ok(Some(erased))
        })
    })
    .await
}

/// Erases within a transaction of the caller, and pauses nothing.
///
/// # Errors
/// Why the transaction must not be committed.
pub(crate) async fn erase_within(
    transaction: &Transaction<'_>,
    scope: EraseScope,
) -> Result<Option<(Erased, Reach)>, StoreError> {
    let Some(reach) = Reach::find(transaction, LOCK_SCOPE, scope).await? else {
        return Ok(None);
    };
    let erased = erase_rows(transaction, &reach).await?;
    Ok(Some((erased, reach)))
}

/// The connections to erase, by sector. They are locked.
pub(crate) struct Reach(BTreeMap<Sector, Vec<Uuid>>);

/// From connections that the caller has locked.
impl FromIterator<(Uuid, Sector)> for Reach {
    fn from_iter<I: IntoIterator<Item = (Uuid, Sector)>>(connections: I) -> Self {
        let mut reach = BTreeMap::<Sector, Vec<Uuid>>::new();
        for (id, sector) in connections {
            reach.entry(sector).or_default().push(id);
        }
        Self(reach)
    }
}

impl Reach {
    /// Finds the connections of a scope; `None` if it names a connection that does not exist.
    async fn find(
        client: &impl GenericClient,
        statement: &str,
        scope: EraseScope,
    ) -> Result<Option<Self>, StoreError> {
        let (sectors, connection) = (scope.sectors(), scope.connection());
        let rows = client
            .query(statement, &[&OPERATOR, &sectors, &connection])
            .await?;
        let reach: Result<Self, StoreError> = rows.iter().map(id_and_sector).collect();
        Ok(Some(reach?).filter(|reach| connection.is_none() || !reach.0.is_empty()))
    }

    pub(super) fn ids(&self) -> Vec<Uuid> {
        self.0.values().flatten().copied().collect()
    }
}

fn id_and_sector(row: &Row) -> Result<(Uuid, Sector), StoreError> {
    let (id, sector) = db::columns("connections/of_scope", row)?;
    Ok((id, super::connections::sector(sector)?))
}

/// Erases the rows of locked connections, and begins a generation.
pub(super) async fn erase_rows(
    transaction: &Transaction<'_>,
    reach: &Reach,
) -> Result<Erased, StoreError> {
    let mut erased = Erased::default();
    for (sector, ids) in &reach.0 {
        derived::lock(transaction, OPERATOR, *sector).await?;
        for erasure in erase::of_connections(*sector) {
            let rows = transaction
                .execute(&erasure.statement, &[&OPERATOR, ids])
                .await?;
            erased.add(erasure.place, rows);
        }
        derived::forget(transaction, OPERATOR, *sector, ids).await?;
        derived::settle(transaction, OPERATOR, *sector).await?;
    }
    for statement in BOOKKEEPING {
        transaction
            .execute(statement, &[&OPERATOR, &reach.ids()])
            .await?;
    }
    transaction.execute(BEGIN_GENERATION, &[&OPERATOR]).await?;
    Ok(erased)
}
