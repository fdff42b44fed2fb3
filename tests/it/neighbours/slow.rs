//! Bookings, reading each of which takes longer than any test waits.

use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;

use crate::support::TestApp;
use crate::support::eventually::eventually;

const SLOW: &str = "CREATE FUNCTION public.wait() RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT pg_sleep(600) IS NOT NULL';
    ALTER TABLE finance.transactions ENABLE ROW LEVEL SECURITY;
    CREATE POLICY slow ON finance.transactions FOR SELECT USING (public.wait())";
const INSERT: &str =
    "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on)
    SELECT md5('slow')::uuid, $1, id, 'slow', -1, '2026-03-01' FROM connections";
const AT_WORK: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";

pub struct SlowRows(Client);

impl SlowRows {
    pub async fn of(app: &TestApp) -> Self {
        app.push_connection("finance.transactions").await;
        let client = app.database.connect_as_superuser().await;
        client.execute(INSERT, &[&OPERATOR]).await.unwrap();
        client.batch_execute(SLOW).await.unwrap();
        Self(client)
    }

    /// A query that is not cheap.
    pub fn counted() -> Value {
        json!({ "target": "finance.transactions", "count": true })
    }

    /// The number of statements in the database that read them.
    pub async fn at_work(&self) -> i64 {
        self.0.query_one(AT_WORK, &[]).await.unwrap().get(0)
    }

    pub async fn until_at_work(&self, reads: usize) {
        let reads = i64::try_from(reads).unwrap();
        eventually("the reads are in the database", async || {
            self.at_work().await == reads
        })
        .await;
    }
}
