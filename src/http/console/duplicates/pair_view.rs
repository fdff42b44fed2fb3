//! Two accounts side by side.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::store::duplicates::{AskedAccount, AskedPair};

/// Two accounts that are, or may be, one.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PairView {
    id: Uuid,
    /// `open`: the operator is asked; `same`: one account is served; `separate`: both are.
    state: String,
    /// `automatic` or `operator`; null while it is open.
    answered_by: Option<String>,
    answered_at: Option<DateTime<Utc>>,
    /// What the two have in common: `domain_and_last_four`, `domain`, `iban`, `last_four` or `institution`.
    reason: String,
    a: PairedAccount,
    b: PairedAccount,
}

/// One of the two.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PairedAccount {
    id: Uuid,
    connection_id: Uuid,
    /// The label of its connection.
    connection: String,
    provider: String,
    name: Option<String>,
    institution: Option<String>,
    /// The institution's domain.
    domain: Option<String>,
    /// Its last four digits, if it reports them.
    last4: Option<String>,
    currency: Option<String>,
    /// A decimal.
    balance: Option<String>,
    balance_as_of: Option<DateTime<Utc>>,
    /// How many its source has, served or not.
    transactions: u64,
}

impl PairView {
    pub(super) fn of(pair: AskedPair) -> Self {
        let [a, b] = pair.accounts.map(PairedAccount::of);
        Self {
            id: pair.id,
            state: pair.state,
            answered_by: pair.answered_by,
            answered_at: pair.answered_at,
            reason: pair.reason,
            a,
            b,
        }
    }
}

impl PairedAccount {
    fn of(account: AskedAccount) -> Self {
        Self {
            id: account.id,
            connection_id: account.connection,
            connection: account.label,
            provider: account.provider,
            name: account.name,
            institution: account.institution,
            domain: account.domain,
            last4: account.last_four,
            currency: account.currency,
            balance: account.balance,
            balance_as_of: account.balance_as_of,
            transactions: account.transactions,
        }
    }
}
