//! A sign-in that a person gave in a browser: its tokens are kept before anything is asked with them, and become a sign-in with its
//! connections once their account is known (r129).

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use serde_json::json;
use sextant_actors::domain::{OPERATOR, Sector};
use sextant_connectors::oauth::KeptTokens;
use sextant_connectors::provider::ConsentedAccount;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::establish::{NewPulled, SignInStoreError, TAKE_UP, claim, connect_missing};
use super::{SignIn, tokens};
use crate::config::Secret;
use crate::db::{ServicePool, columns, expect_one, tx};
use crate::sealing::{CredentialKeys, SealingTurn};

/// A page that is being stored holds its connection.
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
const KEEP_UNFINISHED: &str = include_str!("../../../sql/statements/sign_ins/keep_unfinished.sql");
const LOCK_UNFINISHED: &str = include_str!("../../../sql/statements/sign_ins/lock_unfinished.sql");
const LOCK_CONNECTIONS: &str =
    include_str!("../../../sql/statements/sign_ins/lock_connections.sql");
const KEEP_CONSENT: &str = include_str!("../../../sql/statements/sign_ins/keep_consent.sql");
const REMOVE_UNFINISHED: &str =
    include_str!("../../../sql/statements/sign_ins/remove_unfinished.sql");
const HALT_SECTORS: &str = include_str!("../../../sql/statements/sign_ins/halt_sectors.sql");

/// What a finished consent becomes.
#[derive(Clone, Debug)]
pub struct FinishedConsent {
    /// The id of a new sign-in, unless the account is known already.
    pub new_id: Uuid,
    /// Whose it is.
    pub account: ConsentedAccount,
    /// One for each sector that it covers.
    pub connections: Vec<NewPulled>,
    /// What is said of connections whose sector it does not cover.
    pub uncovered: String,
}

/// Keeps tokens as a sign-in without account and connections; `renews` is the one that they are to renew.
///
/// # Errors
/// When they cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn keep_unfinished(
    pool: &ServicePool,
    turn: &SealingTurn,
    (id, provider): (Uuid, &str),
    (kept, scopes): (&KeptTokens, &[String]),
    renews: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<(), SignInStoreError> {
    let sealed = tokens::seal(turn, id, kept)?;
    tx(pool, "keep the tokens of a consent", |transaction| {
        let sealed = &sealed;
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 7] =
                [&OPERATOR, &id, &provider, &scopes, sealed, &now, &renews];
            let kept = transaction.execute(KEEP_UNFINISHED, &values).await?;
            Ok(expect_one("sign_ins/keep_unfinished", kept)?)
        })
    })
    .await
}

/// Makes of an unfinished sign-in the one that it is to renew, else that of its account: a new one, or the one that is there, whose
/// connections go on. `None` if there is no such unfinished one.
///
/// # Errors
/// When it cannot be opened or sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn finish(
    pool: &ServicePool,
    (keys, turn): (&CredentialKeys, &SealingTurn),
    unfinished: Uuid,
    finished: &FinishedConsent,
    now: DateTime<Utc>,
) -> Result<Option<SignIn>, SignInStoreError> {
    tx(pool, "finish a consent", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            let values: [&(dyn ToSql + Sync); 2] = [&OPERATOR, &unfinished];
            let Some(row) = transaction.query_opt(LOCK_UNFINISHED, &values).await? else {
                return Ok(None);
            };
            let (provider, scopes, sealed, renews): (String, Vec<String>, &[u8], Option<Uuid>) =
                columns("sign_ins/lock_unfinished", &row)?;
            let opened = keys.open_sealed(unfinished, sealed);
            let opened = opened.map_err(SignInStoreError::Unseal)?;
            let id = match renews {
                Some(renewed) => renewed,
                None => {
                    let of = (finished.new_id, &*provider);
                    let account = (&*finished.account.identity, &*finished.account.name);
                    claim(&transaction, of, account, now).await?
                }
            };
            keep(&transaction, turn, id, (&opened, &scopes), finished, now).await?;
            let removed = transaction.execute(REMOVE_UNFINISHED, &values).await?;
            expect_one("sign_ins/remove_unfinished", removed)?;
            let of = (id, &*provider, None);
            let connected = connect_missing(&transaction, of, &finished.connections, now).await?;
            Ok(Some(connected))
        })
    })
    .await
}

/// Keeps the tokens, and has the connections of covered sectors go on and the others wait.
async fn keep(
    transaction: &Transaction<'_>,
    turn: &SealingTurn,
    id: Uuid,
    (opened, scopes): (&Secret, &[String]),
    finished: &FinishedConsent,
    now: DateTime<Utc>,
) -> Result<(), SignInStoreError> {
    transaction
        .query(LOCK_CONNECTIONS, &[&OPERATOR, &id])
        .await?;
    let sealed = turn.seal(id, opened).map_err(SignInStoreError::Seal)?;
    let ConsentedAccount { identity, name } = &finished.account;
    let values: [&(dyn ToSql + Sync); 6] = [&OPERATOR, &id, &sealed, &scopes, identity, name];
    let kept = transaction.execute(KEEP_CONSENT, &values).await?;
    expect_one("sign_ins/keep_consent", kept)?;
    let no_end: Option<DateTime<Utc>> = None;
    let values: [&(dyn ToSql + Sync); 4] = [&OPERATOR, &id, &no_end, &now];
    transaction.execute(TAKE_UP, &values).await?;
    let covered = finished.connections.iter();
    let covered: Vec<&str> = covered.map(|own| Sector::name(own.table.sector)).collect();
    let problem = json!({
        "code": "not_granted",
        "message": finished.uncovered,
        "since": now,
        "at": now,
        "count": 1,
    });
    let values: [&(dyn ToSql + Sync); 5] = [&OPERATOR, &id, &problem, &now, &covered];
    transaction.execute(HALT_SECTORS, &values).await?;
    Ok(())
}
