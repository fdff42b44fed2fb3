//! How files arrive.

use std::os::unix::fs::PermissionsExt as _;

use reqwest::Method;
use serde_json::json;

use super::{BOOKINGS, Upload};
use crate::support::TestApp;
use crate::support::app::settings;

#[actix_web::test]
async fn no_path_leads_out_of_the_upload() {
    let settings = settings();
    let folder = settings.uploads.folder.clone();
    let app = TestApp::start_with(settings).await;
    let upload = Upload::open(&app).await;
    for path in [
        "../x",
        "a/../../x",
        "/etc/x",
        "a//b",
        "",
        "a/",
        ".",
        "x\0y",
        "a\nb",
    ] {
        upload
            .send(path, "x")
            .await
            .expect_problem(400, "invalid", Some("path"));
    }
    upload.put("a/b.csv", BOOKINGS).await;
    for path in ["a", "a/b.csv/c"] {
        upload
            .send(path, "x")
            .await
            .expect_problem(400, "invalid", None);
    }
    let kept = folder.join(&upload.id);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&kept), mode(&kept.join("files/a"))), (0o700, 0o700));
    assert_eq!(mode(&kept.join("files/a/b.csv")), 0o600);
    let parts = std::fs::read_dir(&kept).unwrap();
    let names: Vec<_> = parts.map(|part| part.unwrap().file_name()).collect();
    assert!(
        !names
            .iter()
            .any(|name| name.to_string_lossy().ends_with(".part")),
        "{names:?}"
    );
}

#[actix_web::test]
async fn a_file_that_is_sent_again_replaces_the_first() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    upload.put("bank.csv", "twelve bytes").await;
    upload.put("bank.csv", BOOKINGS).await;
    let job = upload.job().await;
    assert_eq!(
        (&job["filesReceived"], &job["bytesReceived"]),
        (&json!(1), &json!(BOOKINGS.len()))
    );
}

#[actix_web::test]
async fn a_disk_without_room_is_told_before_the_body_and_nothing_is_kept() {
    let mut settings = settings();
    settings.uploads.free_bytes_min = u64::MAX;
    let app = TestApp::start_with(settings).await;
    let upload = Upload::open(&app).await;
    let answer = upload.send("bank.csv", BOOKINGS).await;
    assert!(answer.text.contains("make room"), "{}", answer.text);
    answer.expect_problem(503, "unavailable", None);
    assert_eq!(upload.job().await["filesReceived"], 0);
}

#[actix_web::test]
async fn what_another_site_or_a_form_sends_is_refused() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    let request = |media: &str| {
        let request = app.request(Method::POST, &upload.path("/files?path=a.ics"));
        request.header("content-type", media).body("x")
    };
    for media in ["text/plain", "multipart/form-data", "application/json"] {
        app.send(request(media))
            .await
            .expect_problem(415, "unsupported_media_type", None);
    }
    let crossing = request("application/octet-stream").header("sec-fetch-site", "cross-site");
    app.send(crossing)
        .await
        .expect_problem(403, "forbidden_host", None);
}

#[actix_web::test]
async fn uploads_are_few_and_what_is_asked_of_none_is_said() {
    let app = TestApp::start().await;
    let first = Upload::open(&app).await;
    let mut last = String::new();
    for _ in 1..8 {
        last = Upload::open(&app).await.id;
    }
    app.post("/api/uploads", json!({}))
        .await
        .expect_problem(409, "conflict", None);
    let done = Upload::of(&app, &last);
    done.put_fixtures(&[super::CALENDAR]).await;
    assert_eq!(done.run().await["state"], "done");
    Upload::open(&app).await;
    assert_eq!(app.get(&done.path("")).await.status, 404, "it made room");
    app.post(&first.path("/run"), json!({}))
        .await
        .expect_problem(409, "conflict", None);
    let removed = app.send(app.request(Method::DELETE, &first.path(""))).await;
    assert_eq!(removed.status, 204);
    app.get(&first.path(""))
        .await
        .expect_problem(404, "not_found", None);
    first
        .send("a.ics", "x")
        .await
        .expect_problem(404, "not_found", None);
    let listed = app.get("/api/uploads").await.expect(200);
    assert_eq!(listed["uploads"].as_array().unwrap().len(), 7);
}
