//! An account, and its balance on a day.

use chrono::NaiveDate;
use uuid::Uuid;

/// The key of a balance: the account's row id, and the day.
pub(super) type AccountDay = (Uuid, NaiveDate);

/// The values of a balance, amounts as decimal texts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Balance {
    pub(super) current: Option<String>,
    pub(super) available: Option<String>,
    pub(super) currency: Option<String>,
}

/// The properties of an account that its balances depend on.
pub(super) struct BalanceAccount {
    pub(super) connection: Uuid,
    /// Whether it is not deleted.
    pub(super) is_there: bool,
    pub(super) currency: Option<String>,
    /// The days on which it may have a balance; empty unless all of them are to be derived.
    pub(super) days: Vec<NaiveDate>,
}
