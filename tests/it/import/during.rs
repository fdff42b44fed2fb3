//! Requests during an import: the store must still be empty at its end, and only one import is accepted.

use std::io::{Seek as _, Write as _};

use serde_json::json;
use sextant::import::{Bundle, ImportError, import_bundle};
use tokio_postgres::Client;

use super::{assert_nothing_came, export, import};
use crate::support::TestApp;
use crate::support::eventually::eventually;
use crate::support::planted::plant_some;

async fn bundle() -> Vec<u8> {
    let app = TestApp::start().await;
    plant_some(&app, &["mail.messages"]).await;
    export(&app).await
}

async fn somebody_waits_for(onlooker: &Client, table: &str) {
    let sql = format!(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '{table}'::regclass"
    );
    eventually("somebody waits for the table", async || {
        let waiting = onlooker.query_one(&sql, &[]).await.unwrap();
        waiting.get::<_, i64>(0) == 1
    })
    .await;
}

/// The route checks before it reads the body; rows that come later are only seen within the transaction.
#[actix_web::test]
async fn a_row_that_came_before_the_first_one_keeps_an_import_out() {
    let (bundle, app) = (bundle().await, TestApp::start().await);
    plant_some(&app, &["contacts.people"]).await;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bundle).unwrap();
    file.rewind().unwrap();
    let refused = import_bundle(&app.pool, &Bundle::open(file).unwrap()).await;
    assert!(matches!(refused, Err(ImportError::NotEmpty)), "{refused:?}");
    assert_eq!(app.connections().await.as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_connection_that_is_made_during_an_import_waits_for_its_end() {
    let (bundle, app) = (bundle().await, TestApp::start().await);
    let holder = app.database.connect().await;
    // Reads go on, and the first statement that deletes waits.
    let hold = "BEGIN; LOCK TABLE mail.messages IN SHARE MODE";
    holder.batch_execute(hold).await.unwrap();
    let onlooker = app.database.connect().await;
    let made = async {
        somebody_waits_for(&onlooker, "mail.messages").await;
        let making = app.push_connection("contacts.people");
        let held = async {
            somebody_waits_for(&onlooker, "connections").await;
            holder.batch_execute("COMMIT").await.unwrap();
        };
        tokio::join!(making, held);
    };
    let (imported, ()) = tokio::join!(import(&app, bundle), made);
    assert_eq!(imported.expect(200)["connections"], 1);
    assert_eq!(app.connections().await.as_array().unwrap().len(), 2);
}

/// The connection exists already, and its rows are not committed yet when the import checks.
#[actix_web::test]
async fn a_push_under_way_is_waited_for_and_loses_nothing() {
    let (bundle, app) = (bundle().await, TestApp::start().await);
    let (id, secret) = app.push_connection("contacts.people").await;
    let (holder, onlooker) = (app.database.connect().await, app.database.connect().await);
    let hold = "BEGIN; LOCK TABLE contacts.people IN SHARE MODE";
    holder.batch_execute(hold).await.unwrap();
    let push = app
        .request(reqwest::Method::POST, &format!("/api/ingest/{id}"))
        .bearer_auth(secret)
        .json(&json!([{ "full_name": "Ada" }]));
    let imported = async {
        somebody_waits_for(&onlooker, "contacts.people").await;
        let importing = import(&app, bundle);
        let held = async {
            somebody_waits_for(&onlooker, "connections").await;
            holder.batch_execute("COMMIT").await.unwrap();
        };
        tokio::join!(importing, held).0
    };
    let (pushed, imported) = tokio::join!(app.send(push), imported);
    assert_eq!(pushed.expect(200)["inserted"], 1);
    imported.expect_problem(409, "conflict", None);
    let people = app.post("/api/data/contacts", json!({ "target": "people" }));
    assert_eq!(people.await.expect(200)["returned"], 1);
}

#[actix_web::test]
async fn only_one_is_taken_at_a_time() {
    let (bundle, app) = (bundle().await, TestApp::start().await);
    // An import whose file stops arriving.
    let begin = || {
        let silent = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
        let request = app
            .request(reqwest::Method::POST, "/api/import")
            .header("content-type", "application/zip");
        tokio::spawn(request.body(reqwest::Body::wrap_stream(silent)).send())
    };
    let mut first = begin();
    let asked = async || import(&app, b"no zip".to_vec()).await;
    eventually("the first has its turn", async || {
        // It may have been refused because of one of the others.
        if first.is_finished() {
            first = begin();
        }
        asked().await.text.contains("under way already")
    })
    .await;
    first.abort();
    eventually("its turn has ended with it", async || {
        asked().await.text.contains("no whole zip")
    })
    .await;
    assert_nothing_came(&app).await;
    import(&app, bundle).await.expect(200);
    assert_ne!(app.connections().await, json!([]));
}
