//! How a connection fares after a round: its health, its problem, and when it may be read again.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::OPERATOR;
use sextant_actors::ports::{RoundEnd, RoundReport, Settlement, SourceProblem};
use tokio_postgres::types::{Json, ToSql};
use uuid::Uuid;

use super::runs;
use super::verdict::{CONSENT_ENDED, CREDENTIAL_MISSING, CREDENTIAL_REFUSED, KeptProblem};
use crate::db::{Cells, ServicePool, StoreError, columns, tx};
use crate::store::connections::WARNED;

const PROBLEM: &str = include_str!("../../sql/statements/connections/problem.sql");
const HOLD_SIGN_IN: &str = include_str!("../../sql/statements/connections/hold_sign_in.sql");
const REST_TOGETHER: &str = include_str!("../../sql/statements/connections/rest_together.sql");
const SIBLINGS: &str = include_str!("../../sql/statements/connections/siblings.sql");
const SETTLE: &str = include_str!("../../sql/statements/connections/settle.sql");

/// What a round's end says of the connection.
struct SettledHealth {
    /// The word that it changes to; `None` when it stays.
    health: Option<&'static str>,
    problem: Option<KeptProblem>,
}

/// Stores a round's end. The run of a source that is listened to goes on.
///
/// # Errors
/// When the database fails.
pub(super) async fn settle(
    pool: &ServicePool,
    connection: Uuid,
    settled: &Settlement,
) -> Result<(), StoreError> {
    tx(pool, "settle a round", |transaction| {
        Box::pin(async move {
            let wish = wish_of_source(&settled.report);
            if wish.is_some() {
                transaction
                    .query(HOLD_SIGN_IN, &[&OPERATOR, &connection])
                    .await?;
            }
            let found = transaction
                .query_opt(PROBLEM, &[&OPERATOR, &connection])
                .await?;
            let Some(row) = found else {
                return Ok(());
            };
            let mut cells = Cells::of("connections/problem", &row);
            let before: Option<Json<Value>> = cells.named("problem")?;
            cells.end()?;
            let before = before.and_then(|Json(kept)| serde_json::from_value(kept).ok());
            let standing = standing(settled, before);
            let problem = standing.problem.as_ref().map(Json);
            let last_success_at = is_success(&settled.report.end).then_some(settled.ended_at);
            let values: [&(dyn ToSql + Sync); 8] = [
                &OPERATOR,
                &connection,
                &standing.health,
                &problem,
                &settled.retry_at,
                &last_success_at,
                &settled.ended_at,
                &settled.report.end.wish(),
            ];
            transaction.execute(SETTLE, &values).await?;
            if wish.is_some() {
                let values: [&(dyn ToSql + Sync); 4] = [&OPERATOR, &connection, &wish, &problem];
                transaction.execute(REST_TOGETHER, &values).await?;
            }
            if settled.report.end != RoundEnd::Listening {
                runs::end(&transaction, connection, &settled.report, settled.ended_at).await?;
            }
            Ok(())
        })
    })
    .await
}

/// Until when a source wants nobody of the sign-in to ask it. What is thought of the credential is one connection's own: a partition or a
/// login limit refuses good ones.
fn wish_of_source(report: &RoundReport) -> Option<DateTime<Utc>> {
    let is_refusal = |problem: &SourceProblem| problem.code == CREDENTIAL_REFUSED;
    let wish = report.end.wish();
    wish.filter(|_| !report.problem.as_ref().is_some_and(is_refusal))
}

/// The other connections of the same sign-in.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn siblings(
    pool: &ServicePool,
    connection: Uuid,
) -> Result<Vec<Uuid>, StoreError> {
    let client = pool.get().await?;
    let rows = client.query(SIBLINGS, &[&OPERATOR, &connection]).await?;
    let id = |row| {
        let (id,): (Uuid,) = columns("connections/siblings", row)?;
        Ok(id)
    };
    rows.iter().map(id).collect()
}

const fn is_success(end: &RoundEnd) -> bool {
    matches!(end, RoundEnd::Finished | RoundEnd::Listening)
}

/// The database's trouble, a halt and a round that goes on are no verdict on the source.
fn standing(settled: &Settlement, before: Option<KeptProblem>) -> SettledHealth {
    let report = &settled.report;
    let is_missing = |code| code == CREDENTIAL_MISSING;
    let health = match &report.end {
        end if is_success(end) => Some("ok"),
        RoundEnd::Failed { .. } => Some("backing_off"),
        RoundEnd::NeedsPerson => match report.problem.as_ref().map(|problem| problem.code) {
            Some(code) if is_missing(code) => Some("needs_credentials"),
            Some(CONSENT_ENDED) => Some("consent_expired"),
            _ => Some("needs_sign_in"),
        },
        _ => None,
    };
    let kept = |problem: &SourceProblem| KeptProblem::of(problem, before.clone(), settled.ended_at);
    let problem = match &report.end {
        // What is wrong with a part of a source stands beside a round that went well.
        end if is_success(end) => {
            let warned = report.problem.as_ref();
            warned.filter(|problem| problem.code == WARNED).map(kept)
        }
        RoundEnd::Failed { .. } | RoundEnd::NeedsPerson => report.problem.as_ref().map(kept),
        _ => before,
    };
    SettledHealth { health, problem }
}
