//! One row of the table `sign_ins`, without its secret.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::Sector;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{Cells, StoreError};

/// A sign-in as the Console reads it.
#[derive(Clone, Debug)]
pub struct SignIn {
    pub id: Uuid,
    pub provider: String,
    /// What decides whether another is of the same account.
    pub identity: String,
    /// Whose it is, for people.
    pub account: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub problem: Option<Value>,
    /// Whether there is a sealed secret.
    pub has_secret: bool,
    /// What was granted, where a person consented.
    pub scopes: Vec<String>,
    /// Tokens are there, and whose they are is not known yet.
    pub is_unfinished: bool,
    /// The sign-in that an unfinished one is to renew.
    pub renews: Option<Uuid>,
    /// Those that are not removed.
    pub connections: Vec<SignInConnection>,
}

/// One of its connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInConnection {
    pub id: Uuid,
    pub label: String,
    pub sector: Sector,
}

impl SignIn {
    pub(super) fn of(row: &Row) -> Result<Self, StoreError> {
        let mut cells = Cells::of("sign_ins/read", row);
        let sign_in = Self {
            id: cells.named("id")?,
            provider: cells.named("provider")?,
            identity: cells.named("identity")?,
            account: cells.named("account")?,
            created_at: cells.named("created_at")?,
            expires_at: cells.named("expires_at")?,
            revoked_at: cells.named("revoked_at")?,
            problem: cells.named("problem")?,
            has_secret: cells.named("has_secret")?,
            scopes: cells.named("scopes")?,
            is_unfinished: cells.named("is_unfinished")?,
            renews: cells.named("renews")?,
            connections: Vec::new(),
        };
        cells.end()?;
        Ok(sign_in)
    }
}

impl SignInConnection {
    pub(super) fn of(row: &Row) -> Result<Self, StoreError> {
        let mut cells = Cells::of("sign_ins/connections", row);
        let connection = Self {
            id: cells.named("id")?,
            label: cells.named("label")?,
            sector: sector(cells.named("sector")?)?,
        };
        cells.end()?;
        Ok(connection)
    }
}

fn sector(word: &str) -> Result<Sector, StoreError> {
    word.parse().map_err(|_| StoreError::Fault {
        cause: "a row names no sector".to_owned(),
    })
}
