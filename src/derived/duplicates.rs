//! Accounts that several connections have, served once (docs/asking.md#accounts-of-several-sources).
//!
//! Two accounts of two connections are one where both report one institution's domain and the same last four digits, and no other account
//! of their connections does; where less is told, the operator is asked, and always where one of them was pushed. What was answered stays,
//! whatever their sources do, until the operator answers otherwise ([`review`](review::review)).
//!
//! Of accounts that are one, one is served ([`served`]), and all transactions and holdings of them bear it. Of transactions that are one
//! ([`matching`]), one is served, the others are hidden, each by the one that stands in its place: a hidden row keeps its content and is
//! written by its source as before, and for readers it is deleted. Holdings of a day come from one of the accounts ([`holdings`]).
//!
//! All of it is a function of the rows, of the answers and of what was served before. It is settled in the transaction of a change,
//! before balances are derived, by whoever changes rows; only rows of which another is to be served than before are written. One
//! transaction at a time does it. It writes rows of other connections than its own: so whoever may have to takes its turn before it
//! writes any row ([`are_any_one`]), and does not meet another one half way.
//!
//! ```text
//! account      what is compared of an account        likeness     what two accounts have in common
//! pair         a question and its answer             groups       which accounts may be one together
//! review       accounts and answers -> pairs, groups     answer   what the operator answers
//! served       which account is served               matching     which transactions are one, and which is served
//! serve        groups -> accounts and rows           transactions, holdings, decisions    read, decided, written
//! load         accounts and pairs as they are stored    standing    whether there is anything to settle
//! ```

mod account;
mod answer;
mod decisions;
mod groups;
mod holdings;
mod likeness;
mod load;
mod matching;
mod pair;
mod review;
mod serve;
mod served;
mod standing;
mod transactions;

#[cfg(test)]
mod tests;

use deadpool_postgres::Transaction;
use uuid::Uuid;

use crate::catalog;
use crate::db::StoreError;
use crate::local_days::LocalDays;
use crate::statements::served_once;

use self::review::{Review, review};
use self::serve::Settling;
use self::standing::standing;

pub(crate) use self::account::last_four;
pub(crate) use self::answer::{AccountAnswer, AnswerRefusal, answer};
pub(crate) use self::groups::AnswerObstacle;
pub(super) use self::standing::SettleReach;

const ERASE_PAIRS: &str = include_str!("../../sql/statements/duplicates/erase_pairs.sql");

/// Whether any accounts are one, so that whoever writes finance may change what is served of another connection.
///
/// # Errors
/// When the database fails.
pub(super) async fn are_any_one(
    transaction: &Transaction<'_>,
    user: Uuid,
) -> Result<bool, StoreError> {
    Ok(standing(transaction, user).await?.are_any_one)
}

/// Settles what is served of accounts, transactions and holdings.
///
/// # Errors
/// When the database fails.
pub(super) async fn settle(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
    reach: SettleReach,
) -> Result<(), StoreError> {
    let standing = standing(transaction, user).await?;
    let is_touched = standing.are_any_one || standing.has_changed;
    if !is_touched && reach == SettleReach::Changed {
        return Ok(());
    }
    let now = standing.now;
    let accounts = load::accounts(transaction, user).await?;
    let stored = load::pairs(transaction, user).await?;
    let Review {
        pairs,
        waiting,
        groups,
    } = review(&accounts, stored.clone(), now);
    let all: Vec<_> = pairs.into_iter().chain(waiting).collect();
    load::put_pairs(transaction, user, &stored, &all).await?;
    let settling = Settling {
        transaction,
        user,
        accounts: &accounts,
    };
    settling.serve(&groups, local, reach).await
}

/// Forgets what was asked and answered of connections whose rows were erased, and serves what stood behind those.
///
/// # Errors
/// When the database fails.
pub(super) async fn forget(
    transaction: &Transaction<'_>,
    user: Uuid,
    connections: &[Uuid],
) -> Result<(), StoreError> {
    let forgotten = [&user as _, &connections as _];
    transaction.execute(ERASE_PAIRS, &forgotten).await?;
    for table in catalog::tables().filter(|table| table.is_served_once) {
        let statement = served_once::release_erased(table);
        transaction.execute(&statement, &[&user]).await?;
    }
    Ok(())
}
