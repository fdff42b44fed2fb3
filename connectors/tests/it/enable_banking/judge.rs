//! A client that nobody here wrote links a bank at the stand-in and reads it: what it is told is what the stand-in keeps. And what
//! holds it to the provider's description notices what is not of it.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tokio::process::Command;

use super::World;
use crate::support::skipped;
use crate::support::stand_ins::contracts::{Contract, peers, root};
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::enable_banking::{APPLICATION, REDIRECT};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

/// The time on this computer, by which the client signs: that of a file that was just written.
fn file_time(folder: &std::path::Path) -> DateTime<Utc> {
    let path = folder.join("now");
    std::fs::write(&path, "").unwrap();
    let modified = std::fs::metadata(path).unwrap().modified().unwrap();
    DateTime::<Utc>::from(modified)
}

#[tokio::test]
async fn what_an_independent_client_is_told_is_what_the_stand_in_keeps() {
    let test = "enable_banking_what_an_independent_client_is_told";
    let python = peers().join("enablebanking/bin/python");
    if !python.exists() {
        let missing = "the client of Enable Banking is missing; run tests/peers/install.sh";
        skipped::for_want_of(test, missing);
        return;
    }
    let Some(world) = World::new(test).await else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key.pem");
    std::fs::write(&key, &keys().private).unwrap();
    {
        let mut aggregator = world.aggregator();
        // A moment later, as the client's token is of a moment later.
        aggregator.now = file_time(folder.path()) + chrono::Duration::minutes(5);
        let today = aggregator.now.date_naive();
        let account = aggregator.open("a");
        for number in 1..=6 {
            let on = today - chrono::Duration::days(number);
            account.book(&format!("r{number}"), &format!("-{number}.50"), on);
        }
    }
    let plain = world.aggregator.serve(test, None).await;
    let mut client = Command::new(python);
    client
        .arg(root().join("tests/peers/bank_app.py"))
        .arg(format!("http://{}", plain.address))
        .args([APPLICATION, key.to_str().unwrap(), REDIRECT]);
    let told = exchange(client, |state| world.aggregator().consent(state, &["a"])).await;
    assert_eq!(told["banks"], json!(["Bank of Test"]));
    let accounts = &told["accounts"][0];
    assert_eq!(accounts["identification_hash"], "a");
    assert_eq!(told["balances"][0]["balance_amount"]["amount"], "100.00");
    let payments = told["transactions"].as_array().unwrap();
    let references = payments
        .iter()
        .map(|own| own["entry_reference"].as_str().unwrap());
    assert_eq!(
        references.collect::<Vec<_>>(),
        ["r1", "r2", "r3", "r4", "r5", "r6"]
    );
    assert_eq!(payments[0]["transaction_amount"]["amount"], "1.50");
    assert_eq!(payments[0]["credit_debit_indicator"], "DBIT");
    assert_eq!(told["after the end"], 401);
}

/// Lets the client say what it begins, gives it the code that a person comes back with, and takes what it was told.
async fn exchange(mut client: Command, consent: impl FnOnce(&str) -> String) -> Value {
    use std::process::Stdio;
    use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
    let mut process = client
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut state = String::new();
    output.read_line(&mut state).await.unwrap();
    let code = format!("{}\n", consent(state.trim()));
    let mut input = process.stdin.take().unwrap();
    input.write_all(code.as_bytes()).await.unwrap();
    let mut told = String::new();
    output.read_to_string(&mut told).await.unwrap();
    assert!(process.wait().await.unwrap().success());
    serde_json::from_str(&told).unwrap()
}

#[tokio::test]
async fn a_wrong_answer_is_noticed() {
    let test = "enable_banking_a_wrong_answer";
    let Some(mut world) = World::start(test).await else {
        return;
    };
    if !Contract::EnableBanking.is_here() {
        return;
    }
    assert_eq!(world.served.violations(), [""; 0]);
    for (status, body) in [
        (200, json!({"transactions": [{"status": "BOOK"}]})),
        (200, json!({"transactions": [], "continuation_key": 7})),
        (503, json!({"message": "busy"})),
        (422, json!({"message": "no", "error": "NO_SUCH_CODE"})),
    ] {
        let told = body.clone();
        let answer = move |_: &str| wire::json(status, "", &told);
        world.aggregator().faults.once("BOOK", Law::Kept, answer);
        // However the round ends.
        let _ = world.try_sync(usize::MAX).await;
        let violations = world.served.violations();
        assert_eq!(violations.len(), 1, "{body} {violations:?}");
    }
}
