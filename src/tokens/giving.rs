//! The tokens of one sign-in, for whoever asks its source.

use async_trait::async_trait;
use sextant_actors::ports::{AccessToken, TokenRefusal};
use sextant_actors::sign_ins::SignInsHandle;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::secret::SourceSecret;
use uuid::Uuid;

use super::refusal::to_failure;
use crate::store::store_away::StoreAway;

/// Asks the actor of the sign-in, each time anew.
#[derive(Clone, Debug)]
pub(crate) struct TokensOf {
    handle: SignInsHandle,
    sign_in: Uuid,
    is_store_away: StoreAway,
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
            Err(refusal) => Err(to_failure(refusal).unwrap_or_else(|| self.is_store_away.note())),
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
