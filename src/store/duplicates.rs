//! The questions whether two accounts are one, and their answers (`crate::derived`).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use deadpool_postgres::GenericClient;
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{self, Cells, ServicePool, StoreError, columns, tx};
use crate::derived;

pub(crate) use crate::derived::{AccountAnswer, AnswerObstacle, AnswerRefusal};

const COUNT_OPEN: &str = include_str!("../../sql/statements/duplicates/count_open.sql");
const LIST: &str = include_str!("../../sql/statements/duplicates/list.sql");
const SHOWN_ACCOUNTS: &str = include_str!("../../sql/statements/duplicates/shown_accounts.sql");
const LOCK_SCOPE: &str = include_str!("../../sql/statements/connections/lock_scope.sql");
const WAIT_PATIENTLY: &str = include_str!("../../sql/statements/transaction/wait_patiently.sql");

/// Two accounts that are, or may be, one.
#[derive(Clone, Debug)]
pub(crate) struct AskedPair {
    pub id: Uuid,
    /// `open`, `same` or `separate`.
    pub state: String,
    /// `automatic` or `operator`; `None` while it is open.
    pub answered_by: Option<String>,
    /// What the two have in common, in a word.
    pub reason: String,
    pub answered_at: Option<DateTime<Utc>>,
    pub accounts: [AskedAccount; 2],
}

/// One of the two, as a person tells it apart.
#[derive(Clone, Debug)]
pub(crate) struct AskedAccount {
    pub id: Uuid,
    pub connection: Uuid,
    pub label: String,
    pub provider: String,
    pub name: Option<String>,
    pub institution: Option<String>,
    pub domain: Option<String>,
    pub last_four: Option<String>,
    pub currency: Option<String>,
    /// A decimal.
    pub balance: Option<String>,
    pub balance_as_of: Option<DateTime<Utc>>,
    pub transactions: u64,
}

/// How many wait for an answer.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn count_open(pool: &ServicePool) -> Result<u64, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(COUNT_OPEN).await?;
    let row = client.query_one(&statement, &[&OPERATOR]).await?;
    db::count(db::column("duplicates/count_open", &row)?)
}

/// The open ones, the answered ones, or both; the newest first, and at the most so many.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list(
    pool: &ServicePool,
    is_open: Option<bool>,
    rows_max: usize,
) -> Result<Vec<AskedPair>, StoreError> {
    let client = pool.get().await?;
    load(&client, (None, is_open, rows_max)).await
}

/// Answers one, and serves what follows from it, in one transaction. Returns it as it is then.
///
/// The connections are locked first: a push under way holds its own until it is stored, so that it is waited for.
///
/// # Errors
/// Why the answer was not taken; nothing has changed then, unless the fate is unknown.
pub(crate) async fn answer(
    pool: &ServicePool,
    id: Uuid,
    answer: AccountAnswer,
) -> Result<AskedPair, AnswerRefusal> {
    tx(pool, "answer about accounts", move |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            let (sectors, all) = (vec![Sector::Finance.name()], None::<Uuid>);
            transaction
                .query(LOCK_SCOPE, &[&OPERATOR, &sectors, &all])
                .await?;
            derived::answer(&transaction, OPERATOR, id, answer).await?;
            let pairs = load(&*transaction, (Some(id), None, 1)).await?;
            pairs.into_iter().next().ok_or(AnswerRefusal::NotAsked)
        })
    })
    .await
}

async fn load(
    client: &impl GenericClient,
    (id, is_open, rows_max): (Option<Uuid>, Option<bool>, usize),
) -> Result<Vec<AskedPair>, StoreError> {
    let rows_max = i64::try_from(rows_max).unwrap_or(i64::MAX);
    let rows = client
        .query(LIST, &[&OPERATOR, &id, &is_open, &rows_max])
        .await?;
    let pairs: Vec<PairRow<'_>> = rows
        .iter()
        .map(|row| columns("duplicates/list", row))
        .collect::<Result<_, _>>()?;
    let ids: Vec<Uuid> = pairs.iter().flat_map(|pair| [pair.5, pair.6]).collect();
    let rows = client.query(SHOWN_ACCOUNTS, &[&OPERATOR, &ids]).await?;
    let accounts: BTreeMap<Uuid, AskedAccount> = rows
        .iter()
        .map(|row| account_of(row).map(|account| (account.id, account)))
        .collect::<Result<_, _>>()?;
    let pairs = pairs.into_iter();
    pairs.map(|pair| pair_of(pair, &accounts)).collect()
}

/// Its id, state, who answered, reason, when it was answered, and its accounts.
type PairRow<'row> = (
    Uuid,
    &'row str,
    Option<&'row str>,
    &'row str,
    Option<DateTime<Utc>>,
    Uuid,
    Uuid,
);

fn pair_of(
    (id, state, answered_by, reason, answered_at, a, b): PairRow<'_>,
    accounts: &BTreeMap<Uuid, AskedAccount>,
) -> Result<AskedPair, StoreError> {
    let account = |id: Uuid| {
        let account = accounts.get(&id).cloned();
        account.ok_or_else(|| StoreError::Fault {
            cause: "an account of a pair is not there".to_owned(),
        })
    };
    Ok(AskedPair {
        id,
        state: state.to_owned(),
        answered_by: answered_by.map(str::to_owned),
        reason: reason.to_owned(),
        answered_at,
        accounts: [account(a)?, account(b)?],
    })
}

fn account_of(row: &Row) -> Result<AskedAccount, StoreError> {
    let mut cells = Cells::of("duplicates/shown_accounts", row);
    let (id, connection) = (cells.named("id")?, cells.named("connection_id")?);
    let (label, provider) = (cells.named("label")?, cells.named("provider")?);
    let name: Option<String> = cells.named("name")?;
    let institution = cells.named("institution_name")?;
    let domain = cells.named("institution_domain")?;
    let mask: Option<&str> = cells.named("mask")?;
    let iban: Option<&str> = cells.named("iban")?;
    let account = AskedAccount {
        id,
        connection,
        label,
        provider,
        institution,
        domain,
        last_four: derived::last_four(mask, iban, name.as_deref()),
        name,
        currency: cells.named("currency")?,
        balance: cells.named("balance")?,
        balance_as_of: cells.named("balance_as_of")?,
        transactions: db::count(cells.named("transactions")?)?,
    };
    cells.end()?;
    Ok(account)
}
