//! `/api/audit`, and the store that fills it.

mod csv;
mod facets;
mod filters;
mod kept;
mod many;
mod paging;
mod plans;
mod rows;
mod write;

use std::sync::Arc;

use sextant::db::ServicePool;
use sextant::store::audit::Record;
use sextant_actors::domain::{Decision, OPERATOR, Outcome, Sector};
use sextant_actors::ports::AuditStore;
use sextant_actors::record::Entry;

/// A row that an agent's read leaves.
fn entry(agent: &str, tool: &str) -> Entry {
    Entry {
        user_id: Some(OPERATOR),
        agent_id: Some(agent.to_owned()),
        tool: tool.to_owned(),
        sector: Some(Sector::Mail),
        decision: Decision::Allow,
        args: None,
        result_count: None,
        outcome: Some(Outcome::Ok),
        request_id: None,
    }
}

/// Writes the entries in one flush and returns their ids.
async fn write(pool: &ServicePool, entries: Vec<Entry>) -> Vec<i64> {
    let record = Record::new(pool.clone());
    let ids = record.draw_ids(entries.len()).await.unwrap();
    let rows = ids.iter().copied().zip(entries).collect();
    record.insert(Arc::new(rows)).await.unwrap();
    ids
}
