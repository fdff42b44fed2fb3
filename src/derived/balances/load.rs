//! Loads accounts and their balances.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::Transaction;
use tokio_postgres::Row;
use uuid::Uuid;

use super::account::{AccountDay, Balance, BalanceAccount};
use super::closing::{Booking, Closing, closing};
use crate::db::{StoreError, columns};
use crate::local_days::LocalDays;

/// The `touched` accounts, those that their source deleted included; those of `whole` with all days that a balance may be of.
pub(super) async fn accounts(
    transaction: &Transaction<'_>,
    user: Uuid,
    touched: &BTreeSet<Uuid>,
    whole: &BTreeSet<Uuid>,
    local: LocalDays,
) -> Result<BTreeMap<Uuid, BalanceAccount>, StoreError> {
    let ids: Vec<&Uuid> = touched.iter().collect();
    let whole: Vec<&Uuid> = whole.iter().collect();
    let statement = include_str!("../../../sql/statements/derived/accounts.sql");
    let statement = transaction.prepare_cached(statement).await?;
    let rows = transaction
        .query(&statement, &[&user, &ids, &whole])
        .await?;
    rows.iter().map(|row| account(row, local)).collect()
}

fn account(row: &Row, local: LocalDays) -> Result<(Uuid, BalanceAccount), StoreError> {
    let (id, connection, is_there, currency, moments, mut days): (
        _,
        _,
        _,
        _,
        Vec<DateTime<Utc>>,
        Vec<NaiveDate>,
    ) = columns("derived/accounts", row)?;
    days.extend(moments.into_iter().map(|moment| local.day_of(moment)));
    let account = BalanceAccount {
        connection,
        is_there,
        currency,
        days,
    };
    Ok((id, account))
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
        let (account, day, current, available, currency) =
            columns("derived/balance_statements", &row)?;
        let stated = Balance {
            current,
            available,
            currency,
        };
        known.insert((account, day), stated);
    }
    Ok(known)
}

fn closings(rows: &[Row]) -> Result<BTreeMap<AccountDay, Balance>, StoreError> {
    let mut booked: BTreeMap<AccountDay, Vec<Booking>> = BTreeMap::new();
    for row in rows {
        let (account, day, amount, after, currency, at) = columns("derived/balance_bookings", row)?;
        let booking = Booking {
            amount,
            after,
            currency,
            at,
        };
        booked.entry((account, day)).or_default().push(booking);
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
