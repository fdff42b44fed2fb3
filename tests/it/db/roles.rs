//! What agents' reads may see, and the message for an operator who may not create roles.

use sextant::db::{DatabaseError, RoleError, StoreError, grant_reader};
use tokio_postgres::Client;

use super::read_rows;
use crate::support::TestDatabase;
use crate::support::cluster::connect;
use crate::support::database::administer;

async fn code_of(client: &Client, sql: &str) -> String {
    match client.batch_execute(sql).await {
        Ok(()) => "ok".into(),
        Err(error) => error.code().unwrap().code().to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reader_sees_the_sectors_and_the_granted_columns_only() {
    let database = TestDatabase::create().await;
    let reader = connect(&database.reader_config()).await;
    for sql in [
        "SELECT id FROM finance.transactions",
        "SELECT id FROM mail.messages",
        "SELECT id FROM calendar.series",
        "SELECT id FROM contacts.people",
        "SELECT id FROM health.samples",
        "SELECT id FROM home.entities",
        "SELECT amount FROM sums.transactions_by_month",
        "SELECT amount FROM sums.transactions_by_month_and_sign",
        "SELECT rows FROM sums.counts",
        "SELECT id, user_id, provider, label, sector, paused_at, removed_at, target_table, health, problem, window_days, \
         retry_at, last_success_at, created_at, interval_s, expires_at FROM connections",
        "SELECT user_id, connection_id, scope, window_start, window_end, is_begun FROM sync_cursors",
    ] {
        assert_eq!(code_of(&reader, sql).await, "ok", "{sql}");
    }
    for sql in [
        "SELECT config FROM connections",
        "SELECT cursor FROM sync_cursors",
        "SELECT account FROM sign_ins",
        "SELECT key FROM source_items",
        "SELECT ingest_secret_sha256 FROM connections",
        "SELECT name FROM agents",
        "SELECT amount FROM evidence.month_notes",
        "SELECT rows FROM evidence.count_notes",
        "SELECT id FROM audit_log",
        "SELECT version FROM schema_migrations",
    ] {
        assert_eq!(code_of(&reader, sql).await, "42501", "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reader_writes_nothing_even_when_it_undoes_its_settings() {
    let database = TestDatabase::create().await;
    let reader = connect(&database.reader_config()).await;
    assert_eq!(
        code_of(&reader, "DELETE FROM finance.transactions").await,
        "25006"
    );
    reader
        .batch_execute("SET default_transaction_read_only = off")
        .await
        .unwrap();
    for sql in [
        "DELETE FROM finance.transactions",
        "CREATE TEMP TABLE t (id int)",
        "CREATE TABLE public.t (id int)",
    ] {
        assert_eq!(code_of(&reader, sql).await, "42501", "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_given_by_hand_is_gone_after_the_next_start() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    owner
        .batch_execute("GRANT SELECT ON agents TO sextant_reader")
        .await
        .unwrap();
    grant_reader(&owner).await.unwrap();
    let reader = connect(&database.reader_config()).await;
    assert_eq!(code_of(&reader, "SELECT name FROM agents").await, "42501");
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_database_url_reads_put_the_role_on() {
    let database = TestDatabase::create().await;
    let open = database.open().await.unwrap();
    let mut reader = open.readers().other.get().await.unwrap();
    let sql = "SELECT current_user::text, current_setting('default_transaction_read_only'), \
        current_setting('statement_timeout'), current_setting('application_name')";
    let row = &reader.query(sql, &[]).await.unwrap()[0];
    let said: Vec<String> = (0..4).map(|index| row.get(index)).collect();
    assert_eq!(said, ["sextant_reader", "on", "30s", "sextant"]);
    let refused = reader
        .query("SELECT name FROM agents", &[])
        .await
        .unwrap_err();
    assert!(matches!(refused, StoreError::Fault { .. }), "{refused}");
    drop(reader);
    open.stop().await.unwrap();
}

/// A database owned by a role that may not create roles and has prepared none.
async fn of_a_stranger(role: &str) -> TestDatabase {
    administer(vec![
        format!("DROP ROLE IF EXISTS {role}"),
        format!("CREATE ROLE {role} LOGIN"),
    ])
    .await;
    let database = TestDatabase::made_with(&format!("OWNER {role}")).await;
    administer(vec![format!(
        "GRANT CONNECT ON DATABASE template1 TO {role}"
    )])
    .await;
    database
}

async fn dismiss(role: &str, database: TestDatabase) {
    drop(database);
    administer(vec![
        format!("REVOKE CONNECT ON DATABASE template1 FROM {role}"),
        format!("DROP ROLE {role}"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_make_roles_is_told_what_to_run() {
    let database = of_a_stranger("stranger_refused").await;
    let Err(error) = database.open_as("stranger_refused", true).await else {
        panic!("it opened")
    };
    assert!(
        matches!(error, DatabaseError::Role(RoleError::NotAllowed { .. })),
        "{error}"
    );
    let said = error.to_string();
    assert!(
        said.contains(
            "CREATE ROLE sextant_reader NOLOGIN; GRANT sextant_reader TO \"stranger_refused\";"
        ),
        "{said}"
    );
    assert!(said.contains("reader_role = false"));
    administer(vec!["GRANT sextant_reader TO stranger_refused".into()]).await;
    let open = database
        .open_as("stranger_refused", true)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    open.stop().await.unwrap();
    dismiss("stranger_refused", database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_role_reads_are_read_only_and_the_operator_is_warned() {
    let database = of_a_stranger("stranger_alone").await;
    let open = database
        .open_as("stranger_alone", false)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(open.warnings().len(), 1);
    let mut reader = open.readers().other.get().await.unwrap();
    let error = reader
        .query("DELETE FROM finance.transactions", &[])
        .await
        .unwrap_err();
    assert!(error.to_string().contains("25006"), "{error}");
    drop(reader);
    open.stop().await.unwrap();
    dismiss("stranger_alone", database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_make_roles_needs_nobody() {
    administer(vec![
        "DROP ROLE IF EXISTS maker".into(),
        "CREATE ROLE maker LOGIN CREATEROLE".into(),
    ])
    .await;
    let database = TestDatabase::made_with("OWNER maker").await;
    let open = database
        .open_as("maker", true)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let rows = read_rows(&open, "SELECT current_user::text").await.unwrap();
    assert_eq!(rows[0].get::<_, String>(0), "sextant_reader");
    open.stop().await.unwrap();
    drop(database);
    administer(vec!["DROP ROLE maker".into()]).await;
}
