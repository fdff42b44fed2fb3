//! A set-up in which all is well, and what is told of a check afterwards.

use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{NAME, OWN_NAME, Setup, World, check, settings_by, step, try_to_check};
use crate::exposure::{PUBLIC, clear, publish};
use crate::support::{TestApp, certificates};

/// What the status tells of the last check.
async fn told(app: &TestApp) -> Value {
    let status = app.get("/api/status").await.expect(200);
    let exposure = app.get("/api/exposure").await.expect(200);
    assert_eq!(status["exposure"]["check"], exposure["check"]);
    exposure["check"].clone()
}

#[actix_web::test]
async fn r501_a_whole_set_up_passes_every_step_and_leaves_nothing_behind() {
    if !certificates::can_be_made("r501_a_whole_set_up_passes_every_step_and_leaves_nothing_behind")
    {
        return;
    }
    let World { app, front, .. } = Setup::default().start().await;
    assert_eq!(told(&app).await, Value::Null);
    let report = check(&app).await;
    for step in report["steps"].as_array().unwrap() {
        assert_eq!(step["outcome"], "passed", "{report:#}");
        assert_eq!(step["remedy"], Value::Null);
    }
    assert_eq!(report["steps"].as_array().unwrap().len(), 12);
    let short = json!({ "at": report["at"], "ok": true, "message": report["message"] });
    assert_eq!(told(&app).await, short);
    assert_eq!(app.agents().await, json!([]));
    let exposure = app.get("/api/exposure").await.expect(200);
    assert_eq!(exposure["signIns"], json!([]));
    // What is told afterwards reaches nothing.
    front.close().await;
    assert_eq!(told(&app).await, short);
    assert_eq!(check(&app).await["ok"], false);
    assert_eq!(told(&app).await["ok"], false);
}

#[actix_web::test]
async fn a_check_is_of_the_address_that_stands_and_needs_one() {
    if !certificates::can_be_made("a_check_is_of_the_address_that_stands_and_needs_one") {
        return;
    }
    let world = Setup::default().start().await;
    let app = &world.app;
    check(app).await;
    publish(app, "https://other.example").await;
    assert_eq!(told(app).await, Value::Null);
    let report = check(app).await;
    assert_eq!(step(&report, "resolves")["outcome"], "failed");
    publish(app, PUBLIC).await;
    assert_eq!(told(app).await, Value::Null);
    clear(app).await;
    let refused = try_to_check(app).await;
    refused.expect_problem(409, "conflict", None);
}

#[actix_web::test]
async fn without_the_database_nothing_can_sign_in_and_the_check_says_so() {
    if !certificates::can_be_made("without_the_database_nothing_can_sign_in_and_the_check_says_so")
    {
        return;
    }
    let world = Setup::default().start().await;
    world.app.lose_database().await;
    try_to_check(&world.app)
        .await
        .expect_problem(503, "unavailable", None);
    assert_eq!(
        world.app.get("/api/status").await.expect(200)["exposure"]["check"],
        Value::Null
    );
}

#[actix_web::test]
async fn a_nonce_that_nobody_sent_is_not_known() {
    let app = TestApp::start().await;
    publish(&app, PUBLIC).await;
    let path = "/.well-known/sextant/made-up";
    for host in ["box.example", "127.0.0.1"] {
        let asked = crate::exposure::by_host(&app, Method::GET, host, path);
        assert_eq!(crate::exposure::status_of(asked).await, 404);
    }
    let foreign = crate::exposure::by_host(&app, Method::GET, "evil.example", path);
    assert_eq!(crate::exposure::status_of(foreign).await, 403);
}

#[actix_web::test]
async fn one_check_runs_at_a_time_and_the_next_waits_for_nothing_once_it_has_ended() {
    let test = "one_check_runs_at_a_time_and_the_next_waits_for_nothing_once_it_has_ended";
    if !certificates::can_be_made(test) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = certificates::make(folder.path(), OWN_NAME);
    // A front that says nothing, until it is gone.
    let front = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let names = [(NAME, front.local_addr().unwrap())];
    let app = TestApp::start_with(settings_by(&made.authority, &names)).await;
    publish(&app, PUBLIC).await;
    let meanwhile = async {
        let _held = front.accept().await.unwrap();
        let refused = try_to_check(&app).await;
        drop(front);
        refused
    };
    let (report, refused) = join(check(&app), meanwhile).await;
    assert_eq!(report["ok"], false);
    refused.expect_problem(409, "conflict", None);
    assert_eq!(check(&app).await["ok"], false);
}
