//! How long an edit takes to end two thousand sessions (`cargo bench --profile dist --bench kill`).
//!
//! The service runs in this process, on a private database with the default durability. One agent opens 2,000
//! sessions, each with its stream, half of them of 2025-11-25 and half of 2026-07-28; then the Console's route takes
//! a sector from it. Two times are taken in each round, from the moment at which the database has committed the edit:
//! - *answer*: until the operator is answered; from then on no byte computed under the old grant leaves;
//! - *last byte*: until the client of the last stream has read that stream's end.
//!
//! That every session ends, with a message, is asserted; no time is. The clients run beside the service, on a thread
//! of their own.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/home.rs"]
mod home;
#[path = "../../tests/it/support/http.rs"]
mod http;
#[path = "../shared/in_process.rs"]
mod in_process;
#[path = "../../tests/it/mcp/support/line.rs"]
mod line;

mod committed;
mod crowd;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sextant::app::App;

use committed::Committed;
use crowd::Crowd;
use home::home;

const SESSIONS: usize = 2_000;
/// Rounds that are measured; one before them is not.
const ROUNDS: usize = 11;

fn main() {
    let home = home();
    let (committed, seen) = Committed::new();
    let mut config = in_process::config(home.path());
    config.limits.sessions_per_agent_max = SESSIONS;
    let measure = async |app: &App| measure(app, &seen).await;
    in_process::measured(config, |ports| committed.around(ports), measure);
}

async fn measure(app: &App, committed: &Arc<committed::Moment>) {
    let console = format!("http://{}/api/agents", app.console);
    let client = crate::http::builder().build().unwrap();
    let (mut answers, mut last_bytes) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let wanted = json!({ "name": "agent", "sectors": ["finance", "mail"] });
        let made = client.post(&console).json(&wanted).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        let key = made.get("key").and_then(Value::as_str).unwrap().to_owned();
        let crowd = Crowd::open(app.agents.to_string(), key, SESSIONS).await;
        let edit = client.patch(format!("{console}/agent"));
        let told = edit.json(&json!({ "sectors": ["finance"] })).send().await;
        let told: Value = told.unwrap().json().await.unwrap();
        let answered = Instant::now();
        assert_eq!(told.get("sessionsEnded"), Some(&json!(SESSIONS)));
        let last_byte = crowd.last_byte().await;
        if round > 0 {
            answers.push(answered - committed.get());
            last_bytes.push(last_byte - committed.get());
        }
    }
    println!("| sessions | rounds | commit to answer, ms | commit to last byte, ms |");
    println!("| ---: | ---: | ---: | ---: |");
    let (answer, last_byte) = (spread(answers), spread(last_bytes));
    println!("| {SESSIONS} | {ROUNDS} | {answer} | {last_byte} |");
}

/// Median (least to greatest), in milliseconds.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let milliseconds = |at: usize| times.get(at).unwrap().as_secs_f64() * 1e3;
    let (middle, last) = (times.len() / 2, times.len() - 1);
    format!(
        "{:.0} ({:.0} to {:.0})",
        milliseconds(middle),
        milliseconds(0),
        milliseconds(last)
    )
}
