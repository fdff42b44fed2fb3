//! How the work on an upload ends: cancelled, interrupted, too old.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use sextant_actors::clock::{Clock as _, FrozenClock, SystemClock};

use super::{BOOKINGS, Upload, counts, mailbox, rows};
use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::{TestApp, TestDatabase};

/// More than a few batches.
const MESSAGES: usize = 12_000;

/// Waits until some of it is stored, and not all.
async fn some_stored(upload: &Upload<'_>) {
    eventually("a batch is stored", async || {
        upload.job().await["totals"]["inserted"].as_u64().unwrap() > 0
    })
    .await;
}

#[actix_web::test]
async fn cancelling_ends_between_batches_and_says_what_is_stored() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    upload.put("box.mbox", mailbox(MESSAGES)).await;
    app.post(&upload.path("/run"), json!({})).await.expect(202);
    some_stored(&upload).await;
    upload
        .send("late.csv", BOOKINGS)
        .await
        .expect_problem(409, "conflict", None);
    app.post(&upload.path("/run"), json!({}))
        .await
        .expect_problem(409, "conflict", None);
    let other = Upload::open(&app).await;
    other.put("bank.csv", BOOKINGS).await;
    app.post(&other.path("/check"), json!({}))
        .await
        .expect_problem(409, "conflict", None);
    app.post(&upload.path("/cancel"), json!({}))
        .await
        .expect(202);
    let cancelled = upload.ended().await;
    assert_eq!(cancelled["state"], "cancelled", "{}", cancelled["totals"]);
    let [taken, inserted, ..] = counts(&cancelled["totals"]);
    assert_eq!(taken, inserted);
    assert_eq!(
        rows(&app, "mail.messages").await,
        i64::try_from(inserted).unwrap()
    );
    assert!(
        inserted < MESSAGES as u64,
        "it was stored before it could be cancelled"
    );
    assert_eq!(cancelled["files"][0]["state"], "cutOff");

    let done = upload.run().await;
    let [taken, inserted_later, _, unchanged, refused] = counts(&done["totals"]);
    assert_eq!((taken, refused), (MESSAGES as u64, 0));
    assert_eq!((inserted_later + inserted, unchanged), (taken, inserted));
    assert_eq!(rows(&app, "mail.messages").await, MESSAGES as i64);
}

#[actix_web::test]
async fn a_stop_interrupts_it_and_run_again_it_stores_nothing_twice() {
    let app = TestApp::start().await;
    let settings_of_both = settings();
    let app = app.restart_with(settings_of_both.clone()).await;
    let upload = Upload::open(&app).await;
    upload.put("box.mbox", mailbox(MESSAGES)).await;
    app.post(&upload.path("/run"), json!({})).await.expect(202);
    some_stored(&upload).await;
    let id = upload.id.clone();
    let app = app.restart_with(settings_of_both).await;
    let upload = Upload::of(&app, &id);
    let job = upload.job().await;
    assert_eq!(job["state"], "interrupted", "{}", job["totals"]);
    assert_eq!(job["filesReceived"], 1);
    let stored = rows(&app, "mail.messages").await;
    assert!(stored < MESSAGES as i64, "it was stored before the stop");
    assert_eq!(job["totals"]["inserted"], stored);
    let done = upload.run().await;
    assert_eq!(done["state"], "done");
    assert_eq!(done["totals"]["unchanged"], stored);
    assert_eq!(rows(&app, "mail.messages").await, MESSAGES as i64);
}

/// As after `kill -9`: the state on the disk says that it is at work, and nobody is.
#[actix_web::test]
async fn what_was_at_work_when_the_process_died_is_interrupted() {
    let settings = settings();
    let app = TestApp::start_with(settings.clone()).await;
    let upload = Upload::open(&app).await;
    upload.put("bank.csv", BOOKINGS).await;
    upload.check().await;
    let id = upload.id.clone();
    let database = app.stop_in_order().await;
    let kept = settings.uploads.folder.join(&id).join("job.json");
    let text = std::fs::read_to_string(&kept).unwrap();
    std::fs::write(&kept, text.replace("\"checked\"", "\"running\"")).unwrap();
    std::fs::write(kept.with_file_name("x.part"), "half a file").unwrap();
    let app = TestApp::start_on(database, settings, Arc::new(SystemClock)).await;
    let upload = Upload::of(&app, &id);
    assert_eq!(upload.job().await["state"], "interrupted");
    assert!(!kept.with_file_name("x.part").exists());
    assert_eq!(upload.check().await["state"], "checked");
}

#[actix_web::test]
async fn what_is_older_than_a_day_is_gone_after_a_start() {
    let settings = settings();
    let now = SystemClock.now();
    let clock = FrozenClock::at(now);
    let database = TestDatabase::create().await;
    let app = TestApp::start_on(database, settings.clone(), Arc::new(clock)).await;
    let upload = Upload::open(&app).await;
    upload.put("bank.csv", BOOKINGS).await;
    let kept = settings.uploads.folder.join(&upload.id);
    let database = app.stop_in_order().await;
    let young = FrozenClock::at(now + Duration::from_secs(23 * 3_600));
    let app = TestApp::start_on(database, settings.clone(), Arc::new(young)).await;
    assert_eq!(
        app.get("/api/uploads").await.expect(200)["uploads"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let database = app.stop_in_order().await;
    let old = FrozenClock::at(now + Duration::from_secs(25 * 3_600));
    let app = TestApp::start_on(database, settings, Arc::new(old)).await;
    eventually("it is swept", async || !kept.exists()).await;
    assert_eq!(
        app.get("/api/uploads").await.expect(200)["uploads"],
        json!([])
    );
}

#[actix_web::test]
async fn an_erase_of_everything_removes_the_files_too() {
    let settings = settings();
    let folder = settings.uploads.folder.clone();
    let app = TestApp::start_with(settings).await;
    let upload = Upload::open(&app).await;
    upload.put("box.mbox", mailbox(MESSAGES)).await;
    app.post(&upload.path("/run"), json!({})).await.expect(202);
    some_stored(&upload).await;
    let of_mail = json!({ "scope": "sector", "sector": "mail" });
    let other = Upload::open(&app).await;
    app.post("/api/erase", of_mail).await.expect(200);
    assert_eq!(app.get(&other.path("")).await.status, 200);
    app.post("/api/erase", json!({ "scope": "all" }))
        .await
        .expect(200);
    let listed = app.get("/api/uploads").await.expect(200);
    assert_eq!(listed["uploads"], json!([]));
    assert_eq!(rows(&app, "mail.messages").await, 0);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}
