//! A table locked by another transaction, so that calls on it stay in flight for as long as a test needs.

use tokio_postgres::Client;

use crate::support::TestApp;
use crate::support::eventually::eventually;

const HOLD: &str = "BEGIN; LOCK TABLE finance.accounts IN ACCESS EXCLUSIVE MODE";
const WAITING: &str = "SELECT count(*) FROM pg_locks
    WHERE NOT granted AND relation = 'finance.accounts'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

pub struct TableLock {
    holder: Client,
    onlooker: Client,
}

impl TableLock {
    /// Locks the table of accounts.
    pub async fn accounts(app: &TestApp) -> Self {
        let holder = app.database.connect_as_superuser().await;
        holder.batch_execute(HOLD).await.unwrap();
        Self {
            holder,
            onlooker: app.database.connect_as_superuser().await,
        }
    }

    /// Returns once this many calls wait for the lock.
    pub async fn wait_for_calls(&self, calls: i64) {
        eventually("the calls are in flight", async || {
            let waiting = self.onlooker.query_one(WAITING, &[]).await.unwrap();
            waiting.get::<_, i64>(0) == calls
        })
        .await;
    }

    pub async fn release(self) {
        self.holder.batch_execute("COMMIT").await.unwrap();
    }
}
