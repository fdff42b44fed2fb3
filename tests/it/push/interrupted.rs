//! Ctrl-C in the middle.

use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::peer::StubService;
use super::records;
use crate::support::eventually::eventually;

#[actix_web::test]
async fn what_was_answered_is_told_and_the_exit_code_is_that_of_an_interruption() {
    let peer = StubService::start(&[("money", "finance.transactions")], []).await;
    let (folder, file) = records(3_000_000);
    let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"));
    program
        .env("SEXTANT_INGEST_SECRET", "secret")
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .arg("push")
        .arg(&file)
        .args(["--connection", "money", "--url", &peer.url]);
    let child = program.spawn().unwrap();
    let pid = Pid::from_raw(child.id().unwrap().cast_signed());
    eventually("something is pushed", async || !peer.seen().is_empty()).await;
    kill(pid, Signal::SIGINT).unwrap();
    let output = child.wait_with_output().await.unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{told}");
    let pushed: usize = peer.seen().iter().map(|push| push.records.len()).sum();
    assert!(
        told.contains(&format!(" {pushed} stored (")),
        "{pushed}: {told}"
    );
    assert!(
        told.contains("not read: it was stopped") && told.contains("Stopped. "),
        "{told}"
    );
    assert!(
        told.lines().any(|line| line.starts_with("total ")),
        "{told}"
    );
}
