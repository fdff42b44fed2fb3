//! The holdings of a group: those of a day come from one account, the one that is served if it has any that day, else from the next in
//! order. Others of the day are hidden by the holding of the same security, else by the first.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use deadpool_postgres::Transaction;
use tokio_postgres::Row;
use uuid::Uuid;

use super::account::plain;
use super::decisions::{Decisions, Serving};
use super::transactions::{merged_account, place_of};
use crate::db::{Cells, StoreError};

/// Rows that are read at a time.
const ROWS_READ_MAX: i32 = 2_000;
const HOLDINGS: &str = include_str!("../../../sql/statements/duplicates/holdings.sql");

/// A holding, as far as it is compared.
#[derive(Clone, Debug, PartialEq)]
struct HeldPosition {
    id: Uuid,
    /// The place of its account in the group.
    place: usize,
    security: Option<String>,
    stands: Serving,
}

/// Settles the holdings of the accounts of `group`, of which the first is served, and writes by `statement`.
///
/// # Errors
/// When the database fails.
pub(super) async fn settle(
    transaction: &Transaction<'_>,
    user: Uuid,
    group: &[Uuid],
    statement: &str,
) -> Result<(), StoreError> {
    let read = transaction.prepare_cached(HOLDINGS).await?;
    let portal = transaction.bind(&read, &[&user, &group]).await?;
    let mut decisions = Decisions::new(transaction, user, statement);
    let (mut day, mut positions) = (None, Vec::new());
    loop {
        let rows = transaction.query_portal(&portal, ROWS_READ_MAX).await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            let (of, position) = position_of(row, group)?;
            if of != day {
                let full = std::mem::take(&mut positions);
                decide(day, full, group, &mut decisions).await?;
                day = of;
            }
            positions.push(position);
        }
    }
    decide(day, positions, group, &mut decisions).await?;
    decisions.write().await
}

async fn decide(
    day: Option<NaiveDate>,
    positions: Vec<HeldPosition>,
    group: &[Uuid],
    decisions: &mut Decisions<'_>,
) -> Result<(), StoreError> {
    // What is of no day cannot be compared.
    let hidden = day.map_or_else(BTreeMap::new, |_| hidden(&positions));
    for position in positions {
        let decided = Serving {
            hidden_by: hidden.get(&position.id).copied(),
            merged_account: merged_account(position.place, group),
        };
        decisions.add(position.id, position.stands, decided).await?;
    }
    Ok(())
}

/// By id: the holding of the day that is served in its place.
fn hidden(day: &[HeldPosition]) -> BTreeMap<Uuid, Uuid> {
    let Some(serving) = day.iter().map(|own| own.place).min() else {
        return BTreeMap::new();
    };
    let (served, others): (Vec<&HeldPosition>, Vec<&HeldPosition>) =
        day.iter().partition(|own| own.place == serving);
    let hidden = others.into_iter().filter_map(|own| {
        let mut alike = served.iter();
        let alike = alike.find(|other| own.security.is_some() && other.security == own.security);
        let by = alike.or_else(|| served.first())?;
        Some((own.id, by.id))
    });
    hidden.collect()
}

fn position_of(row: &Row, group: &[Uuid]) -> Result<(Option<NaiveDate>, HeldPosition), StoreError> {
    let mut cells = Cells::of("duplicates/holdings", row);
    let id = cells.named("id")?;
    let place = place_of(cells.named("own_account_id")?, group)?;
    let day = cells.named("day")?;
    let security: Option<&str> = cells.named("security")?;
    let position = HeldPosition {
        id,
        place,
        security: security.and_then(plain),
        stands: Serving {
            merged_account: cells.named("merged_account_id")?,
            hidden_by: cells.named("hidden_by")?,
        },
    };
    cells.end()?;
    Ok((day, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r124_a_day_is_held_in_one_account() {
        let position = |id, place, security: &str| HeldPosition {
            id: Uuid::from_u128(id),
            place,
            security: Some(security.to_owned()),
            stands: Serving::default(),
        };
        let day = [
            position(1, 1, "abc"),
            position(2, 1, "xyz"),
            position(3, 2, "xyz"),
            position(4, 2, "new"),
        ];
        let found = hidden(&day).into_iter();
        let found: Vec<_> = found
            .map(|(own, by)| (own.as_u128(), by.as_u128()))
            .collect();
        assert_eq!(found, [(3, 2), (4, 1)]);
        assert_eq!(hidden(&[]), BTreeMap::new());
    }
}
