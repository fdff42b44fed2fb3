//! `sextant push` against a stand-in for the service that produces states the service is seldom in: unreachable, with
//! small limits, refusing records.

mod accounts;
mod again;
mod bank_statements;
mod encrypted;
mod interrupted;
mod kinds;
mod long_lines;
mod newcomer;
mod peer;
mod program;
mod told;
mod whole;
mod whole_folder;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sextant::cli::push::{EnvironmentSecret, PushArguments, PushError, Report, push};

use peer::{Scripted, StubService};

/// Pushes these files; returns whether all was stored, and the output.
async fn push_files(
    peer: &StubService,
    connections: &[&str],
    files: &[PathBuf],
    secrets: Option<&Path>,
) -> Result<(bool, String), PushError> {
    let arguments = PushArguments {
        files: files.to_vec(),
        connections: connections.iter().map(|id| (*id).to_owned()).collect(),
        secret_file: secrets.map(Path::to_owned),
        ..PushArguments::default()
    };
    let mut output = Vec::new();
    let secret = EnvironmentSecret(Some("environment".to_owned()));
    let is_all_stored = push(
        &arguments,
        &peer.url,
        secret,
        &mut Report::new(&mut output, None),
    )
    .await?;
    Ok((is_all_stored, String::from_utf8(output).unwrap()))
}

fn fixture(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/fixtures")
        .join(path)
}

/// A file with this many records, in a folder that lives as long as the first value.
fn records(count: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records.jsonl");
    let lines: String = (0..count)
        .map(|id| format!("{{\"id\":\"{id}\"}}\n"))
        .collect();
    std::fs::write(&path, lines).unwrap();
    (folder, path)
}

#[actix_web::test]
async fn each_record_goes_to_the_connection_of_its_table_under_its_secret() {
    let peer = StubService::start(
        &[
            ("money", "finance.transactions"),
            ("dates", "calendar.series"),
        ],
        [],
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    let secrets = folder.path().join("secrets");
    std::fs::write(&secrets, "money one\ndates two\n").unwrap();
    let files = [fixture("calendar/000.ics"), fixture("bank/checking.ofx")];
    let (is_all_stored, told) = push_files(&peer, &["money", "dates"], &files, Some(&secrets))
        .await
        .unwrap();
    assert!(is_all_stored, "{told}");
    let seen = peer.seen();
    assert_eq!(
        (seen[0].connection.as_str(), seen[0].authorization.as_str()),
        ("dates", "Bearer two")
    );
    assert_eq!(
        (seen[1].connection.as_str(), seen[1].authorization.as_str()),
        ("money", "Bearer one")
    );
    assert_eq!((seen[0].records.len(), seen[1].records.len()), (1, 3));
    assert!(seen.iter().all(|push| push.is_partial));
}

#[actix_web::test]
async fn a_record_without_a_fitting_connection_is_refused_by_name() {
    let peer = StubService::start(&[("money", "finance.transactions")], []).await;
    let (is_all_stored, told) = push_files(
        &peer,
        &["money"],
        &[fixture("bank/multiple_accounts.ofx")],
        None,
    )
    .await
    .unwrap();
    assert!(!is_all_stored);
    assert!(
        told.contains("it is for finance.accounts, and no --connection takes that table"),
        "{told}"
    );
    assert!(told.contains("2 entries: 0 stored"), "{told}");
}

#[actix_web::test]
async fn a_batch_that_was_not_taken_is_sent_again_as_it_was() {
    let peer = StubService::start(
        &[("money", "finance.transactions")],
        [Scripted::Unavailable, Scripted::Unavailable],
    )
    .await;
    let (_folder, file) = records(3);
    let (is_all_stored, told) = push_files(&peer, &["money"], &[file], None).await.unwrap();
    assert!(is_all_stored, "{told}");
    let seen = peer.seen();
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|push| push.records == seen[0].records));
    assert!(told.contains("3 entries: 3 stored (3 new"), "{told}");
}

#[actix_web::test]
async fn a_server_that_stays_down_ends_the_push_and_says_what_to_do() {
    let peer = StubService::start(
        &[("money", "finance.transactions")],
        std::iter::repeat_n(Scripted::Unavailable, 100),
    )
    .await;
    let (_folder, file) = records(1);
    let error = push_files(&peer, &["money"], &[file], None)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("503") && error.contains("run the same push again"),
        "{error}"
    );
}

#[actix_web::test]
async fn a_batch_too_large_for_the_server_goes_in_halves() {
    let peer = StubService::start(
        &[("money", "finance.transactions")],
        [Scripted::TooLarge, Scripted::TooLarge],
    )
    .await;
    let (_folder, file) = records(5);
    let (is_all_stored, told) = push_files(&peer, &["money"], &[file], None).await.unwrap();
    assert!(is_all_stored, "{told}");
    let sizes: Vec<_> = peer.seen().iter().map(|push| push.records.len()).collect();
    assert_eq!(sizes, [5, 2, 1, 1, 3]);
    let stored: Vec<_> = peer.seen()[2..]
        .iter()
        .flat_map(|push| push.records.clone())
        .collect();
    let expected: Vec<_> = (0..5).map(|id| json!({"id": id.to_string()})).collect();
    assert_eq!(stored, expected);
}

#[actix_web::test]
async fn what_the_server_rejects_is_told_by_file_place_and_reason() {
    let rejected: Value = json!({"index": 1, "field": "amount", "message": "is missing"});
    let peer = StubService::start(
        &[("money", "finance.transactions")],
        [Scripted::Rejected(rejected)],
    )
    .await;
    let (_folder, file) = records(3);
    let (is_all_stored, told) = push_files(&peer, &["money"], std::slice::from_ref(&file), None)
        .await
        .unwrap();
    assert!(!is_all_stored);
    assert!(
        told.starts_with(&format!(
            "{}\n  refused: line 2: amount: is missing\n",
            file.display()
        )),
        "{told}"
    );
    assert!(told.contains("3 entries: 2 stored"), "{told}");
}

#[actix_web::test]
async fn a_wrong_secret_ends_the_push_at_once() {
    let peer = StubService::start(
        &[("money", "finance.transactions")],
        [Scripted::Unauthorized],
    )
    .await;
    let (_folder, file) = records(1);
    let error = push_files(&peer, &["money"], &[file], None)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("the secret of connection money"), "{error}");
    assert!(
        !error.contains("environment"),
        "the secret is in the message"
    );
    assert_eq!(peer.seen().len(), 1);
}

#[actix_web::test]
async fn many_records_go_in_batches_within_the_limits() {
    let peer = StubService::start(&[("money", "finance.transactions")], []).await;
    let (_folder, file) = records(2500);
    let (is_all_stored, told) = push_files(&peer, &["money"], &[file], None).await.unwrap();
    assert!(is_all_stored, "{told}");
    let sizes: Vec<_> = peer.seen().iter().map(|push| push.records.len()).collect();
    assert_eq!(sizes, [1000, 1000, 500]);
}

#[actix_web::test]
async fn a_device_without_the_console_pushes_to_its_one_connection() {
    let peer = StubService::start(&[], []).await;
    let (is_all_stored, told) = push_files(&peer, &["any"], &[fixture("calendar/000.ics")], None)
        .await
        .unwrap();
    assert!(is_all_stored, "{told}");
    assert_eq!(peer.seen()[0].authorization, "Bearer environment");
}

#[actix_web::test]
async fn files_that_cannot_be_read_do_not_stop_the_others() {
    let peer = StubService::start(&[("dates", "calendar.series")], []).await;
    let files = [
        PathBuf::from("/nonexistent.ics"),
        fixture("README.md"),
        fixture("calendar/000.ics"),
    ];
    let (is_all_stored, told) = push_files(&peer, &["dates"], &files, None).await.unwrap();
    assert!(!is_all_stored);
    assert_eq!(told.matches("  not read: ").count(), 2, "{told}");
    assert!(told.contains("1 entry: 1 stored"), "{told}");
}
