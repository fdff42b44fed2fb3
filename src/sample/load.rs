//! Stores the sample household: validates its records like pushes, then creates the connections and stores everything in one
//! transaction, so that an interruption leaves nothing behind.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::json;
use sextant_actors::domain::OPERATOR;
use sextant_actors::random;
use uuid::Uuid;

use super::{SampleError, TableRecords, household};
use crate::catalog;
use crate::db::{ServicePool, StoreError, TxFailure, tx};
use crate::ingest::decode::{BodyFormat, Encoding};
use crate::ingest::{
    Prepared, PushDestination, Rejects, SpoolFolder, StoreFailure, StoredCounts, prepare,
    store_within,
};
use crate::store::connections::{Connection, samples};

/// The records of one table, as JSON.
const SHARE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// One connection of the sample, and how many records were stored for it.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub connection: Connection,
    pub stored: StoredCounts,
}

/// Why nothing was loaded.
#[derive(Debug)]
pub(crate) enum LoadError {
    /// The sample is loaded already.
    Present,
    /// No ids could be made for its connections: the system provides no randomness.
    Unnamed(random::Unavailable),
    /// A template is invalid, or its records do not fit the catalogue.
    Sample(SampleError),
    Store(StoreFailure),
}

impl fmt::Display for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Present => formatter.write_str("the sample household is loaded already"),
            Self::Unnamed(cause) => cause.fmt(formatter),
            Self::Sample(cause) => cause.fmt(formatter),
            Self::Store(cause) => cause.fmt(formatter),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<StoreError> for LoadError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause.into())
    }
}

impl From<SampleError> for LoadError {
    fn from(cause: SampleError) -> Self {
        Self::Sample(cause)
    }
}

impl TxFailure for LoadError {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(cause) => cause.as_store(),
            Self::Present | Self::Unnamed(_) | Self::Sample(_) => None,
        }
    }
}

/// The validated records of one table, and the connection to store them for.
struct PreparedTable {
    label: String,
    to: PushDestination,
    prepared: Arc<Prepared>,
}

/// Stores the household as of `now`.
///
/// # Errors
/// Why nothing was stored. Only when the fate of the commit is unknown, everything may have been stored.
pub(crate) async fn load(
    pool: &ServicePool,
    (now, zone): (DateTime<Utc>, Tz),
    spools: SpoolFolder,
) -> Result<Vec<Loaded>, LoadError> {
    let tables = tokio::task::spawn_blocking(move || prepare_tables(now, zone, &spools)).await;
    let tables = tables.map_err(|_| SampleError::of("household", "it could not be read"))??;
    let tables = &tables;
    tx(pool, "load the sample", |transaction| {
        Box::pin(async move {
            if !samples::are_absent(&transaction).await? {
                return Err(LoadError::Present);
            }
            let mut loaded = Vec::new();
            for table in tables {
                let named = (table.label.as_str(), table.to.table);
                samples::create(&transaction, table.to.connection, named, now).await?;
                let prepared = Arc::clone(&table.prepared);
                let siblings = siblings(tables, table);
                let stored = store_within(&transaction, &table.to, &siblings, prepared)
                    .await
                    .map_err(LoadError::Store)?;
                let connection = samples::read(&transaction, table.to.connection).await?;
                loaded.push(Loaded { connection, stored });
            }
            Ok(loaded)
        })
    })
    .await
}

/// Validates all records. Blocking: it writes the spools.
fn prepare_tables(
    now: DateTime<Utc>,
    zone: Tz,
    spools: &SpoolFolder,
) -> Result<Vec<PreparedTable>, LoadError> {
    let shares = household(now, zone)?;
    shares
        .iter()
        .map(|share| prepare_table(share, (now, zone), spools))
        .collect()
}

fn prepare_table(
    share: &TableRecords,
    (now, zone): (DateTime<Utc>, Tz),
    spools: &SpoolFolder,
) -> Result<PreparedTable, LoadError> {
    let fault = |cause: &dyn fmt::Display| LoadError::Sample(SampleError::of(share.target, cause));
    let table = catalog::by_target(share.target).ok_or_else(|| fault(&"no such table"))?;
    let to = PushDestination {
        user: OPERATOR,
        connection: random::identifier().map_err(LoadError::Unnamed)?,
        table,
        zone,
        now,
    };
    let body = json!({ "records": share.records }).to_string();
    let shape = (Encoding::Identity, BodyFormat::Json);
    let prepared = prepare(
        body.as_bytes(),
        shape,
        (SHARE_BYTES_MAX, spools),
        &to,
        Rejects::All,
    )
    .map_err(|cause| fault(&cause))?;
    if let Some(problem) = prepared.problems.first() {
        return Err(fault(&format!("{problem:?}")));
    }
    Ok(PreparedTable {
        label: share.label(),
        to,
        prepared: Arc::new(prepared),
    })
}

/// The sample's other connections of the sector. Those of the person are not among them.
fn siblings(tables: &[PreparedTable], of: &PreparedTable) -> Vec<Uuid> {
    let others = tables.iter().map(|table| &table.to);
    let others = others.filter(|other| {
        other.table.sector == of.to.table.sector && other.connection != of.to.connection
    });
    others.map(|other| other.connection).collect()
}
