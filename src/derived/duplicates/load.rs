//! Reads accounts and pairs, and writes pairs.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Transaction;
use serde_json::{Value, json};
use tokio_postgres::Row;
use uuid::Uuid;

use super::account::{self, Account, Accounts};
use super::likeness::Likeness;
use super::pair::{Pair, PairSide, PairState};
use super::served::AccountWeight;
use crate::db::{Cells, StoreError, columns};

const ACCOUNTS: &str = include_str!("../../../sql/statements/duplicates/accounts.sql");
const PAIRS: &str = include_str!("../../../sql/statements/duplicates/pairs.sql");
const PUT_PAIRS: &str = include_str!("../../../sql/statements/duplicates/put_pairs.sql");
const FORGET_PAIRS: &str = include_str!("../../../sql/statements/duplicates/forget_pairs.sql");
const WEIGHTS: &str = include_str!("../../../sql/statements/duplicates/weights.sql");

/// The accounts that their sources have.
pub(super) async fn accounts(
    transaction: &Transaction<'_>,
    user: Uuid,
) -> Result<Accounts, StoreError> {
    let rows = transaction.query(ACCOUNTS, &[&user]).await?;
    let accounts = rows.iter().map(account_of);
    accounts
        .map(|account| account.map(|account| (account.id, account)))
        .collect()
}

fn account_of(row: &Row) -> Result<Account, StoreError> {
    let mut cells = Cells::of("duplicates/accounts", row);
    let (id, connection) = (cells.named("id")?, cells.named("connection_id")?);
    let (provider, is_pushed) = (cells.named("provider")?, cells.named("is_pushed")?);
    let identity = cells.named("identity")?;
    let domain: Option<&str> = cells.named("institution_domain")?;
    let institution: Option<&str> = cells.named("institution_name")?;
    let name: Option<&str> = cells.named("name")?;
    let mask: Option<&str> = cells.named("mask")?;
    let iban: Option<&str> = cells.named("iban")?;
    let account = Account {
        id,
        connection,
        provider,
        identity,
        is_pushed,
        domain: domain.and_then(account::domain),
        institution: institution.and_then(account::plain),
        name: name.and_then(account::plain),
        last_four: account::last_four(mask, iban, name),
        iban: iban.and_then(account::iban),
        currency: cells.named("currency")?,
        balance_as_of: cells.named("balance_as_of")?,
        hidden_by: cells.named("hidden_by")?,
    };
    cells.end()?;
    Ok(account)
}

/// Every pair.
pub(super) async fn pairs(
    transaction: &Transaction<'_>,
    user: Uuid,
) -> Result<Vec<Pair>, StoreError> {
    let rows = transaction.query(PAIRS, &[&user]).await?;
    rows.iter().map(pair_of).collect()
}

fn pair_of(row: &Row) -> Result<Pair, StoreError> {
    let mut cells = Cells::of("duplicates/pairs", row);
    let id = cells.named("id")?;
    let state: &str = cells.named("state")?;
    let state = PairState::of(state, cells.named("answered_by")?).ok_or_else(unknown_word)?;
    let reason = Likeness::named(cells.named("reason")?).ok_or_else(unknown_word)?;
    let answered_at = cells.named("answered_at")?;
    let first = PairSide {
        account: cells.named("first_account")?,
        connection: cells.named("first_connection")?,
        key: cells.named("first_key")?,
    };
    let second = PairSide {
        account: cells.named("second_account")?,
        connection: cells.named("second_connection")?,
        key: cells.named("second_key")?,
    };
    cells.end()?;
    Ok(Pair {
        id,
        state,
        reason,
        answered_at,
        sides: [first, second],
    })
}

fn unknown_word() -> StoreError {
    StoreError::Fault {
        cause: "a pair of accounts has a word that this program does not know".to_owned(),
    }
}

/// Writes the pairs that differ from the stored ones, and deletes the stored ones that are no more.
pub(super) async fn put_pairs(
    transaction: &Transaction<'_>,
    user: Uuid,
    stored: &[Pair],
    pairs: &[Pair],
) -> Result<(), StoreError> {
    let before: BTreeMap<Uuid, &Pair> = stored.iter().map(|pair| (pair.id, pair)).collect();
    let kept: BTreeSet<Uuid> = pairs.iter().map(|pair| pair.id).collect();
    let gone: Vec<Uuid> = before
        .keys()
        .filter(|id| !kept.contains(id))
        .copied()
        .collect();
    if !gone.is_empty() {
        transaction.execute(FORGET_PAIRS, &[&user, &gone]).await?;
    }
    let changed = pairs
        .iter()
        .filter(|pair| before.get(&pair.id) != Some(pair));
    let changed: Vec<Value> = changed.map(row_of).collect();
    if !changed.is_empty() {
        transaction
            .execute(PUT_PAIRS, &[&user, &Value::Array(changed)])
            .await?;
    }
    Ok(())
}

fn row_of(pair: &Pair) -> Value {
    let (state, answered_by) = pair.state.words();
    let [first, second] = &pair.sides;
    json!({
        "id": pair.id, "state": state, "answered_by": answered_by, "reason": pair.reason.name(),
        "answered_at": pair.answered_at,
        "first_account": first.account, "first_connection": first.connection, "first_key": first.key,
        "second_account": second.account, "second_connection": second.connection, "second_key": second.key,
    })
}

/// What these accounts have.
pub(super) async fn weights(
    transaction: &Transaction<'_>,
    user: Uuid,
    accounts: &[Uuid],
) -> Result<BTreeMap<Uuid, AccountWeight>, StoreError> {
    let rows = transaction.query(WEIGHTS, &[&user, &accounts]).await?;
    let weights = rows.iter().map(|row| {
        let (account, transactions, filled) = columns("duplicates/weights", row)?;
        Ok((
            account,
            AccountWeight {
                transactions,
                filled,
            },
        ))
    });
    weights.collect()
}
