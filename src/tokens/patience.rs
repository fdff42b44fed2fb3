//! A commit that must not be given up: what was obtained may be had once only.

use std::time::Duration;

use sextant_actors::ports::TokenRefusal;
use sextant_connectors::oauth::KeptTokens;
use tokio::time::sleep;
use uuid::Uuid;

use crate::db::ServicePool;
use crate::sealing::CredentialKeys;
use crate::store::sign_ins::{SignInStoreError, replace_tokens};

/// How often it is tried: some ten minutes in all, less than the actor waits.
const ATTEMPTS_MAX: u32 = 125;
/// Before the second attempt; doubled for each further one, up to [`PAUSE_MAX`].
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Keeps `after` in the place of `before`, however long the database is away; false if another credential is kept by now.
///
/// # Errors
/// [`TokenRefusal::StoreAway`] when it was away for too long, or nothing can be sealed.
pub(super) async fn keep_patiently(
    (pool, keys): (&ServicePool, &CredentialKeys),
    id: Uuid,
    tokens: (&KeptTokens, &KeptTokens),
) -> Result<bool, TokenRefusal> {
    let mut pause = PAUSE_MIN;
    for _ in 0..ATTEMPTS_MAX {
        let kept = match keys.turn().await {
            Ok(turn) => replace_tokens(pool, (keys, &turn), id, tokens).await,
            Err(cause) => {
                log::error!("the tokens of sign-in {id} cannot be sealed: {cause}");
                return Err(TokenRefusal::StoreAway);
            }
        };
        match kept {
            Ok(is_kept) => return Ok(is_kept),
            Err(SignInStoreError::Store(cause)) => {
                log::warn!("the tokens of sign-in {id} are not kept yet: {cause}");
            }
            Err(cause) => {
                log::error!("the tokens of sign-in {id} cannot be kept: {cause}");
                return Err(TokenRefusal::StoreAway);
            }
        }
        sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
    Err(TokenRefusal::StoreAway)
}
