//! A sector's row has a user and a connection that are there, and neither goes while rows have it.

use sextant::catalog::{self, Table};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::support::TestDatabase;
use crate::support::eventually::eventually;

/// The error of a row whose user or connection is not there, and of a user or connection that rows still have.
const FOREIGN_KEY: &str = "23503";
/// A connection of the operator's.
const CONNECTION: Uuid = Uuid::from_u128(1);
/// A user without connections.
const OTHER: Uuid = Uuid::from_u128(2);
/// Neither a user nor a connection.
const STRANGER: Uuid = Uuid::from_u128(3);

async fn code_of(client: &Client, sql: &str) -> String {
    match client.batch_execute(sql).await {
        Ok(()) => "ok".to_owned(),
        Err(error) => error.code().unwrap().code().to_owned(),
    }
}

/// Every table that holds rows of a sector, and that of the days that devices pushed.
fn tables() -> impl Iterator<Item = String> {
    let stored = catalog::tables().filter(|table| table.is_stored());
    stored
        .map(Table::target)
        .chain(["evidence.days".to_owned()])
}

/// Inserts a tombstone, which every table takes.
fn insert(table: &str, user: Uuid, connection: Uuid) -> String {
    let id = Uuid::nil();
    let removed_at = catalog::by_target(table).map_or("deleted_at", Table::removed_column);
    format!(
        "INSERT INTO {table} (id, user_id, connection_id, source_id, {removed_at})
         VALUES ('{id}', '{user}', '{connection}', '{id}', now())"
    )
}

async fn with_connection() -> (TestDatabase, Client) {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    let insert = format!(
        "INSERT INTO connections (id, user_id, provider, label, sector, target_table)
         VALUES ('{CONNECTION}', '{OPERATOR}', 'push', 'a', 'home', 'entities')"
    );
    owner.batch_execute(&insert).await.unwrap();
    (database, owner)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_is_of_a_stranger_and_no_owner_goes_while_rows_have_it() {
    let (_database, owner) = with_connection().await;
    let insert_user = format!("INSERT INTO users (id) VALUES ('{OTHER}')");
    owner.batch_execute(&insert_user).await.unwrap();
    let forget = format!("DELETE FROM connections WHERE id = '{CONNECTION}'");
    let rename = format!("UPDATE connections SET id = '{STRANGER}' WHERE id = '{CONNECTION}'");
    for table in tables() {
        for (user, from) in [(STRANGER, CONNECTION), (OPERATOR, STRANGER)] {
            let refused = code_of(&owner, &insert(&table, user, from)).await;
            assert_eq!(refused, FOREIGN_KEY, "{table}");
        }
        let stored = code_of(&owner, &insert(&table, OTHER, CONNECTION)).await;
        assert_eq!(stored, "ok", "{table}");
        for sql in [
            &format!("UPDATE {table} SET connection_id = '{STRANGER}'"),
            &format!("UPDATE {table} SET user_id = '{STRANGER}'"),
            &forget,
            &rename,
            &format!("DELETE FROM users WHERE id = '{OTHER}'"),
        ] {
            assert_eq!(code_of(&owner, sql).await, FOREIGN_KEY, "{table}: {sql}");
        }
        let emptied = code_of(&owner, &format!("DELETE FROM {table}")).await;
        assert_eq!(emptied, "ok", "{table}");
    }
    assert_eq!(code_of(&owner, &rename).await, "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_and_the_removal_of_its_connection_wait_for_each_other() {
    let (database, owner) = with_connection().await;
    let rival = database.connect().await;
    let pid = "SELECT pg_backend_pid()";
    let pid: i32 = rival.query_one(pid, &[]).await.unwrap().get(0);
    let forget = format!("DELETE FROM connections WHERE id = '{CONNECTION}'");
    let row = insert("home.entities", OPERATOR, CONNECTION);
    for (first, second) in [(&row, &forget), (&forget, &row)] {
        owner
            .batch_execute(&format!("BEGIN; {first}"))
            .await
            .unwrap();
        let (code, ()) = tokio::join!(code_of(&rival, second), async {
            eventually("the second waits", async || is_blocked(&owner, pid).await).await;
            owner.batch_execute("COMMIT").await.unwrap();
        });
        assert_eq!(code, FOREIGN_KEY, "{second}");
        owner
            .batch_execute("DELETE FROM home.entities")
            .await
            .unwrap();
    }
}

async fn is_blocked(client: &Client, pid: i32) -> bool {
    let blocked = "SELECT cardinality(pg_blocking_pids($1)) > 0";
    client.query_one(blocked, &[&pid]).await.unwrap().get(0)
}
