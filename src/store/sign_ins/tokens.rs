//! What a sign-in keeps of its tokens, and how the next takes its place. One actor a sign-in renews them; a person who signs in again
//! puts others in their place meanwhile, and the key they are sealed with may be replaced.

use sextant_actors::domain::OPERATOR;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::oauth::KeptTokens;
use sextant_connectors::secret::SourceSecret;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::credential::{CredentialError, credential};
use super::establish::SignInStoreError;
use super::rotation::RESEAL;
use crate::config::Secret;
use crate::db::{ServicePool, column, expect_one, tx};
use crate::sealing::{CredentialKeys, SealingTurn, UnsealError};

const LOCK_CREDENTIAL: &str = include_str!("../../../sql/statements/sign_ins/lock_credential.sql");

/// The tokens of a sign-in, opened.
#[derive(Clone, Debug)]
pub struct StoredTokens {
    /// The provider's word.
    pub provider: String,
    pub kept: KeptTokens,
}

/// Reads and opens the tokens of a sign-in.
///
/// # Errors
/// Why there are none.
pub async fn tokens(
    pool: &ServicePool,
    keys: &CredentialKeys,
    id: Uuid,
) -> Result<StoredTokens, CredentialError> {
    let stored = credential(pool, keys, id).await?;
    let kept = KeptTokens::of_sealed(&stored.secret);
    Ok(StoredTokens {
        provider: stored.provider,
        kept: kept.map_err(damaged)?,
    })
}

/// Keeps `after` where `before` is what is kept, under whichever key. False where it is something else by now, or nothing; true where
/// it is `after` already, so that it may be called again after an answer that was lost.
///
/// # Errors
/// When it cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn replace_tokens(
    pool: &ServicePool,
    keys: (&CredentialKeys, &SealingTurn),
    id: Uuid,
    (before, after): (&KeptTokens, &KeptTokens),
) -> Result<bool, SignInStoreError> {
    let (keys, turn) = keys;
    let sealed = seal(turn, id, after)?;
    tx(pool, "keep renewed tokens", |transaction| {
        let sealed = &sealed;
        Box::pin(async move {
            let found = transaction
                .query_opt(LOCK_CREDENTIAL, &[&OPERATOR, &id])
                .await?;
            let Some(row) = found else {
                return Ok(false);
            };
            let stored: &[u8] = column("sign_ins/lock_credential", &row)?;
            let opened = keys.open_sealed(id, stored);
            let opened = opened.map_err(SignInStoreError::Unseal)?;
            let stored = KeptTokens::of_sealed(&SourceSecret::new(opened.expose()));
            match stored.as_ref() {
                Ok(stored) if stored == after => Ok(true),
                Ok(stored) if stored == before => {
                    let values: [&(dyn ToSql + Sync); 3] = [&OPERATOR, &id, sealed];
                    let kept = transaction.execute(RESEAL, &values).await?;
                    expect_one("sign_ins/reseal", kept)?;
                    Ok(true)
                }
                _ => Ok(false),
            }
        })
    })
    .await
}

/// Seals tokens for their sign-in.
pub(super) fn seal(
    turn: &SealingTurn,
    id: Uuid,
    kept: &KeptTokens,
) -> Result<Vec<u8>, SignInStoreError> {
    let text = kept.to_sealed();
    let text = text.map_err(|_| SignInStoreError::Unseal(UnsealError::Damaged))?;
    turn.seal(id, &Secret::new(text.reveal()))
        .map_err(SignInStoreError::Seal)
}

fn damaged(_: SourceFailure) -> CredentialError {
    CredentialError::Sealed(UnsealError::Damaged)
}
