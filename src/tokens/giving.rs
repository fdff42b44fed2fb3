//! The tokens of one sign-in, for whoever asks its source.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sextant_actors::ports::{AccessToken, TokenRefusal};
use sextant_actors::sign_ins::SignInsHandle;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::secret::SourceSecret;
use uuid::Uuid;

use super::refusal::to_failure;

/// Asks the actor of the sign-in, each time anew.
#[derive(Clone, Debug)]
pub(crate) struct TokensOf {
    handle: SignInsHandle,
    sign_in: Uuid,
    is_store_away: StoreAway,
}

/// Whether the database was away when a token was wanted: then a failure says nothing of the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreAway(Arc<AtomicBool>);

impl StoreAway {
    /// Whether it was, since this was asked last.
    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

impl TokensOf {
    /// The tokens of this sign-in.
    pub(crate) fn new(handle: SignInsHandle, sign_in: Uuid, is_store_away: StoreAway) -> Self {
        Self {
            handle,
            sign_in,
            is_store_away,
        }
    }

    fn told(
        &self,
        answer: Result<AccessToken, TokenRefusal>,
    ) -> Result<SourceSecret, SourceFailure> {
        match answer {
            Ok(token) => Ok(SourceSecret::new(token.reveal())),
            Err(refusal) => Err(to_failure(refusal).unwrap_or_else(|| {
                self.is_store_away.0.store(true, Ordering::SeqCst);
                SourceFailure::new(FailureKind::Unavailable, "the database is away")
            })),
        }
    }
}

#[async_trait]
impl AccessTokens for TokensOf {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        self.told(self.handle.access_token(self.sign_in).await)
    }

    async fn replace(&self, refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        let refused = AccessToken::new(refused.reveal());
        self.told(self.handle.replace(self.sign_in, refused).await)
    }
}
