//! Requests that Schemathesis generates from the OpenAPI document, valid and invalid, against the service with the
//! sample household: no answer is a failure of the service, and none has a form that the document does not describe.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use reqwest::Method;
use tokio::process::Command;

use crate::support::answers::{a_message, household};
use crate::support::{TestApp, skipped};

/// Where `tests/peers/install.sh` installs it.
const PROGRAM: &str = "target/peers/schemathesis/bin/schemathesis";
/// Its configuration, with placeholders for what only a running service knows.
const SETTINGS: &str = include_str!("schemathesis.toml");
/// The checks for every answer. Its other checks are choices of style, such as 405 for another method, where this
/// port answers 404.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
/// All sectors but one: a denial is an answer as well.
const GRANTED: [&str; 5] = ["finance", "mail", "calendar", "contacts", "health"];
/// Fixed, so that the requests are the same in every run.
const SEED: &str = "20260715";

#[actix_web::test]
async fn r102_whatever_is_asked_the_answer_is_one_that_the_document_tells() {
    let name = "r102_whatever_is_asked_the_answer_is_one_that_the_document_tells";
    let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(PROGRAM);
    if !program.exists() {
        let why = "Schemathesis is missing; run tests/peers/install.sh";
        return skipped::for_want_of(name, why);
    }
    let (app, _) = household().await;
    let key = app.key_of("claude", &GRANTED).await;
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(&app, &key).await;
    std::fs::write(folder.path().join("settings.toml"), settings).unwrap();
    let output = run(&program, &app, folder.path()).await;
    assert!(output.status.success(), "{}", output_text(&output));
    // What the run needed must still be there at its end, or it has proven little.
    app.healthz().await.expect(200);
    let context = app.request(Method::GET, "/api/read/describe_context");
    app.send(context.bearer_auth(&key)).await.expect(200);
    a_message(&app).await;
}

/// The configuration with a key, a secret and names that exist.
async fn settings(app: &TestApp, key: &str) -> String {
    for name in ["passing", "leaving"] {
        app.key_of(name, &["home"]).await;
    }
    let (device, secret) = app.push_connection("home.entities").await;
    let (passing, _) = app.push_connection("home.entities").await;
    let (leaving, _) = app.push_connection("home.entities").await;
    let mail = a_message(app).await;
    let mut settings = SETTINGS.to_owned();
    for (place, value) in [
        ("<KEY>", key),
        ("<SECRET>", &secret),
        ("<DEVICE>", &device),
        ("<PASSING>", &passing),
        ("<LEAVING>", &leaving),
        ("<MAIL>", &mail),
    ] {
        settings = settings.replace(place, value);
    }
    settings
}

async fn run(program: &Path, app: &TestApp, folder: &Path) -> std::process::Output {
    Command::new(program)
        .args(["--config-file", "settings.toml", "run"])
        .arg(format!("http://{}/api/openapi.json", app.address()))
        .args(["--checks", CHECKS, "--seed", SEED])
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--request-timeout",
            "60",
        ])
        .current_dir(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap()
}

fn output_text(output: &std::process::Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .concat()
}
