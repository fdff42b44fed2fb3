//! A table whose reading takes longer than any test waits: a call really is running in the database, and stays there.

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::soon;
use crate::support::TestApp;
use crate::support::eventually::eventually;

/// Reading one row takes longer than the service's time limit for a statement, which is longer than `soon` waits.
const SLOW: &str = "CREATE FUNCTION public.wait() RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT pg_sleep(600) IS NOT NULL';
    ALTER TABLE finance.transactions ENABLE ROW LEVEL SECURITY;
    CREATE POLICY slow ON finance.transactions FOR SELECT USING (public.wait())";

const AT_WORK: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";

pub struct SlowTable(Client);

impl SlowTable {
    pub async fn of(app: &TestApp) -> Self {
        let (id, secret) = app.push_connection("finance.transactions").await;
        let row =
            json!([{ "id": "one", "amount": -3, "currency": "EUR", "booked_on": "2026-03-01" }]);
        let push = app.request(reqwest::Method::POST, &format!("/api/ingest/{id}"));
        app.send(push.bearer_auth(secret).json(&row))
            .await
            .expect(200);
        let client = app.database.connect_as_superuser().await;
        client.batch_execute(SLOW).await.unwrap();
        Self(client)
    }

    /// The arguments of a `query` that has to read the whole table, so that it is cancelled when it is given up.
    pub fn query() -> Value {
        json!({ "target": "finance.transactions", "count": true })
    }

    async fn readers(&self) -> i64 {
        self.0.query_one(AT_WORK, &[]).await.unwrap().get(0)
    }

    pub async fn is_at_work(&self) {
        eventually("a call is in the database", async || {
            self.readers().await == 1
        })
        .await;
    }

    /// Returns once no statement reads the table any more, long before the database's own time limit.
    pub async fn wait_until_left(&self) {
        soon(
            "the database is left",
            eventually("no reader", async || self.readers().await == 0),
        )
        .await;
    }
}
