//! The end of a consent at its provider, where the provider has a place for it (providers rule 36). Here it is ended first, so that no
//! trouble of the provider stands in the way of that.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::secret::SourceSecret;
use tokio::time::timeout;
use uuid::Uuid;

use super::SignIns;
use crate::store::sign_ins;

/// How long a provider is waited for, once for a token and once for the end itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a consent is ended with, read before it is deleted here.
pub(crate) struct ConsentEnd {
    provider: String,
    with: EndedWith,
}

enum EndedWith {
    Tokens {
        refresh: SourceSecret,
        access: SourceSecret,
    },
    /// What is sealed of a bank's link.
    Link(SourceSecret),
}

/// What became of it.
pub(crate) struct ConsentEnding {
    /// Whether the provider has ended it.
    pub is_ended: bool,
    /// A sentence: that it is, or where the person ends it.
    pub message: String,
}

/// The one token that there is.
struct LastToken(SourceSecret);

#[async_trait]
impl AccessTokens for LastToken {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        Ok(self.0.clone())
    }

    async fn replace(&self, _refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        let message = "the access token is not taken any more";
        Err(SourceFailure::new(FailureKind::SignInEnded, message))
    }
}

impl SignIns {
    /// What a sign-in is ended with at its provider; `None` where a person has not consented there, or there is nothing to end it with.
    pub(crate) async fn prepare_end(&self, id: Uuid) -> Option<ConsentEnd> {
        let known = sign_ins::read(&self.pool, id).await.ok()??;
        if self.providers.linked(&known.provider).is_some() {
            let link = sign_ins::credential(&self.pool, &self.keys, id)
                .await
                .ok()?;
            return Some(ConsentEnd {
                provider: known.provider,
                with: EndedWith::Link(link.secret),
            });
        }
        let stored = sign_ins::tokens(&self.pool, &self.keys, id).await.ok()?;
        self.providers.consented(&stored.provider)?;
        let fresh = timeout(PATIENCE, self.tokens.access_token(id)).await;
        // A renewal replaces what is kept.
        let stored = match sign_ins::tokens(&self.pool, &self.keys, id).await {
            Ok(renewed) => renewed,
            Err(_) => stored,
        };
        let access_token = match fresh {
            Ok(Ok(token)) => SourceSecret::new(token.reveal()),
            Ok(Err(_)) | Err(_) => stored.kept.access_token.clone(),
        };
        let refresh_token = stored.kept.refresh_token;
        Some(ConsentEnd {
            provider: stored.provider,
            with: EndedWith::Tokens {
                refresh: refresh_token.unwrap_or(stored.kept.access_token),
                access: access_token,
            },
        })
    }

    /// Ends it at the provider. What is deleted here stays deleted, whatever comes of it.
    pub(crate) async fn end_consent(&self, end: ConsentEnd) -> Option<ConsentEnding> {
        let provider = self.providers.get(&end.provider)?;
        let (title, by_person) = (provider.title(), provider.revocation());
        let ended = timeout(PATIENCE, self.revoke(&end)).await;
        let (is_ended, message) = match ended {
            Ok(Ok(true)) => (true, format!("The consent was ended at {title}, too.")),
            Ok(Ok(false)) => (false, by_person.to_owned()),
            Ok(Err(failure)) => (
                false,
                format!(
                    "{title} did not end the consent: {}. {by_person}",
                    failure.message
                ),
            ),
            Err(_) => (
                false,
                format!("{title} did not answer when the consent was to be ended. {by_person}"),
            ),
        };
        Some(ConsentEnding { is_ended, message })
    }

    /// Asks the provider to end it; false where only the person can.
    async fn revoke(&self, end: &ConsentEnd) -> Result<bool, SourceFailure> {
        match &end.with {
            EndedWith::Tokens { refresh, access } => {
                let Some(provider) = self.providers.consented(&end.provider) else {
                    return Ok(false);
                };
                let tokens = Arc::new(LastToken(access.clone()));
                provider.revoke(refresh, tokens).await
            }
            EndedWith::Link(link) => {
                let Some(provider) = self.providers.linked(&end.provider) else {
                    return Ok(false);
                };
                // Without an application nobody can ask for it.
                let Ok(application) = self.application(provider).await else {
                    return Ok(false);
                };
                provider
                    .revoke(&application, link, self.clock.now())
                    .await?;
                Ok(true)
            }
        }
    }
}
