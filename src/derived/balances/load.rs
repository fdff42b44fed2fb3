//! Loads accounts and their balances.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::Transaction;
use tokio_postgres::Row;
use uuid::Uuid;

use super::account::{AccountDay, Balance, BalanceAccount};
use super::closing::{Booking, Closing, closing};
use crate::db::StoreError;
use crate::local_days::LocalDays;

/// The `touched` accounts, those that their source deleted included.
pub(super) async fn accounts(
    transaction: &Transaction<'_>,
    user: Uuid,
    touched: &BTreeSet<Uuid>,
    local: LocalDays,
) -> Result<BTreeMap<Uuid, BalanceAccount>, StoreError> {
    let ids: Vec<&Uuid> = touched.iter().collect();
    let statement = include_str!("../../../sql/statements/derived/accounts.sql");
    let statement = transaction.prepare_cached(statement).await?;
    let rows = transaction.query(&statement, &[&user, &ids]).await?;
    rows.iter()
        .map(|row| Ok((row.try_get("id")?, account(row, local)?)))
        .collect()
}

fn account(row: &Row, local: LocalDays) -> Result<BalanceAccount, StoreError> {
    let moments: Vec<DateTime<Utc>> = row.try_get("moments")?;
    let mut days: Vec<NaiveDate> = row.try_get("days")?;
    days.extend(moments.into_iter().map(|moment| local.day_of(moment)));
    Ok(BalanceAccount {
        connection: row.try_get("connection_id")?,
        is_there: row.try_get("is_there")?,
        currency: row.try_get("currency")?,
        days,
    })
}

/// The balances on these days: the stated one, else that after the bookings.
pub(super) async fn balances(
    transaction: &Transaction<'_>,
    user: Uuid,
    keys: &[AccountDay],
    local: LocalDays,
) -> Result<BTreeMap<AccountDay, Balance>, StoreError> {
    let (accounts, days): (Vec<Uuid>, Vec<NaiveDate>) = keys.iter().copied().unzip();
    let begins: Vec<DateTime<Utc>> = days.iter().map(|day| local.begin(*day)).collect();
    let ends: Vec<DateTime<Utc>> = days.iter().map(|day| local.end(*day)).collect();
    let statement = include_str!("../../../sql/statements/derived/balance_bookings.sql");
    let statement = transaction.prepare_cached(statement).await?;
    let booked = transaction
        .query(&statement, &[&user, &accounts, &days])
        .await?;
    let mut known = closings(&booked)?;
    let statement = include_str!("../../../sql/statements/derived/balance_statements.sql");
    let statement = transaction.prepare_cached(statement).await?;
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
        [&user, &accounts, &days, &begins, &ends];
    for row in transaction.query(&statement, &values).await? {
        known.insert(key_of(&row)?, stated(&row)?);
    }
    Ok(known)
}

fn key_of(row: &Row) -> Result<AccountDay, StoreError> {
    Ok((row.try_get("account_id")?, row.try_get("day")?))
}

fn stated(row: &Row) -> Result<Balance, StoreError> {
    Ok(Balance {
        current: row.try_get("current")?,
        available: row.try_get("available")?,
        currency: row.try_get("currency")?,
    })
}

fn closings(rows: &[Row]) -> Result<BTreeMap<AccountDay, Balance>, StoreError> {
    let mut booked: BTreeMap<AccountDay, Vec<Booking>> = BTreeMap::new();
    for row in rows {
        let booking = Booking {
            amount: row.try_get("amount")?,
            after: row.try_get("balance_after")?,
            currency: row.try_get("currency")?,
            at: row.try_get("transacted_at")?,
        };
        booked.entry(key_of(row)?).or_default().push(booking);
    }
    let known = booked.into_iter().filter_map(|(place, bookings)| {
        let Closing { after, currency } = closing(&bookings)?;
        let balance = Balance {
            current: Some(after.to_string()),
            available: None,
            currency,
        };
        Some((place, balance))
    });
    Ok(known.collect())
}
