//! What goes wrong while an upload is stored.

use serde_json::json;

use super::{Upload, counts, mailbox, rows};
use crate::support::TestApp;
use crate::support::database::administer;
use crate::support::eventually::eventually;

const MESSAGES: usize = 8_000;

/// The database goes away for a moment, and for good: nothing is lost, nothing is stored twice.
#[actix_web::test]
async fn a_database_that_goes_away_loses_and_doubles_nothing() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    upload.put("box.mbox", mailbox(MESSAGES)).await;
    app.post(&upload.path("/run"), json!({})).await.expect(202);
    eventually("a batch is stored", async || {
        upload.job().await["totals"]["inserted"].as_u64().unwrap() > 0
    })
    .await;
    app.lose_database().await;
    let name = app
        .database
        .service_config()
        .get_dbname()
        .unwrap()
        .to_owned();
    administer(vec![format!(
        "ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true"
    )])
    .await;
    let ended = upload.ended().await;
    assert_eq!(ended["state"], "done", "{ended}");
    let [taken, ..] = counts(&ended["totals"]);
    assert_eq!(taken, MESSAGES as u64);
    assert_eq!(rows(&app, "mail.messages").await, MESSAGES as i64);
}

#[actix_web::test]
async fn a_connection_that_is_paused_meanwhile_takes_nothing_more() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    upload.put("box.mbox", mailbox(MESSAGES)).await;
    app.post(&upload.path("/run"), json!({})).await.expect(202);
    let mut id = String::new();
    eventually("its connection is there", async || {
        let job = upload.job().await;
        id = job["tables"][0]["connectionId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        !id.is_empty()
    })
    .await;
    app.pause(&id).await.expect(200);
    let ended = upload.ended().await;
    let [taken, _, _, _, refused] = counts(&ended["totals"]);
    assert_eq!(taken + refused, MESSAGES as u64, "{}", ended["totals"]);
    assert!(refused > 0, "it was stored before it could be paused");
    assert_eq!(
        rows(&app, "mail.messages").await,
        i64::try_from(taken).unwrap()
    );
    let reason = ended["refusals"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "its connection was paused or removed meanwhile");
}
