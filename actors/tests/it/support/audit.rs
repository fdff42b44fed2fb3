use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use sextant_actors::ports::{AuditStore, PortFuture, StoreError};
use sextant_actors::record::Entry;
use tokio::sync::watch;

use super::faults::{Script, lost};

type Poison = Arc<dyn Fn(&Entry) -> bool + Send + Sync>;

#[derive(Clone, Default)]
struct Table {
    rows: BTreeMap<i64, Entry>,
    next_id: i64,
    inserts: Vec<usize>,
    draws: Vec<usize>,
}

/// The table `audit_log`.
#[derive(Clone)]
pub struct FakeAudit {
    pub on_draw: Script,
    pub on_insert: Script,
    table: watch::Sender<Table>,
    poison: Arc<Mutex<Option<Poison>>>,
}

impl Default for FakeAudit {
    fn default() -> Self {
        Self {
            on_draw: Script::default(),
            on_insert: Script::default(),
            table: watch::channel(Table::default()).0,
            poison: Arc::default(),
        }
    }
}

impl FakeAudit {
    /// Refuses every statement that holds a row like this.
    pub fn refuse(&self, poison: impl Fn(&Entry) -> bool + Send + Sync + 'static) {
        *self.poison.lock().unwrap() = Some(Arc::new(poison));
    }

    /// The rows in the order of their ids, once there are so many.
    pub async fn rows(&self, count: usize) -> Vec<Entry> {
        let mut table = self.table.subscribe();
        let table = table
            .wait_for(|table| table.rows.len() >= count)
            .await
            .unwrap();
        table.rows.values().cloned().collect()
    }

    pub fn stored(&self) -> usize {
        self.table.borrow().rows.len()
    }

    /// How many rows each statement that was committed brought.
    pub fn inserts(&self) -> Vec<usize> {
        self.table.borrow().inserts.clone()
    }

    pub fn draws(&self) -> Vec<usize> {
        self.table.borrow().draws.clone()
    }

    fn commit(&self, rows: &[(i64, Entry)]) {
        self.table.send_modify(|table| {
            let before = table.rows.len();
            for (id, entry) in rows {
                table.rows.entry(*id).or_insert_with(|| entry.clone());
            }
            table.inserts.push(table.rows.len() - before);
        });
    }

    fn draw(&self, count: usize) -> Vec<i64> {
        let mut first = 0;
        self.table.send_modify(|table| {
            first = table.next_id;
            table.next_id += count as i64;
            table.draws.push(count);
        });
        (first..first + count as i64).collect()
    }

    fn refuses(&self, rows: &[(i64, Entry)]) -> bool {
        let poison = self.poison.lock().unwrap().clone();
        poison.is_some_and(|poison| rows.iter().any(|(_, entry)| poison(entry)))
    }
}

impl AuditStore for FakeAudit {
    fn draw_ids(&self, count: usize) -> PortFuture<Result<Vec<i64>, StoreError>> {
        let (store, fault) = (self.clone(), self.on_draw.next());
        Box::pin(async move {
            if Script::act(fault).await? {
                return Err(lost());
            }
            Ok(store.draw(count))
        })
    }

    fn insert(&self, rows: Arc<Vec<(i64, Entry)>>) -> PortFuture<Result<(), StoreError>> {
        let (store, fault) = (self.clone(), self.on_insert.next());
        Box::pin(async move {
            let lose = Script::act(fault).await?;
            if store.refuses(&rows) {
                return Err(StoreError::Rejected("22P05".to_owned()));
            }
            store.commit(&rows);
            if lose { Err(lost()) } else { Ok(()) }
        })
    }
}
