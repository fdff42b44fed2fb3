//! `finance.balances`: an account's balance over time, one row a day.
//!
//! # Its values
//!
//! - The balance that the bank stated for the account on that day (`balance_current`, `balance_available`, at
//!   `balance_as_of`): the latest of the local day. An account's own row has only the last one; the earlier ones are kept as
//!   evidence, and one with the same time is a correction. A balance without `balance_as_of` belongs to no day.
//! - Else the balance after the last booking of the day, where it is certain which booking that was ([`closing`](closing::closing)). It sets
//!   `current` only.
//! - A day without either has no row: the balance is that of the last row before.
//! - The currency is that of the statement or of the bookings, else the account's. Bookings in different currencies make no
//!   row.
//!
//! A row belongs to the account's connection, and is deleted with the account.

mod account;
mod closing;
mod load;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::Transaction;
use futures_util::{TryStreamExt as _, pin_mut};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::catalog::row_id;
use crate::db::{StoreError, columns};
use crate::local_days::LocalDays;

use account::{AccountDay, Balance, BalanceAccount};

/// Balances that are derived together, which bounds the memory used.
const BALANCES_AT_ONCE_MAX: usize = 1_000;
/// The qualified table, from which the ids of its rows are made.
const TARGET: &str = "finance.balances";

/// The marked balances.
#[derive(Default)]
struct Stale {
    days: BTreeSet<AccountDay>,
    /// Accounts for which every day is to be derived.
    accounts: BTreeSet<Uuid>,
}

/// Derives the marked balances anew.
pub(super) async fn derive(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<(), StoreError> {
    let mut stale = take_marks(transaction, user, local).await?;
    let affected = stale.days.iter().map(|(account, _)| *account);
    let affected: BTreeSet<Uuid> = affected.chain(stale.accounts.iter().copied()).collect();
    let accounts = load::accounts(transaction, user, &affected, &stale.accounts, local).await?;
    for account in &stale.accounts {
        let days = accounts
            .get(account)
            .into_iter()
            .flat_map(|account| &account.days);
        stale.days.extend(days.map(|day| (*account, *day)));
    }
    let days: Vec<AccountDay> = stale.days.into_iter().collect();
    for days in days.chunks(BALANCES_AT_ONCE_MAX) {
        let balances = load::balances(transaction, user, days, local).await?;
        store(transaction, user, days, &accounts, balances).await?;
    }
    Ok(())
}

/// Takes the marks of the transaction: they are deleted as they are read.
async fn take_marks(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<Stale, StoreError> {
    let statement = include_str!("../../sql/statements/derived/stale_balances.sql");
    let marks = transaction.query_raw(statement, [&user]).await?;
    pin_mut!(marks);
    let mut stale = Stale::default();
    while let Some(mark) = marks.try_next().await? {
        let (account, day, moment): (Uuid, Option<NaiveDate>, Option<DateTime<Utc>>) =
            columns("derived/stale_balances", &mark)?;
        match day.or_else(|| moment.map(|moment| local.day_of(moment))) {
            Some(day) => {
                stale.days.insert((account, day));
            }
            None => {
                stale.accounts.insert(account);
            }
        }
    }
    Ok(stale)
}

/// Writes the balances, and makes the rows of days without one tombstones. An account that is not loaded was erased, together
/// with its balances.
async fn store(
    transaction: &Transaction<'_>,
    user: Uuid,
    days: &[AccountDay],
    accounts: &BTreeMap<Uuid, BalanceAccount>,
    mut balances: BTreeMap<AccountDay, Balance>,
) -> Result<(), StoreError> {
    let (mut rows, mut deleted) = (Vec::new(), Vec::new());
    for key in days {
        let Some(account) = accounts.get(&key.0) else {
            continue;
        };
        let (source_id, id) = ids_of(account.connection, *key);
        match balances.remove(key).filter(|_| account.is_there) {
            Some(balance) => rows.push(json!({
                "id": id, "connection_id": account.connection, "source_id": source_id,
                "account_id": key.0, "day": key.1,
                "current": balance.current, "available": balance.available,
                "currency": balance.currency.or_else(|| account.currency.clone()),
            })),
            None => deleted.push(id),
        }
    }
    if !rows.is_empty() {
        let statement = include_str!("../../sql/statements/derived/put_balances.sql");
        let statement = transaction.prepare_cached(statement).await?;
        transaction
            .execute(&statement, &[&user, &Value::Array(rows)])
            .await?;
    }
    if !deleted.is_empty() {
        let statement = include_str!("../../sql/statements/derived/forget_balances.sql");
        let statement = transaction.prepare_cached(statement).await?;
        transaction.execute(&statement, &[&user, &deleted]).await?;
    }
    Ok(())
}

/// The source id and the row id of a balance.
fn ids_of(connection: Uuid, (account, day): AccountDay) -> (String, Uuid) {
    let source_id = format!("{account}/{day}");
    let id = row_id(connection, TARGET, &source_id);
    (source_id, id)
}
