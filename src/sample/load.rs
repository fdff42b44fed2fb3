//! The household stored: read as a push is read, then all connections and all records in one transaction. Whatever ends it
//! in the middle leaves nothing behind.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::json;
use sextant_actors::domain::OPERATOR;
use sextant_actors::random;
use uuid::Uuid;

use super::{SampleError, Share, household};
use crate::catalog;
use crate::db::{ServicePool, StoreError, TxFailure, tx};
use crate::ingest::decode::{BodyFormat, Encoding};
use crate::ingest::{
    Prepared, PushDestination, Rejects, StoreFailure, StoredCounts, prepare, store_within,
};
use crate::store::connections::{Connection, samples};

/// The largest share, as JSON.
const SHARE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// One connection of the sample, and what it holds.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub connection: Connection,
    pub stored: StoredCounts,
}

/// Why nothing was loaded.
#[derive(Debug)]
pub enum LoadError {
    /// It is there already.
    Present,
    /// Its connections cannot be named: the system gives no randomness.
    Unnamed(random::Unavailable),
    /// What the sample holds is not what the catalogue takes.
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

/// A share that has been read, and the connection it goes to.
struct Parcel {
    label: String,
    to: PushDestination,
    prepared: Arc<Prepared>,
}

/// Stores the household as it stands at `now`.
///
/// # Errors
/// Why nothing was stored; only when the fate of the commit is unknown, all of it may have been.
pub async fn load(
    pool: &ServicePool,
    now: DateTime<Utc>,
    zone: Tz,
) -> Result<Vec<Loaded>, LoadError> {
    let parcels = tokio::task::spawn_blocking(move || parcels(now, zone)).await;
    let parcels = parcels.map_err(|_| SampleError::of("household", "it could not be read"))??;
    let parcels = &parcels;
    tx(pool, "load the sample", |transaction| {
        Box::pin(async move {
            if !samples::are_absent(&transaction).await? {
                return Err(LoadError::Present);
            }
            let mut loaded = Vec::new();
            for parcel in parcels {
                let named = (parcel.label.as_str(), parcel.to.table);
                samples::create(&transaction, parcel.to.connection, named, now).await?;
                let prepared = Arc::clone(&parcel.prepared);
                let siblings = siblings(parcels, parcel);
                let stored = store_within(&transaction, &parcel.to, &siblings, prepared)
                    .await
                    .map_err(LoadError::Store)?;
                let connection = samples::read(&transaction, parcel.to.connection).await?;
                loaded.push(Loaded { connection, stored });
            }
            Ok(loaded)
        })
    })
    .await
}

/// Blocking: it writes and reads the spools.
fn parcels(now: DateTime<Utc>, zone: Tz) -> Result<Vec<Parcel>, LoadError> {
    let shares = household(now, zone)?;
    shares
        .iter()
        .map(|share| parcel(share, now, zone))
        .collect()
}

fn parcel(share: &Share, now: DateTime<Utc>, zone: Tz) -> Result<Parcel, LoadError> {
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
    let prepared = prepare(body.as_bytes(), shape, SHARE_BYTES_MAX, &to, Rejects::All)
        .map_err(|cause| fault(&cause))?;
    if let Some(problem) = prepared.problems.first() {
        return Err(fault(&format!("{problem:?}")));
    }
    Ok(Parcel {
        label: share.label(),
        to,
        prepared: Arc::new(prepared),
    })
}

/// The sample's other connections of the sector; the person's own stay out of it.
fn siblings(parcels: &[Parcel], of: &Parcel) -> Vec<Uuid> {
    let others = parcels.iter().map(|parcel| &parcel.to);
    let others = others.filter(|other| {
        other.table.sector == of.to.table.sector && other.connection != of.to.connection
    });
    others.map(|other| other.connection).collect()
}
