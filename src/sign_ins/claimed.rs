//! A credential that is given once only: kept before anything is tried with it. When the source does not answer then, it stays without
//! connections, and is completed later.

use std::sync::Arc;

use sextant_connectors::provider::{LinkedProvider, PastedProvider, Provider, SourceOptions};
use sextant_connectors::request_ledger::SharedLedger;
use uuid::Uuid;

use super::{SignInError, SignIns, SignedIn, TriedSignIn, sectors_of, trial};
use crate::store::sign_ins::{self, NewSignIn, SignIn};
use crate::store::source_requests::StoredRequests;
use crate::store::store_away::StoreAway;

impl SignIns {
    /// Keeps what was claimed; answers the id of its sign-in.
    pub(super) async fn keep_claimed(&self, new: &NewSignIn) -> Result<Uuid, SignInError> {
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        Ok(sign_ins::keep_claimed(&self.pool, &turn, new, self.clock.now()).await?)
    }

    /// What a sign-in is tried with: its requests are counted once it is stored.
    pub(super) fn options(&self, sign_in: Option<Uuid>) -> SourceOptions {
        let Some(sign_in) = sign_in else {
            return SourceOptions::default();
        };
        let (pool, clock) = (self.pool.clone(), Arc::clone(&self.clock));
        let counted = StoredRequests::new(pool, clock, sign_in, StoreAway::default());
        SourceOptions {
            ledger: SharedLedger(Arc::new(counted)),
            ..SourceOptions::default()
        }
    }

    /// Tries a kept credential again, and makes the connections of what answers.
    pub(super) async fn complete_claimed(
        &self,
        provider: &dyn PastedProvider,
        known: SignIn,
    ) -> Result<SignedIn, SignInError> {
        let new = self.kept(provider, known).await?;
        let options = self.options(Some(new.id));
        let sectors = sectors_of(provider);
        let with = (&new.secret, &options);
        let tried = trial::of_sectors(provider, with, &sectors).await;
        let told = trial::told_apart(provider, tried);
        let (answered, missing) = told.map_err(SignInError::of_kept)?;
        let tried = TriedSignIn {
            new,
            answered,
            missing,
            provider_interval: provider.interval(),
            label: provider.title().to_owned(),
        };
        self.establish(tried).await
    }

    /// The same of a bank that was linked.
    pub(super) async fn complete_linked(
        &self,
        provider: &dyn LinkedProvider,
        known: SignIn,
    ) -> Result<SignIn, SignInError> {
        let new = self.kept(provider, known).await?;
        self.connect_linked(provider, new).await
    }

    /// A kept credential, opened.
    async fn kept(&self, provider: &dyn Provider, known: SignIn) -> Result<NewSignIn, SignInError> {
        let credential = sign_ins::credential(&self.pool, &self.keys, known.id).await;
        let credential = credential.map_err(SignInError::of_credential)?;
        Ok(NewSignIn {
            id: known.id,
            provider: provider.id(),
            identity: known.identity,
            account: known.account,
            secret: credential.secret,
            ends_at: credential.ends_at,
        })
    }
}
