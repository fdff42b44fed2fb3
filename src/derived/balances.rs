//! `finance.balances`: an account's balance over time, one row a day.
//!
//! # What a row says
//!
//! - What the bank stated of the account on that day (`balance_current`, `balance_available`, true as of `balance_as_of`):
//!   the latest statement of the local day. An account's row keeps the last one only; the earlier ones are kept as
//!   evidence, and one of the same moment is a correction. A balance without `balance_as_of` is of no day.
//! - Else the balance after the last booking of the day, where it is certain which that was ([`closing`]). It fills `current`
//!   alone.
//! - Days on which neither is known have no row: a balance stays as it was until it is told otherwise.
//! - The currency is that of the statement or the bookings, else the account's. Bookings in unlike currencies make no row.
//!
//! A row belongs to the account's connection, and goes with the account.

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
use crate::db::StoreError;
use crate::local_days::LocalDays;

use account::{Account, Balance, Place};

pub use closing::{Booking, Closing, closing};

/// Balances that are made together: bounds what is held at a time.
const BALANCES_AT_ONCE_MAX: usize = 200;
/// The qualified table, as it stands in the ids of its rows.
const TARGET: &str = "finance.balances";

#[derive(Default)]
struct Stale {
    places: BTreeSet<Place>,
    /// Accounts of which every day is to be made anew.
    whole: BTreeSet<Uuid>,
}

/// Makes the marked balances anew.
pub(super) async fn make(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<(), StoreError> {
    let mut stale = stale(transaction, user, local).await?;
    let touched = stale.places.iter().map(|(account, _)| *account);
    let touched: BTreeSet<Uuid> = touched.chain(stale.whole.iter().copied()).collect();
    let accounts = load::accounts(transaction, user, &touched, local).await?;
    for account in &stale.whole {
        let days = accounts
            .get(account)
            .into_iter()
            .flat_map(|found| &found.days);
        stale.places.extend(days.map(|day| (*account, *day)));
    }
    let places: Vec<Place> = stale.places.into_iter().collect();
    for places in places.chunks(BALANCES_AT_ONCE_MAX) {
        let known = load::balances(transaction, user, places, local).await?;
        put(transaction, user, places, &accounts, known).await?;
    }
    Ok(())
}

async fn stale(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<Stale, StoreError> {
    let statement = include_str!("../../sql/statements/derived/stale_balances.sql");
    let marks = transaction.query_raw(statement, [&user]).await?;
    pin_mut!(marks);
    let mut stale = Stale::default();
    while let Some(mark) = marks.try_next().await? {
        let account: Uuid = mark.try_get("account_id")?;
        let day: Option<NaiveDate> = mark.try_get("day")?;
        let moment: Option<DateTime<Utc>> = mark.try_get("moment")?;
        match day.or_else(|| moment.map(|moment| local.day_of(moment))) {
            Some(day) => {
                stale.places.insert((account, day));
            }
            None => {
                stale.whole.insert(account);
            }
        }
    }
    Ok(stale)
}

/// Writes what is known, and makes tombstones of the places of which nothing is. An account that was erased took its rows
/// with it.
async fn put(
    transaction: &Transaction<'_>,
    user: Uuid,
    places: &[Place],
    accounts: &BTreeMap<Uuid, Account>,
    mut known: BTreeMap<Place, Balance>,
) -> Result<(), StoreError> {
    let (mut made, mut gone) = (Vec::new(), Vec::new());
    for place in places {
        let Some(account) = accounts.get(&place.0) else {
            continue;
        };
        let (source_id, id) = name_of(account.connection, *place);
        match known.remove(place).filter(|_| account.is_there) {
            Some(balance) => made.push(json!({
                "id": id, "connection_id": account.connection, "source_id": source_id,
                "account_id": place.0, "day": place.1,
                "current": balance.current, "available": balance.available,
                "currency": balance.currency.or_else(|| account.currency.clone()),
            })),
            None => gone.push(id),
        }
    }
    let statement = include_str!("../../sql/statements/derived/put_balances.sql");
    let statement = transaction.prepare_cached(statement).await?;
    transaction
        .execute(&statement, &[&user, &Value::Array(made)])
        .await?;
    let statement = include_str!("../../sql/statements/derived/forget_balances.sql");
    let statement = transaction.prepare_cached(statement).await?;
    transaction.execute(&statement, &[&user, &gone]).await?;
    Ok(())
}

fn name_of(connection: Uuid, (account, day): Place) -> (String, Uuid) {
    let source_id = format!("{account}/{day}");
    let id = row_id(connection, TARGET, &source_id);
    (source_id, id)
}
