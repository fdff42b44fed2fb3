//! Erasing (docs/operating.md#erase): everything that connections brought, and everything made of it, in one transaction.
//!
//! Rows and tombstones of every table of the catalogue go, evidence, references that wait, cursors and coverage, the history of
//! syncs. Connections, agents and the record stay. What was made of several connections' rows is made anew of those that are
//! left. No tombstone tells a change cursor what is gone, so a generation begins.
//!
//! # Who waits for whom
//!
//! The connections are locked first: a push holds its own until it is stored, so that one under way is waited for and erased,
//! and one that comes later finds the sector as the erase has left it. Then whoever else makes derived rows is waited for
//! (`derived::hold`): what another connection's push has made of rows that go now is seen, and goes with them.

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
/// What connections have beside rows in a sector: how far they have been read, how they fared, and what still waits for its
/// parent. The service notes that for itself; nobody would miss it as a record of theirs, and so it goes uncounted.
const BESIDE_ROWS: [&str; 3] = [
    include_str!("../../sql/statements/pending_references/erase.sql"),
    include_str!("../../sql/statements/sync_cursors/erase.sql"),
    include_str!("../../sql/statements/sync_runs/erase.sql"),
];

/// What is to be erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Connection(Uuid),
    Sector(Sector),
    All,
}

impl Scope {
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

/// How many rows of which tables were, or would be, erased; tombstones are rows. Tables without any are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erased(pub BTreeMap<String, u64>);

impl Erased {
    /// All rows together.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn note(&mut self, place: String, rows: u64) {
        if rows > 0 {
            self.0.insert(place, rows);
        }
    }
}

/// Counts what [`erase`] would erase now. `None`: there is no such connection.
///
/// # Errors
/// When the database cannot be read.
pub async fn preview(pool: &ServicePool, scope: Scope) -> Result<Option<Erased>, StoreError> {
    count(&pool.get().await?, scope).await
}

/// The same through a connection or a transaction that is there already.
///
/// # Errors
/// When the database cannot be read.
pub async fn count(
    client: &impl GenericClient,
    scope: Scope,
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
        counted.note(row.try_get("place")?, db::count(row.try_get("n")?)?);
    }
    Ok(Some(counted))
}

/// Erases; connections that are pulled are paused, else the next tick would bring all of it back. `None`: there is no such
/// connection.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn erase(
    pool: &ServicePool,
    scope: Scope,
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

/// Erases inside a transaction that does more than this, and pauses nothing.
///
/// # Errors
/// Why the transaction cannot be committed.
pub async fn erase_within(
    transaction: &Transaction<'_>,
    scope: Scope,
) -> Result<Option<(Erased, Reach)>, StoreError> {
    let Some(reach) = Reach::find(transaction, LOCK_SCOPE, scope).await? else {
        return Ok(None);
    };
    let erased = rows_of(transaction, &reach).await?;
    Ok(Some((erased, reach)))
}

/// The connections that are touched, by sector.
pub struct Reach(BTreeMap<Sector, Vec<Uuid>>);

/// Of connections that the caller has locked.
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
    /// `None`: the scope names a connection that is not there.
    async fn find(
        client: &impl GenericClient,
        statement: &str,
        scope: Scope,
    ) -> Result<Option<Self>, StoreError> {
        let (sectors, connection) = (scope.sectors(), scope.connection());
        let rows = client
            .query(statement, &[&OPERATOR, &sectors, &connection])
            .await?;
        let reach: Result<Self, StoreError> = rows.iter().map(named).collect();
        Ok(Some(reach?).filter(|reach| connection.is_none() || !reach.0.is_empty()))
    }

    pub(super) fn ids(&self) -> Vec<Uuid> {
        self.0.values().flatten().copied().collect()
    }
}

fn named(row: &Row) -> Result<(Uuid, Sector), StoreError> {
    let sector = super::connections::sector(row.try_get("sector")?)?;
    Ok((row.try_get("id")?, sector))
}

/// Erases the rows of locked connections, and begins a generation.
pub(super) async fn rows_of(
    transaction: &Transaction<'_>,
    reach: &Reach,
) -> Result<Erased, StoreError> {
    let mut erased = Erased::default();
    for (sector, ids) in &reach.0 {
        derived::hold(transaction, OPERATOR, *sector).await?;
        for erasure in erase::of_connections(*sector) {
            let rows = transaction
                .execute(&erasure.statement, &[&OPERATOR, ids])
                .await?;
            erased.note(erasure.place, rows);
        }
        derived::settle(transaction, OPERATOR, *sector).await?;
    }
    for statement in BESIDE_ROWS {
        transaction
            .execute(statement, &[&OPERATOR, &reach.ids()])
            .await?;
    }
    transaction.execute(BEGIN_GENERATION, &[&OPERATOR]).await?;
    Ok(erased)
}
