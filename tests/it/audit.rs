//! `/api/audit`, and the store that writes its rows.

mod csv;
mod facets;
mod filters;
mod kept;
mod limits;
mod many;
mod paging;
mod plans;
mod recount;
mod rows;
mod users;
mod write;

use std::sync::Arc;

use serde_json::Value;
use sextant::db::ServicePool;
use sextant::store::audit::AuditLog;
use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::domain::{CleanText, OPERATOR, Outcome, Sector};
use sextant_actors::ports::{AuditStore, Flush, Flushed};
use uuid::Uuid;

/// An audit entry of an agent's read.
fn entry(agent: &str, tool: &str) -> AuditEntry {
    AuditEntry {
        user_id: Some(OPERATOR),
        agent_id: Some(CleanText::of(agent)),
        tool: CleanText::of(tool),
        sector: Some(Sector::Mail),
        outcome: Some(Outcome::Ok),
        ..AuditEntry::unfinished("")
    }
}

/// Arguments as an entry holds them.
fn args(args: Value) -> Option<SafeArgs> {
    Some(SafeArgs::of(&args))
}

/// The journal whose positions the rows of these tests have.
const JOURNAL: Uuid = Uuid::from_u128(7);

/// The entries as one flush, to a database that has the journal's entries up to `expected`.
fn flush(expected: u64, entries: Vec<AuditEntry>) -> Flush {
    let rows: Vec<(u64, AuditEntry)> = (expected + 1..).zip(entries).collect();
    Flush {
        journal: JOURNAL,
        expected,
        through: rows.last().map_or(expected, |(number, _)| *number),
        rows: Arc::new(rows),
    }
}

/// Writes the entries in one flush and returns their ids.
async fn write(pool: &ServicePool, entries: Vec<AuditEntry>) -> Vec<i64> {
    let record = AuditLog::new(pool.clone());
    let count = entries.len();
    let position = record.position(JOURNAL).await.unwrap();
    let flushed = record.append(flush(position, entries)).await;
    assert_eq!(flushed, Ok(Flushed::Done));
    let newest = "SELECT id FROM audit_log ORDER BY id DESC LIMIT $1";
    let client = pool.get().await.unwrap();
    let rows = client
        .query(newest, &[&i64::try_from(count).unwrap()])
        .await
        .unwrap();
    rows.iter().rev().map(|row| row.get(0)).collect()
}
