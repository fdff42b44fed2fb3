//! Accounts, and what a row of their balances says.

use chrono::NaiveDate;
use uuid::Uuid;

/// An account and a day.
pub(super) type Place = (Uuid, NaiveDate);

/// What a row says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Balance {
    pub(super) current: Option<String>,
    pub(super) available: Option<String>,
    pub(super) currency: Option<String>,
}

/// An account as far as its balances depend on it.
pub(super) struct Account {
    pub(super) connection: Uuid,
    pub(super) is_there: bool,
    pub(super) currency: Option<String>,
    /// The days that a balance of it may be of.
    pub(super) days: Vec<NaiveDate>,
}
