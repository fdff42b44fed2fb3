//! An audit log with many rows, as the benchmarks have it, and the planner's statistics on it.

use tokio_postgres::Client;

const FILL: &str = include_str!("../../../benches/audit/fill.sql");

/// Adds the rows `first` to `last`, with the triggers on, and analyses the tables.
pub async fn fill(database: &Client, first: u64, last: u64) {
    let fill = FILL
        .replace("{first}", &first.to_string())
        .replace("{last}", &last.to_string());
    database.batch_execute(&fill).await.unwrap();
    analyse(database).await;
}

pub async fn analyse(database: &Client) {
    let tables = "ANALYZE audit_log, audit_hourly";
    database.batch_execute(tables).await.unwrap();
}
