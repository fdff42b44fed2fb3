//! Faults during work: statements that are killed, cancelled or refused by a constraint while they contain planted
//! words.

use reqwest::RequestBuilder;
use serde_json::json;
use tokio_postgres::Client as Database;

use super::markers::Kind;
use super::sweep::Place;
use super::{Device, Run};
use crate::mcp::support::{Client, json_of};
use crate::process::service::postgres_socket;
use crate::support::cluster::{connect, superuser};
use crate::support::eventually::eventually;

/// How a waiting statement is ended.
const ENDS: [&str; 2] = ["pg_cancel_backend", "pg_terminate_backend"];

/// Causes each fault during a query and during a push.
pub async fn plant(run: &mut Run, key: &str, device: &Device) {
    for end in ENDS {
        let (query, push) = work(run, key, device, end);
        for request in [query, push] {
            let database = connect_when_ready(run, key, device).await;
            interrupted(run, &database, request, end).await;
        }
    }
    let database = connect_when_ready(run, key, device).await;
    constraints(run, &database, key, device).await;
    // The server ends all connections because of it and starts again.
    let (query, push) = work(run, key, device, "kill -9");
    for request in [query, push] {
        let database = connect_when_ready(run, key, device).await;
        killed(run, &database, request).await;
    }
    connect_when_ready(run, key, device).await;
}

/// A connection of the test's own, once reads and pushes work again.
async fn connect_when_ready(run: &Run, key: &str, device: &Device) -> Database {
    let client = Client::new(&run.service.agents, Some(key.to_owned()));
    let record =
        json!({ "id": "before", "amount": 1, "currency": "EUR", "booked_on": "2026-03-01" });
    eventually("the service works", async || {
        let read = client.modern_call("query", json!({ "target": "finance.transactions" }));
        let (_, answer) = json_of(read).await;
        let pushed = run.service.push(device, json!([record]).to_string());
        let status = pushed.send().await.unwrap().status();
        answer["result"]["isError"] == false && status == 200
    })
    .await;
    connect(&superuser(&postgres_socket(&run.service), "sextant")).await
}

fn work(run: &mut Run, key: &str, device: &Device, end: &str) -> (RequestBuilder, RequestBuilder) {
    let said = run
        .markers
        .word(Kind::Said, &format!("a query under {end}"));
    let client = Client::new(&run.service.agents, Some(key.to_owned()));
    let asked = json!({ "target": "finance.transactions", "where": { "description": said }, "search": said });
    (client.modern_call("query", asked), push(run, device, end))
}

fn push(run: &mut Run, device: &Device, end: &str) -> RequestBuilder {
    let word = run
        .markers
        .word(Kind::Payload, &format!("a push under {end}"));
    let amount = run
        .markers
        .number(Kind::Payload, &format!("the amount of a push under {end}"));
    let record = json!({ "id": word, "amount": amount, "currency": "EUR", "booked_on": "2026-03-01", "description": word, "x": word });
    run.service.push(device, json!([record]).to_string())
}

/// Sends a request while the table is locked, and ends the statement that waits.
async fn interrupted(run: &mut Run, database: &Database, request: RequestBuilder, end: &str) {
    locked(database).await;
    let asking = run.ask(Place::ToAgent, request);
    let ending = async {
        let pid = waiting(database).await;
        let sql = format!("SELECT {end}({pid})");
        database.batch_execute(&sql).await.unwrap();
        // The table is free when the service retries.
        database.batch_execute("ROLLBACK").await.unwrap();
    };
    tokio::join!(asking, ending);
}

/// As [`interrupted`], with a kill by the kernel: the server logs the statement of the process, and starts again.
async fn killed(run: &mut Run, database: &Database, request: RequestBuilder) {
    locked(database).await;
    let asking = run.ask(Place::ToAgent, request);
    let ending = async {
        let pid = waiting(database).await;
        let pid = nix::unistd::Pid::from_raw(pid);
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
    };
    tokio::join!(asking, ending);
}

async fn locked(database: &Database) {
    let lock = "BEGIN; LOCK TABLE finance.transactions IN ACCESS EXCLUSIVE MODE";
    database.batch_execute(lock).await.unwrap();
}

async fn waiting(database: &Database) -> i32 {
    // Not `pg_stat_activity`: a transaction, such as the one that holds the lock, keeps seeing that as it was at its
    // first look.
    let sql = "SELECT pid FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let mut pid = None;
    eventually("a statement waits", async || {
        pid = database
            .query_opt(sql, &[])
            .await
            .unwrap()
            .map(|row| row.get(0));
        pid.is_some()
    })
    .await;
    pid.unwrap()
}

/// Constraints that refuse the rows: the server would quote them in its message.
async fn constraints(run: &mut Run, database: &Database, key: &str, device: &Device) {
    let make = "ALTER TABLE finance.transactions ADD CONSTRAINT cruel CHECK (description IS NULL) NOT VALID;
        ALTER TABLE public.audit_log ADD CONSTRAINT cruel CHECK (tool <> 'list_actions' OR args = '\"[truncated]\"') NOT VALID";
    database.batch_execute(make).await.unwrap();
    let refused = push(run, device, "a constraint");
    run.expect(Place::Device, refused, 500).await;
    let said = run.markers.word(Kind::Said, "a call whose row is refused");
    let client = Client::new(&run.service.agents, Some(key.to_owned()));
    let asked = client.modern_call("list_actions", json!({ "target": "home", "note": said }));
    run.expect(Place::ToAgent, asked, 200).await;
    eventually("the row has landed without its arguments", async || {
        let rows = run.service.audit_rows("list_actions").await;
        rows.iter().any(|row| row["args"] == "[truncated]")
    })
    .await;
    let undo = "ALTER TABLE finance.transactions DROP CONSTRAINT cruel; ALTER TABLE public.audit_log DROP CONSTRAINT cruel";
    database.batch_execute(undo).await.unwrap();
}
