//! The source of a connection, opened with the credential of its sign-in.

use std::sync::Arc;

use serde_json::Value;
use sextant_actors::domain::{OPERATOR, Sector};
use sextant_actors::ports::RoundReport;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::home_assistant::ActionDomains;
use sextant_connectors::oauth::Scopes;
use sextant_connectors::provider::{
    ConsentedProvider, LinkedProvider, PastedProvider, Source, SourceOptions,
};
use sextant_connectors::request_ledger::SharedLedger;
use sextant_connectors::secret::SourceSecret;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::services::SyncParts;
use super::verdict::{self, KeptProblem};
use crate::db::{Cells, ServicePool, StoreError};
use crate::store::provider_apps::{self, AppError};
use crate::store::sign_ins::{self, CredentialError};
use crate::store::source_requests::StoredRequests;
use crate::store::store_away::StoreAway;
use crate::tokens::TokensOf;

const SOURCE: &str = include_str!("../../sql/statements/connections/source.sql");

/// A connection that is read from its source.
#[derive(Clone, Debug)]
pub(super) struct ReadableSource {
    pub user: Uuid,
    pub sector: Sector,
    pub provider: String,
    sign_in: Option<Uuid>,
    pub window_days: Option<i32>,
    config: Value,
    pub problem: Option<KeptProblem>,
    pub is_paused: bool,
    /// It tells its changes by itself.
    pub is_stream: bool,
    /// Whether the database was away when an access token was wanted, or a request to be counted.
    pub is_store_away: StoreAway,
}

/// Why a source cannot be asked.
pub(super) enum Unopened {
    /// There is no credential: how the round ends.
    NoCredential(RoundReport),
    /// The provider refuses what it was given.
    Failed(SourceFailure),
    /// The database.
    Store(StoreError),
}

impl ReadableSource {
    /// Reads a connection; `None` when it is removed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn load(
        pool: &ServicePool,
        connection: Uuid,
    ) -> Result<Option<Self>, StoreError> {
        let client = pool.get().await?;
        let statement = client.prepare_cached(SOURCE).await?;
        let found = client
            .query_opt(&statement, &[&OPERATOR, &connection])
            .await?;
        let Some(row) = found else {
            return Ok(None);
        };
        let mut cells = Cells::of("connections/source", &row);
        let loaded = Self {
            user: cells.named("user_id")?,
            sector: crate::store::connections::sector(cells.named("sector")?)?,
            provider: cells.named("provider")?,
            sign_in: cells.named("sign_in_id")?,
            window_days: cells.named("window_days")?,
            config: cells.named("config")?,
            // A problem of another shape is one that an older version kept: none to count on from.
            problem: cells
                .named::<Option<Json<Value>>>("problem")?
                .and_then(|Json(kept)| serde_json::from_value(kept).ok()),
            is_paused: cells.named("is_paused")?,
            is_stream: false,
            is_store_away: StoreAway::default(),
        };
        cells.end()?;
        Ok(Some(loaded))
    }

    /// The way to it, with the credential of its sign-in.
    ///
    /// # Errors
    /// Why it cannot be asked.
    pub(super) async fn open(&mut self, parts: &SyncParts) -> Result<Source, Unopened> {
        if let Some(provider) = parts.providers.pasted(&self.provider) {
            self.is_stream = provider.is_stream();
            return self.open_pasted(parts, provider).await;
        }
        if let Some(provider) = parts.providers.linked(&self.provider) {
            return self.open_linked(parts, provider).await;
        }
        match parts.providers.consented(&self.provider) {
            Some(provider) => self.open_consented(parts, provider).await,
            None => Err(without_credential("this version knows no such source")),
        }
    }

    async fn open_pasted(
        &self,
        parts: &SyncParts,
        provider: &dyn PastedProvider,
    ) -> Result<Source, Unopened> {
        let (sign_in, secret) = self.credential(parts).await?;
        let options = self.options(parts, sign_in);
        let source = provider.source(self.sector.name(), &secret, &options);
        source.map_err(Unopened::Failed)
    }

    /// By the link of a bank, and the operator's application.
    async fn open_linked(
        &self,
        parts: &SyncParts,
        provider: &dyn LinkedProvider,
    ) -> Result<Source, Unopened> {
        let (sign_in, secret) = self.credential(parts).await?;
        let application =
            provider_apps::read_application(&parts.pool, &parts.keys, &self.provider).await;
        let application = application.map_err(|error| match error {
            AppError::Store(cause) => Unopened::Store(cause),
            other => Unopened::NoCredential(verdict::without_application(&other.to_string())),
        })?;
        let options = self.options(parts, sign_in);
        let with = (&application, &secret);
        let source = provider.source(self.sector.name(), with, &options, parts.clock.now());
        source.map_err(Unopened::Failed)
    }

    /// The sign-in, and its secret.
    async fn credential(&self, parts: &SyncParts) -> Result<(Uuid, SourceSecret), Unopened> {
        let Some(sign_in) = self.sign_in else {
            return Err(without_credential("there is no credential"));
        };
        match sign_ins::credential(&parts.pool, &parts.keys, sign_in).await {
            Ok(credential) => Ok((sign_in, credential.secret)),
            Err(CredentialError::Store(cause)) => Err(Unopened::Store(cause)),
            Err(CredentialError::Revoked) => Err(Unopened::NoCredential(verdict::revoked())),
            Err(CredentialError::Absent) => Err(without_credential("there is no credential")),
            Err(CredentialError::Sealed(cause)) => Err(without_credential(&cause.to_string())),
        }
    }

    /// Its tokens are asked for with each request, of the actor of the sign-in.
    async fn open_consented(
        &self,
        parts: &SyncParts,
        provider: &dyn ConsentedProvider,
    ) -> Result<Source, Unopened> {
        let known = match self.sign_in {
            Some(id) => sign_ins::read(&parts.pool, id).await,
            None => Ok(None),
        };
        let known = known.map_err(Unopened::Store)?;
        let known = known.ok_or_else(|| without_credential("there is no sign-in"))?;
        let granted: Scopes = known.scopes.iter().map(String::as_str).collect();
        let tokens = TokensOf::new(parts.sign_ins.clone(), known.id, self.is_store_away.clone());
        provider
            .source(self.sector.name(), &granted, Arc::new(tokens))
            .map_err(Unopened::Failed)
    }

    /// What the person has set for it, and where its requests are counted.
    fn options(&self, parts: &SyncParts, sign_in: Uuid) -> SourceOptions {
        let left_out = self
            .config
            .get("left_out_domains")
            .and_then(Value::as_array);
        let domains = left_out.map(|domains| {
            let named = domains.iter().filter_map(Value::as_str);
            ActionDomains::without(named.map(str::to_owned))
        });
        let (pool, clock) = (parts.pool.clone(), Arc::clone(&parts.clock));
        let counted = StoredRequests::new(pool, clock, sign_in, self.is_store_away.clone());
        SourceOptions {
            action_domains: domains,
            ledger: SharedLedger(Arc::new(counted)),
        }
    }
}

fn without_credential(why: &str) -> Unopened {
    Unopened::NoCredential(verdict::without_credential(why))
}
