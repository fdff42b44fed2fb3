//! The audit log: a reader of it while the load goes on, and what must be true of it after a kill.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use reqwest::Method;
use serde_json::Value;
use tokio_postgres::Client as Database;

use super::caller::Answered;
use super::load::Reach;
use super::tally::Tally;
use crate::support::eventually::eventually;

/// Reads the audit log over the Console. A row that it has seen has been committed, and must stay.
#[derive(Default)]
pub struct Reader {
    /// Tool and request id of each row, by the row's id.
    seen: BTreeMap<i64, (String, Option<String>)>,
}

impl Reader {
    pub async fn work(mut self, reach: Reach, tally: Arc<Tally>) -> Self {
        while !tally.is_over() {
            let page = reach
                .request(Method::GET, "/api/audit?limit=200")
                .send()
                .await;
            let Ok(page) = page else { return self };
            if page.status() != 200 {
                reach.recovery(&tally).await;
                continue;
            }
            let Ok(page) = page.json::<Value>().await else {
                return self;
            };
            for row in page["rows"].as_array().unwrap() {
                let text = |column: &str| row[column].as_str().map(str::to_owned);
                let id = text("id").unwrap().parse().unwrap();
                self.seen
                    .insert(id, (text("tool").unwrap(), text("request_id")));
            }
        }
        self
    }

    pub fn rows(&self) -> usize {
        self.seen.len()
    }

    /// Asserts that no row it has seen is lost, none is doubled, and the counts by hour are right.
    pub async fn check(&self, database: &Database) {
        let stored = database
            .query("SELECT id, tool, request_id FROM audit_log", &[])
            .await
            .unwrap();
        let mut rows = BTreeMap::new();
        for row in &stored {
            let id: i64 = row.get(0);
            let twice = rows.insert(id, (row.get(1), row.get(2)));
            assert_eq!(twice, None, "two rows have the id {id}");
        }
        for (id, row) in &self.seen {
            assert_eq!(
                rows.get(id),
                Some(row),
                "a row that was read is not what it was"
            );
        }
        for (what, query) in [
            ("a call has two rows", DOUBLED),
            ("the hours do not add up", UNEQUAL_HOURS),
        ] {
            let found = database.query(query, &[]).await.unwrap();
            assert!(found.is_empty(), "{what}: {found:?}");
        }
    }
}

/// Asserts that each of these calls, after which the service went on, has its row.
pub async fn holds(database: &Database, calls: &[String]) {
    let mut missing = Vec::new();
    let mut landed = async || {
        let rows = database.query(MISSING, &[&calls]).await.unwrap();
        missing = rows.iter().map(|row| row.get::<_, String>(0)).collect();
        missing.is_empty()
    };
    eventually("each answered call has its row", &mut landed).await;
}

/// Asserts that each of these calls of one agent, answered before the service was killed, has its row, unless its
/// answer was counted as unjournaled (r024). The count was lost with the service, so it is inferred: such an answer
/// took as long as the journal's acknowledgement is waited for, and no later call has a row, since the journal is
/// written in the order of the calls.
pub async fn outlived(database: &Database, calls: &[Answered]) {
    let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    let mut lost = Vec::new();
    eventually(
        "each answered call has its row after the kill",
        async || {
            let rows = database.query(MISSING, &[&ids]).await.unwrap();
            let missing: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
            let last = calls.iter().rev();
            let excused = last
                .take_while(|call| missing.contains(&call.id) && call.may_be_unjournaled())
                .count();
            lost = missing.into_iter().collect();
            lost.len() == excused
        },
    )
    .await;
    if !lost.is_empty() {
        println!("  left without the journal's word: {lost:?}");
    }
}

const MISSING: &str = "
    SELECT call FROM unnest($1::text[]) AS answered (call)
    WHERE NOT EXISTS (SELECT FROM audit_log WHERE request_id = call)";
const DOUBLED: &str = "
    SELECT request_id FROM audit_log WHERE request_id LIKE '%-%-%' GROUP BY 1 HAVING count(*) > 1";
const UNEQUAL_HOURS: &str = "
    WITH counted AS (
        SELECT date_trunc('hour', created_at, 'UTC') AS hour, user_id, agent_id, tool, sector, decision, outcome,
               count(*) AS n, max(created_at) AS last_at
        FROM audit_log GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), kept AS (
        SELECT hour, user_id, agent_id, tool, sector, decision, outcome, n, last_at FROM audit_hourly
    )
    (TABLE counted EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE counted)";
