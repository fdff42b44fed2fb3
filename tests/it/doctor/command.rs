//! `sextant doctor`, the real program, asking a service that runs.

use std::process::{Output, Stdio};

use super::front::Spoiled;
use super::{Setup, World};
use crate::support::{TestApp, certificates};

/// Runs it against the Console port at this address, in a folder of its own.
async fn doctor(url: &str) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"));
    program
        .args(["doctor", "--url", url])
        .env_clear()
        .env("HOME", home.path())
        .current_dir(home.path())
        .stdin(Stdio::null());
    program.output().await.unwrap()
}

fn words(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

fn url(app: &TestApp) -> String {
    format!("http://{}", app.address())
}

#[actix_web::test]
async fn the_command_prints_a_line_a_step_and_ends_with_0_when_all_is_well() {
    if !certificates::can_be_made(
        "the_command_prints_a_line_a_step_and_ends_with_0_when_all_is_well",
    ) {
        return;
    }
    let World {
        app, front: _front, ..
    } = Setup::default().start().await;
    let output = doctor(&url(&app)).await;
    let (out, err) = words(&output);
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{out}");
    let passed = out.lines().filter(|line| line.starts_with("[ ok ] "));
    assert_eq!(passed.count(), 12, "{out}");
    assert!(
        out.ends_with("Hosted agents can reach this Sextant.\n"),
        "{out}"
    );
}

#[actix_web::test]
async fn the_command_says_what_to_do_below_the_step_that_failed_and_ends_with_1() {
    if !certificates::can_be_made(
        "the_command_says_what_to_do_below_the_step_that_failed_and_ends_with_1",
    ) {
        return;
    }
    let World {
        app, front: _front, ..
    } = Setup::spoiled(Spoiled::HostOfThisComputer).start().await;
    let output = doctor(&url(&app)).await;
    let (out, err) = words(&output);
    assert_eq!((output.status.code(), err.as_str()), (Some(1), ""), "{out}");
    let failed = out
        .lines()
        .skip_while(|line| !line.starts_with("[fail] arrives: "));
    let told: Vec<&str> = failed.take(3).collect();
    assert!(
        told[1].starts_with("       Have the proxy pass on the name"),
        "{out}"
    );
    assert_eq!(told[2], "[    ] console_absent: not tried");
}

#[actix_web::test]
async fn the_command_needs_a_service_that_runs_and_a_public_address() {
    let app = TestApp::start().await;
    let output = doctor(&url(&app)).await;
    let (out, err) = words(&output);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""));
    assert!(err.contains("Settings > Remote access"), "{err}");
    let silent = doctor("http://127.0.0.1:1").await;
    let (out, err) = words(&silent);
    assert_eq!((silent.status.code(), out.as_str()), (Some(2), ""));
    assert!(
        err.contains("no Sextant answers at http://127.0.0.1:1"),
        "{err}"
    );
}
