//! Migrations, and databases that are not suitable.

use sextant::db::{
    Database, DatabaseError, DatabaseOptions, MIGRATIONS, MigrateError, Migration, Place,
    PoolLimits, migrate,
};

use crate::support::TestDatabase;
use crate::support::database::drivers;

/// The error with which it fails to open.
async fn refusal(database: &TestDatabase) -> DatabaseError {
    database.open().await.map(drop).unwrap_err()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_is_current_is_left_alone() {
    let database = TestDatabase::create().await;
    let mut owner = database.connect().await;
    assert_eq!(migrate(&mut owner, MIGRATIONS).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_fails_leaves_nothing_behind() {
    let database = TestDatabase::made_with("OWNER sextant").await;
    let mut owner = database.connect().await;
    let steps = [
        Migration {
            version: 1,
            name: "good",
            sql: "CREATE TABLE good (id int)",
        },
        Migration {
            version: 2,
            name: "bad",
            sql: "CREATE TABLE half (id int); SELECT 1 / 0",
        },
    ];
    let error = migrate(&mut owner, &steps).await.unwrap_err();
    assert!(matches!(error, MigrateError::Failed { version: 2, .. }));
    owner.batch_execute("SELECT id FROM good").await.unwrap();
    assert!(owner.batch_execute("SELECT id FROM half").await.is_err());
    let rest = [steps[0].sql, "CREATE TABLE half (id int)"];
    let mended = [
        Migration {
            version: 1,
            name: "good",
            sql: rest[0],
        },
        Migration {
            version: 2,
            name: "bad",
            sql: rest[1],
        },
    ];
    assert_eq!(migrate(&mut owner, &mended).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_a_newer_program_and_an_edited_step_are_refused() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    owner
        .batch_execute(
            "INSERT INTO schema_migrations (version, name, sha256) VALUES (9999, 'future', '')",
        )
        .await
        .unwrap();
    let error = refusal(&database).await;
    assert!(
        matches!(
            error,
            DatabaseError::Migrate(MigrateError::NewerDatabase { database: 9999, .. })
        ),
        "{error}"
    );
    owner
        .batch_execute("DELETE FROM schema_migrations WHERE version = 9999; UPDATE schema_migrations SET sha256 = '\\x00'")
        .await
        .unwrap();
    let error = refusal(&database).await;
    assert!(
        matches!(
            error,
            DatabaseError::Migrate(MigrateError::Edited { version: 1, .. })
        ),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_database_in_plain_c_is_refused_untouched() {
    let database =
        TestDatabase::made_with("OWNER sextant TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
            .await;
    let error = refusal(&database).await;
    assert!(error.to_string().contains("LOCALE 'C.UTF-8'"), "{error}");
    let owner = database.connect().await;
    let tables: i64 = owner
        .query_one(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'",
            &[],
        )
        .await
        .unwrap()
        .get(0);
    assert_eq!(tables, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_database_in_another_encoding_is_refused() {
    let database =
        TestDatabase::made_with("OWNER sextant TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
            .await;
    let error = refusal(&database).await;
    assert!(error.to_string().contains("SQL_ASCII"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_leads_nowhere_says_what_to_check_and_repeats_no_password() {
    for (url, hint) in [
        ("postgres://me:hunter2@127.0.0.1:1/data", "DATABASE_URL"),
        (
            "postgres://me:hunter2@127.0.0.1:not-a-port/data",
            "postgres://user:password@host:port",
        ),
    ] {
        let options = DatabaseOptions {
            place: Place::Foreign(url.into()),
            reader_role: true,
            limits: PoolLimits::default(),
            drivers: drivers(),
        };
        let Err(error) = Database::open(options).await else {
            panic!("it opened")
        };
        assert!(error.to_string().contains(hint), "{error}");
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}
