//! An actor that keeps crashing: the service names it, stops in order, and exits with a failure.
//!
//! The program runs in a child process from its command line on; only one of its ports is made to fail.

use std::future::pending;
use std::io::{self, LineWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use nix::sys::signal::{Signal, raise};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use sextant::app::{App, StartError};
use sextant::cli::{Terminal, serve};
use sextant::config::{ConfigSources, Environment};
use sextant_actors::clock::SystemClock;

use super::service::{is_running, postgres_of};
use super::{Service, Setup};
use crate::support::TestDatabase;
use crate::support::app::settings;
use crate::support::failing::{BROKEN, POISON, Victim, breaking, broken};
use crate::support::users::{Helper, helper_argument, in_scratch, say, wait_for_the_parent};

const SERVICE: &str = "process::gives_up::helper_serves_with_a_port_that_breaks";
/// No flush but the last one: rows that are in the audit log afterwards were written by the stop.
const NEVER_MS: &str = "60000";
const SOON_MS: &str = "20";

/// A run of the program with a port that panics.
struct Run {
    helper: Helper,
    console: String,
    agents: String,
    client: Client,
}

impl Run {
    fn start(home: &Path, victim: Victim) -> Self {
        let argument = format!("{}:{}", victim.name(), home.display());
        let flush = if victim == Victim::Audit {
            SOON_MS
        } else {
            NEVER_MS
        };
        let environment = [
            ("REST_PORT", "0"),
            ("MCP_PORT", "0"),
            ("AUDIT_FLUSH_MS", flush),
        ];
        let environment = environment.map(|(name, value)| (name, Path::new(value)));
        let mut helper = Helper::start_with(SERVICE, &argument, &environment);
        let ready = helper.hear();
        let mut addresses = ready.split(' ').filter(|word| word.starts_with("http://"));
        let mut next = || addresses.next().unwrap().to_owned();
        Self {
            helper,
            console: next(),
            agents: next(),
            client: crate::support::http::builder().build().unwrap(),
        }
    }

    async fn post(&self, path: &str, body: Value) -> reqwest::Result<(StatusCode, Value)> {
        let request = self
            .client
            .post(format!("{}{path}", self.console))
            .json(&body);
        let answer = request.send().await?;
        Ok((answer.status(), answer.json().await?))
    }

    /// A device whose pushes are refused; making it leaves one audit row.
    async fn paused_device(&self) -> String {
        let table = "finance.transactions";
        let body =
            json!({ "provider": "push", "sector": "finance", "table": table, "label": "phone" });
        let (_, made) = self.post("/api/connections", body).await.unwrap();
        let id = made["connections"][0]["id"].as_str().unwrap();
        let path = format!("/api/connections/{id}");
        let (status, _) = self
            .post(&format!("{path}/pause"), json!({}))
            .await
            .unwrap();
        assert_eq!(status, 200);
        path
    }

    async fn is_reached(&self) -> bool {
        let answers = [&self.console, &self.agents].map(|address| self.client.get(address).send());
        let answers = futures_util::future::join_all(answers).await;
        answers.iter().any(Result::is_ok)
    }
}

#[test]
fn an_actor_that_gives_up_ends_the_service_in_order_and_as_a_failure() {
    for victim in Victim::ALL {
        in_scratch(async |home| {
            let run = Run::start(home, victim);
            let server = postgres_of(home).unwrap();
            let device = run.paused_device().await;
            // One of these requests reaches the broken port; its answer does not matter here.
            let grant = json!({ "name": POISON, "sectors": [] });
            let _ = run.post("/api/agents", grant).await;
            let _ = run.post(&format!("{device}/resume"), json!({})).await;
            let mut helper = run.helper;
            let end: Value = serde_json::from_str(&helper.hear()).unwrap();
            assert_eq!(end["code"], format!("{:?}", ExitCode::FAILURE));
            let name = victim.name();
            let line = format!("sextant: stopped: {name} crashed too often ({BROKEN})\n");
            assert_eq!(end["said"], line, "one line says it");
            let run = Run { helper, ..run };
            assert!(!run.is_reached().await, "both ports are closed");
            assert!(!is_running(server), "the database has stopped");
            run.helper.kill();
            let later = Setup::in_home(home).start().await;
            keeps_what_was_recorded(&later, victim).await;
            later.stop(Signal::SIGTERM).await;
        });
    }
}

#[actix_web::test]
async fn an_actor_that_gives_up_while_it_loads_opens_no_port() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    let started = App::start_with(
        opened,
        settings(),
        Arc::new(SystemClock),
        |ports| broken(Victim::Grants, ports),
        pending(),
    )
    .await;
    let Err((StartError::Failed(reason), opened)) = started else {
        panic!("it started");
    };
    assert_eq!(reason, format!("grants crashed too often ({BROKEN})"));
    opened.stop().await.unwrap();
}

/// Asserts that a later start finds the row, unless the audit log's writer was the actor that failed.
async fn keeps_what_was_recorded(later: &Service, victim: Victim) {
    let rows = later.audit_rows("pause").await.len();
    assert!(rows == 1 || victim == Victim::Audit, "{rows} rows");
}

/// Terminal output that is sent to the parent, line by line.
struct Parent;

impl Write for Parent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        say(String::from_utf8_lossy(bytes).trim_end());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
#[ignore = "a part that another test starts in a process of its own"]
fn helper_serves_with_a_port_that_breaks() {
    let Some(argument) = helper_argument(SERVICE) else {
        return;
    };
    let (name, home) = argument.split_once(':').unwrap();
    let victim = Victim::ALL.into_iter().find(|victim| victim.name() == name);
    let sources = ConfigSources {
        data_dir: Some(Path::new(home).join("data")),
        environment: Environment::of_process(),
        ..ConfigSources::default()
    };
    std::thread::spawn(|| {
        wait_for_the_parent();
        raise(Signal::SIGTERM).unwrap();
    });
    let mut said = Vec::new();
    let mut terminal = Terminal {
        out: &mut LineWriter::new(Parent),
        err: &mut said,
        is_watched: false,
    };
    let code = serve::run(&sources, &mut terminal, |ports| {
        breaking(victim.unwrap(), ports)
    });
    let said = String::from_utf8(said).unwrap();
    say(&json!({ "code": format!("{code:?}"), "said": said }).to_string());
}
