//! The running service, and what happens to its bookings through its own surfaces: pushes, corrections, deletions,
//! accounts that arrive late, disconnects, erases, an export that is imported.

use reqwest::Method;
use serde_json::{Value, json};
use tokio_postgres::Client;

use super::super::chance::Chance;
use crate::support::TestApp;
use crate::support::app::Answer;

/// Ids of a connection's bookings: so few that most pushes change some.
const IDS: u64 = 40;
/// Days on both sides of the ends of months.
const DAYS: [&str; 9] = [
    "2025-12-31",
    "2026-01-01",
    "2026-01-31",
    "2026-02-01",
    "2026-02-28",
    "2026-03-01",
    "2026-03-15",
    "2026-12-31",
    "2027-01-01",
];
const AMOUNTS: [&str; 7] = [
    "-12.34",
    "-0.0001",
    "0",
    "0.0001",
    "7",
    "99999999999999.9999",
    "-7",
];

/// Bookings of several months, one deleted, as an earlier version stored them.
pub const EARLIER: &str = "
    INSERT INTO connections (id, user_id, provider, label, sector, target_table)
    SELECT '00000000-0000-4000-8000-0000000000c1', id, 'push', 'One', 'finance', 'finance.transactions' FROM users;
    INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, category, deleted_at)
    SELECT md5(n::text)::uuid, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c1', n,
        (n % 7 - 3)::numeric / 3, CASE WHEN n <> 5 THEN date '2026-01-31' + n END, nullif('food ' || n % 3, 'food 0'),
        CASE WHEN n = 5 THEN now() END
    FROM generate_series(1, 200) AS n";

/// The same as they are stored now.
pub fn present() -> String {
    EARLIER.replace("deleted_at", "removed_at")
}

/// Statements that empty all groups, and that add a booking to one.
pub const EMPTIES: &str = "DELETE FROM finance.transactions";
pub const ADDS: &str = "
    INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, currency, booked_on)
    SELECT gen_random_uuid(), user_id, id, gen_random_uuid(), -4, 'EUR', '2026-03-31' FROM connections";

/// What the sums must be, and what they are.
const DIFFERENCES: &str = "
    WITH told AS (
        SELECT user_id, connection_id, account_id, status, currency, category, date_trunc('month', booked_on)::date,
            sign(amount), count(*) AS rows, sum(amount)::text AS amount
        FROM finance.transactions
        WHERE deleted_at IS NULL
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ), told_together AS (
        SELECT user_id, connection_id, account_id, status, currency, category, date_trunc('month', booked_on)::date,
            count(*) AS rows, sum(amount)::text AS amount
        FROM finance.transactions
        WHERE deleted_at IS NULL
        GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), kept AS (
        SELECT user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows::bigint, amount::text
        FROM sums.transactions_by_month_and_sign
    ), kept_together AS (
        SELECT user_id, connection_id, account_id, status, currency, category, booked_on, rows::bigint, amount::text
        FROM sums.transactions_by_month
    )
    SELECT 'missing ' || missing::text FROM (TABLE told EXCEPT ALL TABLE kept) AS missing
    UNION ALL SELECT 'wrong ' || wrong::text FROM (TABLE kept EXCEPT ALL TABLE told) AS wrong
    UNION ALL SELECT 'missing ' || missing::text FROM (TABLE told_together EXCEPT ALL TABLE kept_together) AS missing
    UNION ALL SELECT 'wrong ' || wrong::text FROM (TABLE kept_together EXCEPT ALL TABLE told_together) AS wrong
    UNION ALL SELECT 'noted ' || noted::text FROM evidence.month_notes AS noted";

/// Asserts that the sums are those of the rows, and that no other sums are left.
pub async fn assert_exact(app: &TestApp, when: &str) {
    assert_exact_in(&app.database.connect().await, when).await;
}

pub async fn assert_exact_in(client: &Client, when: &str) {
    let rows = client.query(DIFFERENCES, &[]).await.unwrap();
    let differences: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert!(differences.is_empty(), "{when}: {differences:#?}");
}

/// Whether a commit waits for another transaction.
pub async fn is_one_waiting(app: &TestApp) -> bool {
    let sql = "SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query = 'COMMIT')";
    let client = app.database.connect().await;
    client.query_one(sql, &[]).await.unwrap().get(0)
}

/// A push connection.
pub struct Connection {
    pub id: String,
    secret: String,
}

pub async fn connection(app: &TestApp, target: &str, label: &str) -> Connection {
    let (sector, _) = target.split_once('.').unwrap();
    let body = json!({ "provider": "push", "sector": sector, "table": target, "label": label });
    let made = app.create_connection(body).await.expect(201);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Connection {
        id: text(&made["connections"][0]["id"]),
        secret: text(&made["secret"]),
    }
}

impl Connection {
    pub async fn push(&self, app: &TestApp, body: &Value) -> Answer {
        let request = app.request(Method::POST, &format!("/api/ingest/{}", self.id));
        app.send(request.bearer_auth(&self.secret).json(body)).await
    }
}

pub fn booking(id: &str, day: &str, amount: i64) -> Value {
    json!({ "id": id, "booked_on": day, "amount": amount, "currency": "EUR" })
}

/// The service with two banks, and a device that pushes their accounts.
pub struct Store {
    pub app: TestApp,
    banks: Vec<Connection>,
    accounts: Connection,
}

impl Store {
    pub async fn with_rows() -> Self {
        let app = TestApp::start().await;
        Self {
            banks: vec![
                connection(&app, "finance.transactions", "Bank").await,
                connection(&app, "finance.transactions", "Zwei").await,
            ],
            accounts: connection(&app, "finance.accounts", "Accounts").await,
            app,
        }
    }

    /// Makes one random change; returns its name.
    pub async fn act(&mut self, chance: &mut Chance) -> &'static str {
        let bank = chance.index(self.banks.len());
        match chance.below(20) {
            0 => self.disconnect(bank, "delete").await,
            1 => self.disconnect(bank, "keep").await,
            2 => self.erase(bank, chance).await,
            3 | 4 => {
                let account = json!({ "id": account(chance), "name": "Savings" });
                let body = match chance.is(70) {
                    true => json!({ "records": [account] }),
                    false => json!({ "deleted": [account["id"]] }),
                };
                self.accounts.push(&self.app, &body).await.expect(200);
                "accounts"
            }
            _ => {
                let body = push(chance);
                self.banks[bank].push(&self.app, &body).await.expect(200);
                "a push"
            }
        }
    }

    async fn disconnect(&mut self, bank: usize, rows: &str) -> &'static str {
        let gone = self.banks.swap_remove(bank);
        let body = json!({ "rows": rows });
        self.app.disconnect(&gone.id, body).await.expect(200);
        let fresh = connection(&self.app, "finance.transactions", "Bank").await;
        self.banks.push(fresh);
        "a disconnect"
    }

    async fn erase(&self, bank: usize, chance: &mut Chance) -> &'static str {
        let scope = match chance.below(3) {
            0 => json!({ "scope": "connection", "connectionId": self.banks[bank].id }),
            1 => json!({ "scope": "sector", "sector": "finance" }),
            _ => json!({ "scope": "all" }),
        };
        self.app.post("/api/erase", scope).await.expect(200);
        "an erase"
    }

    /// Exports the store and imports it into another; the export is not empty.
    pub async fn moved(self) -> TestApp {
        let records: Vec<Value> = DAYS
            .iter()
            .map(|day| booking(&format!("last {day}"), day, -3))
            .collect();
        let body = json!({ "records": records });
        self.banks[0].push(&self.app, &body).await.expect(200);
        let request = self.app.request(Method::GET, "/api/export");
        let bundle = request.send().await.unwrap().bytes().await.unwrap();
        let other = TestApp::start().await;
        let request = other.request(Method::POST, "/api/import");
        let request = request.header("content-type", "application/zip");
        other.send(request.body(bundle)).await.expect(200);
        other
    }
}

fn account(chance: &mut Chance) -> String {
    format!("account {}", chance.below(3))
}

fn push(chance: &mut Chance) -> Value {
    let mut ids: Vec<String> = (0..IDS).map(|id| id.to_string()).collect();
    let deleted = chance.some_of(&ids, 6);
    ids.retain(|id| !deleted.contains(id));
    let records = chance.some_of(&ids, 25);
    let records: Vec<Value> = records.into_iter().map(|id| record(id, chance)).collect();
    json!({ "records": records, "deleted": deleted })
}

/// A booking with few different values in each field, some left out; some differ in nothing but the amount.
fn record(id: String, chance: &mut Chance) -> Value {
    if chance.is(40) {
        let (day, amount) = (*chance.one_of(&DAYS), *chance.one_of(&[-5, -4, 3]));
        return booking(&id, day, amount);
    }
    let mut record = json!({
        "id": id, "booked_on": chance.one_of(&DAYS), "amount": chance.one_of(&AMOUNTS),
        "description": chance.one_of(&["coffee", "rent"]),
    });
    let fields: [(&str, &[&str]); 3] = [
        ("status", &["posted", "pending"]),
        ("currency", &["EUR", "CHF"]),
        ("category", &["food", "Rent 100%", "", "[\"a\"]"]),
    ];
    for (name, values) in fields {
        if chance.is(70) {
            record[name] = json!(chance.one_of(values));
        }
    }
    match chance.below(3) {
        0 => record["account_id"] = json!(account(chance)),
        1 => record["account"] = json!({ "id": account(chance), "name": "Current" }),
        _ => {}
    }
    record
}
