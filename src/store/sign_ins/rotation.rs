//! All secrets under another key.

use std::fmt;

use deadpool_postgres::Transaction;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, columns, tx};
use crate::sealing::{CredentialKeys, KeyRotation, ResealError};

use super::establish::SignInStoreError;

pub(super) const RESEAL: &str = include_str!("../../../sql/statements/sign_ins/reseal.sql");

/// The statements about the secrets of one table.
struct SealedTable {
    sealed: &'static str,
    lock_sealed: &'static str,
    reseal: &'static str,
}

/// Every table that holds secrets.
const SEALED_TABLES: [SealedTable; 2] = [
    SealedTable {
        sealed: include_str!("../../../sql/statements/sign_ins/sealed.sql"),
        lock_sealed: include_str!("../../../sql/statements/sign_ins/lock_sealed.sql"),
        reseal: RESEAL,
    },
    SealedTable {
        sealed: include_str!("../../../sql/statements/provider_apps/sealed.sql"),
        lock_sealed: include_str!("../../../sql/statements/provider_apps/lock_sealed.sql"),
        reseal: include_str!("../../../sql/statements/provider_apps/reseal.sql"),
    },
];

/// What became of the secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Under the next key now.
    pub resealed: u64,
    /// Those that do not open: they stay as they are, under the name of their key.
    pub lost: u64,
}

/// Seals all of them anew with the rotation's next key, in one transaction.
///
/// # Errors
/// When one cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn reseal(
    pool: &ServicePool,
    rotation: &KeyRotation,
) -> Result<Resealed, SignInStoreError> {
    tx(pool, "seal all credentials anew", |transaction| {
        Box::pin(async move {
            let mut done = Resealed::default();
            for table in &SEALED_TABLES {
                reseal_table(&transaction, rotation, table, &mut done).await?;
            }
            Ok(done)
        })
    })
    .await
}

async fn reseal_table(
    transaction: &Transaction<'_>,
    rotation: &KeyRotation,
    table: &SealedTable,
    done: &mut Resealed,
) -> Result<(), SignInStoreError> {
    for row in transaction.query(table.lock_sealed, &[&OPERATOR]).await? {
        let (id, sealed): (Uuid, &[u8]) = columns("lock_sealed", &row)?;
        match rotation.reseal(id, sealed) {
            Ok(None) => done.resealed += 1,
            Ok(Some(anew)) => {
                transaction
                    .execute(table.reseal, &[&OPERATOR, &id, &anew])
                    .await?;
                done.resealed += 1;
            }
            Err(ResealError::Lost(_)) => done.lost += 1,
            Err(ResealError::Seal(cause)) => return Err(SignInStoreError::Seal(cause)),
        }
    }
    Ok(())
}

/// How many secrets do not open with the keys that are there.
///
/// # Errors
/// When the database cannot be read.
pub async fn count_unopened(pool: &ServicePool, keys: &CredentialKeys) -> Result<u64, StoreError> {
    let client = pool.get().await?;
    let mut unopened = 0;
    for table in &SEALED_TABLES {
        let statement = client.prepare_cached(table.sealed).await?;
        for row in client.query(&statement, &[&OPERATOR]).await? {
            let (id, sealed): (Uuid, &[u8]) = columns("sealed", &row)?;
            unopened += u64::from(keys.open_sealed(id, sealed).is_err());
        }
    }
    Ok(unopened)
}

impl fmt::Display for Resealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sealed with the new key", self.resealed)?;
        match self.lost {
            0 => Ok(()),
            lost => write!(f, ", {lost} that do not open"),
        }
    }
}
