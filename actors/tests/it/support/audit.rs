use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use sextant_actors::audit::AuditEntry;
use sextant_actors::ports::{AuditStore, Flush, Flushed, PortError, PortFuture};
use tokio::sync::watch;
use uuid::Uuid;

use super::faults::{Fault, Script, lost};

/// A query to the audit log's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Position,
    Append,
}

type Poison = Arc<dyn Fn(&AuditEntry) -> bool + Send + Sync>;

#[derive(Clone, Default)]
struct Table {
    rows: Vec<AuditEntry>,
    positions: BTreeMap<Uuid, u64>,
    inserts: Vec<usize>,
}

/// The tables `audit_log` and `audit_position`.
#[derive(Clone)]
pub struct FakeAudit {
    pub on_position: Script,
    pub on_append: Script,
    table: watch::Sender<Table>,
    asked: Arc<Mutex<Vec<Asked>>>,
    poison: Arc<Mutex<Option<Poison>>>,
}

impl Default for FakeAudit {
    fn default() -> Self {
        Self {
            on_position: Script::default(),
            on_append: Script::default(),
            table: watch::channel(Table::default()).0,
            asked: Arc::default(),
            poison: Arc::default(),
        }
    }
}

impl FakeAudit {
    /// Refuses every statement that holds a row like this.
    pub fn refuse(&self, poison: impl Fn(&AuditEntry) -> bool + Send + Sync + 'static) {
        *self.poison.lock().unwrap() = Some(Arc::new(poison));
    }

    /// The rows in the order in which they came, once there are this many.
    pub async fn rows(&self, count: usize) -> Vec<AuditEntry> {
        let mut table = self.table.subscribe();
        let table = table
            .wait_for(|table| table.rows.len() >= count)
            .await
            .unwrap();
        table.rows.clone()
    }

    pub fn stored(&self) -> usize {
        self.table.borrow().rows.len()
    }

    /// How many rows each committed statement brought.
    pub fn inserts(&self) -> Vec<usize> {
        self.table.borrow().inserts.clone()
    }

    /// Every request in order, whatever its outcome.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Removes or resets positions, as in another database or a backup.
    pub fn set_back(&self, change: impl FnOnce(&mut BTreeMap<Uuid, u64>, &mut Vec<AuditEntry>)) {
        self.table
            .send_modify(|table| change(&mut table.positions, &mut table.rows));
    }

    fn position_of(&self, journal: Uuid) -> u64 {
        let mut position = 0;
        self.table.send_modify(|table| {
            position = *table.positions.entry(journal).or_default();
        });
        position
    }

    fn commit(&self, flush: &Flush) -> Flushed {
        let mut done = Flushed::Elsewhere;
        self.table.send_if_modified(|table| {
            if table.positions.get(&flush.journal) != Some(&flush.expected) {
                return false;
            }
            done = Flushed::Done;
            table.positions.insert(flush.journal, flush.through);
            table
                .rows
                .extend(flush.rows.iter().map(|(_, entry)| entry.clone()));
            if !flush.rows.is_empty() {
                table.inserts.push(flush.rows.len());
            }
            true
        });
        done
    }

    fn refuses(&self, rows: &[(u64, AuditEntry)]) -> bool {
        let poison = self.poison.lock().unwrap().clone();
        poison.is_some_and(|poison| rows.iter().any(|(_, entry)| poison(entry)))
    }
}

impl AuditStore for FakeAudit {
    fn position(&self, journal: Uuid) -> PortFuture<Result<u64, PortError>> {
        self.asked.lock().unwrap().push(Asked::Position);
        let (store, fault) = (self.clone(), self.on_position.next());
        Box::pin(async move {
            if Script::act(fault).await? {
                return Err(lost());
            }
            Ok(store.position_of(journal))
        })
    }

    fn append(&self, flush: Flush) -> PortFuture<Result<Flushed, PortError>> {
        self.asked.lock().unwrap().push(Asked::Append);
        let (store, fault) = (self.clone(), self.on_append.next());
        Box::pin(async move {
            let lose = Script::act(fault.clone()).await?;
            if store.refuses(&flush.rows) {
                return Err(PortError::Rejected("22P05".to_owned()));
            }
            let done = store.commit(&flush);
            Fault::after(fault).await;
            if lose { Err(lost()) } else { Ok(done) }
        })
    }
}
