//! The port of the actors of sign-ins.

use std::sync::Arc;

use sextant_actors::clock::Clock;
use sextant_actors::ports::{AccessToken, IssuedToken, PortFuture, SignInTokens, TokenRefusal};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::oauth::{KeptTokens, RefreshUse, RenewalStep, TokenFailure};
use sextant_connectors::provider::ConsentedProvider;
use sextant_connectors::secret::SourceSecret;
use uuid::Uuid;

use super::patience::keep_patiently;
use super::refusal;
use crate::db::ServicePool;
use crate::providers::SourceProviders;
use crate::sealing::CredentialKeys;
use crate::store::provider_apps;
use crate::store::sign_ins;

/// How often another credential may turn up in the place of the one that is being renewed.
const REPLACEMENTS_MAX: u32 = 5;

/// Renews the tokens of sign-ins.
#[derive(Clone)]
pub(crate) struct TokenRenewal {
    pub pool: ServicePool,
    pub providers: SourceProviders,
    pub keys: CredentialKeys,
    pub clock: Arc<dyn Clock>,
}

/// One sign-in whose tokens are renewed.
struct Renewed<'a> {
    id: Uuid,
    provider: &'a dyn ConsentedProvider,
    kept: KeptTokens,
}

/// What came of an attempt.
enum Attempt {
    Issued(IssuedToken),
    /// Another credential is kept by now: what was obtained is of the one before.
    Replaced,
}

impl SignInTokens for TokenRenewal {
    fn obtain(
        &self,
        sign_in: Uuid,
        refused: Option<AccessToken>,
    ) -> PortFuture<Result<IssuedToken, TokenRefusal>> {
        let own = self.clone();
        let refused = refused.map(|token| SourceSecret::new(token.reveal()));
        Box::pin(async move { own.obtain_one(sign_in, refused.as_ref()).await })
    }
}

impl TokenRenewal {
    async fn obtain_one(
        &self,
        id: Uuid,
        refused: Option<&SourceSecret>,
    ) -> Result<IssuedToken, TokenRefusal> {
        for _ in 0..REPLACEMENTS_MAX {
            if let Attempt::Issued(issued) = self.attempt(id, refused).await? {
                return Ok(issued);
            }
        }
        Err(TokenRefusal::Lost)
    }

    async fn attempt(
        &self,
        id: Uuid,
        refused: Option<&SourceSecret>,
    ) -> Result<Attempt, TokenRefusal> {
        let stored = sign_ins::tokens(&self.pool, &self.keys, id).await;
        let stored = stored.map_err(|error| refusal::of_credential(&error))?;
        let provider = self.providers.consented(&stored.provider);
        let provider = provider.ok_or_else(refusal::of_unknown_provider)?;
        let renewed = Renewed {
            id,
            provider,
            kept: stored.kept,
        };
        let step = renewed
            .kept
            .next_step(refused, provider.terms().refresh, self.clock.now());
        match step {
            RenewalStep::Use(until) => {
                let token = AccessToken::new(renewed.kept.access_token.reveal());
                Ok(Attempt::Issued(IssuedToken {
                    token,
                    usable_until: until,
                }))
            }
            RenewalStep::Fail(failure) => Err(self.refusal(&failure, provider)),
            RenewalStep::Renew(refresh_token) => self.renew(renewed, &refresh_token).await,
        }
    }

    /// Asks for new tokens. That it is about to is kept before, where the refresh token serves once: cut off in between, nobody sends it
    /// again as if nothing had happened (providers rule 2).
    async fn renew(
        &self,
        mut renewed: Renewed<'_>,
        refresh_token: &SourceSecret,
    ) -> Result<Attempt, TokenRefusal> {
        let terms = renewed.provider.terms();
        let app = provider_apps::read(&self.pool, &self.keys, renewed.provider.id()).await;
        let app = app.map_err(|error| refusal::of_app(&error))?;
        let endpoint = renewed.provider.token_endpoint();
        let endpoint = endpoint.map_err(|failure| self.refusal(&failure, renewed.provider))?;
        let before = renewed.kept.clone();
        if terms.refresh == RefreshUse::Once {
            let about = before.about_to_renew(self.clock.now());
            if !self.keep(&mut renewed, about).await? {
                return Ok(Attempt::Replaced);
            }
        }
        let answer = endpoint
            .refresh(&app, refresh_token, terms.refresh_scope)
            .await;
        match answer {
            Ok(issued) => {
                let after = before.renewed(&issued, self.clock.now());
                self.use_renewed(renewed, after).await
            }
            Err(failure) => self.note_failure(renewed, &before, &failure).await,
        }
    }

    async fn use_renewed(
        &self,
        mut renewed: Renewed<'_>,
        after: KeptTokens,
    ) -> Result<Attempt, TokenRefusal> {
        if !self.keep(&mut renewed, after).await? {
            return Ok(Attempt::Replaced);
        }
        let kept = &renewed.kept;
        let terms = renewed.provider.terms();
        let until = match kept.next_step(None, terms.refresh, self.clock.now()) {
            RenewalStep::Use(until) => until,
            // A life so short that it is over by the margin: it serves the one who waits for it.
            RenewalStep::Renew(_) | RenewalStep::Fail(_) => self.clock.now(),
        };
        Ok(Attempt::Issued(IssuedToken {
            token: AccessToken::new(kept.access_token.reveal()),
            usable_until: until,
        }))
    }

    async fn note_failure(
        &self,
        mut renewed: Renewed<'_>,
        before: &KeptTokens,
        failure: &TokenFailure,
    ) -> Result<Attempt, TokenRefusal> {
        let after = KeptTokens::after_failure(before, failure, self.clock.now());
        if !self.keep(&mut renewed, after).await? {
            return Ok(Attempt::Replaced);
        }
        let terms = renewed.provider.terms();
        // What is kept now decides when the next attempt may be: the same decision as the next one who asks would meet.
        let next = renewed
            .kept
            .next_step(None, terms.refresh, self.clock.now());
        match next {
            RenewalStep::Fail(rest) => Err(self.refusal(&rest, renewed.provider)),
            RenewalStep::Use(_) | RenewalStep::Renew(_) => {
                Err(self.refusal(failure.failure(), renewed.provider))
            }
        }
    }

    fn refusal(&self, failure: &SourceFailure, provider: &dyn ConsentedProvider) -> TokenRefusal {
        refusal::of_failure(failure, provider.terms().ended_hint, self.clock.now())
    }

    /// Keeps `after`; false if another credential is kept by now.
    async fn keep(
        &self,
        renewed: &mut Renewed<'_>,
        after: KeptTokens,
    ) -> Result<bool, TokenRefusal> {
        if renewed.kept == after {
            return Ok(true);
        }
        let kept = keep_patiently(
            (&self.pool, &self.keys),
            renewed.id,
            (&renewed.kept, &after),
        );
        let kept = kept.await?;
        renewed.kept = after;
        Ok(kept)
    }
}
