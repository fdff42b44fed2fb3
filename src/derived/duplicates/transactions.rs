//! The transactions of a group: read in buckets of one amount and currency, matched, and written where what is served changes.

use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::Transaction;
use rust_decimal::Decimal;
use tokio_postgres::Row;
use uuid::Uuid;

use super::account::plain;
use super::decisions::{Decisions, Serving};
use super::matching::{Booking, hidden};
use crate::db::{Cells, StoreError};
use crate::local_days::LocalDays;

/// Rows that are read at a time.
const ROWS_READ_MAX: i32 = 2_000;
const TRANSACTIONS: &str = include_str!("../../../sql/statements/duplicates/transactions.sql");

/// Bookings of one amount and currency, each with what stands in its place now.
#[derive(Default)]
struct BookingBucket {
    key: Option<(Decimal, Option<String>)>,
    bookings: Vec<(Booking, Serving)>,
}

/// Matches the transactions of the accounts of `group`, of which the first is served, and writes by `statement`.
///
/// # Errors
/// When the database fails.
pub(super) async fn settle(
    transaction: &Transaction<'_>,
    user: Uuid,
    group: &[Uuid],
    (statement, local): (&str, LocalDays),
) -> Result<(), StoreError> {
    let read = transaction.prepare_cached(TRANSACTIONS).await?;
    let portal = transaction.bind(&read, &[&user, &group]).await?;
    let mut decisions = Decisions::new(transaction, user, statement);
    let mut bucket = BookingBucket::default();
    loop {
        let rows = transaction.query_portal(&portal, ROWS_READ_MAX).await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            let (key, booking, stands) = booking_of(row, group, local)?;
            if bucket.key.as_ref() != Some(&key) {
                let full = std::mem::take(&mut bucket);
                decide(full, group, &mut decisions).await?;
                bucket.key = Some(key);
            }
            bucket.bookings.push((booking, stands));
        }
    }
    decide(bucket, group, &mut decisions).await?;
    decisions.write().await
}

async fn decide(
    bucket: BookingBucket,
    group: &[Uuid],
    decisions: &mut Decisions<'_>,
) -> Result<(), StoreError> {
    let bookings = bucket.bookings.iter();
    let hidden = hidden(bookings.map(|(booking, _)| booking.clone()).collect());
    for (booking, stands) in bucket.bookings {
        let decided = Serving {
            hidden_by: hidden.get(&booking.id).copied(),
            merged_account: merged_account(booking.place, group),
        };
        decisions.add(booking.id, stands, decided).await?;
    }
    Ok(())
}

/// The account that is served in the place of the one at `place`.
pub(super) fn merged_account(place: usize, group: &[Uuid]) -> Option<Uuid> {
    group.first().copied().filter(|_| place > 0)
}

/// The place of an account in the group.
///
/// # Errors
/// When it is none of them.
pub(super) fn place_of(account: Uuid, group: &[Uuid]) -> Result<usize, StoreError> {
    let place = group.iter().position(|own| *own == account);
    place.ok_or_else(|| StoreError::Fault {
        cause: "a row of no account of the group".to_owned(),
    })
}

type BucketKey = (Decimal, Option<String>);

fn booking_of(
    row: &Row,
    group: &[Uuid],
    local: LocalDays,
) -> Result<(BucketKey, Booking, Serving), StoreError> {
    let mut cells = Cells::of("duplicates/transactions", row);
    let id = cells.named("id")?;
    let place = place_of(cells.named("own_account_id")?, group)?;
    let key = (cells.named("amount")?, cells.named("currency")?);
    let booked_on = cells.named("booked_on")?;
    let value_on: Option<NaiveDate> = cells.named("value_on")?;
    let made_at: Option<DateTime<Utc>> = cells.named("transacted_at")?;
    let text: Option<&str> = cells.named("text")?;
    let booking = Booking {
        id,
        place,
        booked_on,
        value_on,
        made_on: made_at.map(|at| local.day_of(at)),
        text: text.and_then(plain),
        is_pending: cells.named("is_pending")?,
        filled: cells.named("filled")?,
    };
    let stands = Serving {
        merged_account: cells.named("merged_account_id")?,
        hidden_by: cells.named("hidden_by")?,
    };
    cells.end()?;
    Ok((key, booking, stands))
}
