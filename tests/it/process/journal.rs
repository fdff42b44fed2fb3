//! The journal in the binary: what remains after a kill between the answer and the flush.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::json;

use super::service::postgres_socket;
use super::{Service, Setup};
use crate::mcp::support::{Client, json_of};
use crate::support::cluster::{config, connect};
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

/// The longest interval allowed: no flush comes while the test runs.
const FLUSH_MS: &str = "60000";
/// Calls between a start and a kill.
pub const CALLS: usize = 20;

pub async fn call(agent: &Client, name: &str) {
    let arguments = json!({ "target": format!("home.{name}") });
    let (status, answer) = json_of(agent.modern_call("list_actions", arguments)).await;
    assert_eq!(
        (status, &answer["result"]["isError"]),
        (200, &json!(false)),
        "{answer}"
    );
}

/// The rows of these calls, in the audit log's order.
pub async fn audit_rows(service: &Service) -> Vec<String> {
    let client = connect(&config(&postgres_socket(service), "postgres", "sextant")).await;
    let sql = "SELECT args->>'target' FROM audit_log WHERE tool = 'list_actions' ORDER BY id";
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// The contents of all segments of the journal.
fn journal(home: &Path) -> Vec<u8> {
    let files = fs::read_dir(home.join("data/journal")).unwrap();
    files
        .filter_map(|file| fs::read(file.unwrap().path()).ok())
        .flatten()
        .collect()
}

pub fn holds(home: &Path, word: &str) -> bool {
    let journal = journal(home);
    journal
        .windows(word.len())
        .any(|bytes| bytes == word.as_bytes())
}

fn is_private(home: &Path) {
    let folder = home.join("data/journal");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn r024_a_kill_between_answer_and_flush_loses_no_row_and_doubles_none() {
    in_scratch(async |home| {
        let set = || Setup::in_home(home).env("AUDIT_FLUSH_MS", FLUSH_MS);
        let mut service = set().start().await;
        let key = service.key("claude", &["home"]).await;
        let mut called = Vec::new();
        for life in 0..3 {
            let agent = Client::new(&service.agents, Some(key.clone()));
            for number in 0..CALLS {
                let name = format!("n{life}x{number}");
                call(&agent, &name).await;
                called.push(format!("home.{name}"));
            }
            // An acknowledgement that came too late for the answer has come by now.
            eventually("the last call is in the journal", async || {
                holds(home, called.last().unwrap())
            })
            .await;
            is_private(home);
            assert!(!holds(home, &key), "r028");
            service.signal(Signal::SIGKILL);
            service.wait_for_end().await;
            service = set().start().await;
            eventually("the rows have landed", async || {
                audit_rows(&service).await.len() >= called.len()
            })
            .await;
            assert_eq!(audit_rows(&service).await, called, "once, and in order");
        }
        service.stop(Signal::SIGTERM).await;
        assert!(!holds(home, "home.n"), "a clean stop leaves no rows");
    });
}
