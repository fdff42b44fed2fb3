//! What goes on while an actor is restarted, and what must hold of it afterwards.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use futures_util::future::join5;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sextant_actors::domain::{ConnectionState, Digest};

use super::{actor, restart};
use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;
use crate::support::eventually::eventually;

/// Restarts of one actor.
const RESTARTS: u64 = 20;
/// What an edit of the agent gives it, in turn.
const GRANTS: [&[&str]; 2] = [&["home"], &["home", "mail"]];

/// The arguments of the reader's call of this number.
fn asked(number: usize) -> Value {
    json!({ "target": "home.entities", "where": { "entity_id": format!("light.n{number}") } })
}

/// Everything that goes on while an actor is restarted.
pub(super) struct Load {
    pub(super) app: TestApp,
    device: (String, String),
    /// Calls; nobody edits it.
    reader: Client,
    /// Is edited, and called as often.
    edited: Client,
    is_over: Cell<bool>,
    /// What became of the reader's calls, by their number.
    pub(super) calls: RefCell<Vec<Value>>,
    /// What became of pushes.
    pub(super) pushes: RefCell<Vec<StatusCode>>,
    /// What edits gave, and what became of them.
    pub(super) edits: RefCell<Vec<(&'static [&'static str], StatusCode)>>,
    /// Is paused and resumed.
    other: String,
    /// How often.
    changes: Cell<usize>,
}

impl Load {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let client = async |name: &str| {
            let url = format!("http://{}/mcp", app.agents);
            Client::new(&url, Some(app.key_of(name, GRANTS[0]).await))
        };
        let (other, _) = app.push_connection("mail.messages").await;
        Self {
            device: app.push_connection("home.entities").await,
            reader: client("reader").await,
            edited: client("edited").await,
            app,
            is_over: Cell::new(false),
            calls: RefCell::default(),
            pushes: RefCell::default(),
            edits: RefCell::default(),
            other,
            changes: Cell::default(),
        }
    }

    async fn call(&self) {
        while !self.is_over.get() {
            let number = self.calls.borrow().len();
            let call = self.reader.modern_call("query", asked(number));
            let (_, answer) = json_of(call).await;
            self.calls.borrow_mut().push(answer);
        }
    }

    async fn push(&self) {
        let (id, secret) = &self.device;
        while !self.is_over.get() {
            let number = self.pushes.borrow().len();
            let record = json!({ "entity_id": format!("light.n{number}"), "state": "on" });
            let push = self
                .app
                .request(Method::POST, &format!("/api/ingest/{id}"))
                .bearer_auth(secret)
                .json(&json!([record]));
            let answer = self.app.send(push).await;
            let status = answer.status;
            if status != StatusCode::OK {
                answer.expect_problem(503, "unavailable", None);
            }
            self.pushes.borrow_mut().push(status);
        }
    }

    async fn edit(&self) {
        for grant in GRANTS.into_iter().cycle() {
            if self.is_over.get() {
                return;
            }
            // So that there is a session to be ended; while the agent is in doubt it is refused.
            let call = self.edited.modern_call("describe_context", json!({}));
            json_of(call).await;
            let edit = json!({ "sectors": grant });
            let answer = self.app.amend_agent("edited", edit).await;
            let status = answer.status;
            if status != StatusCode::OK {
                answer.expect_problem(503, "unavailable", None);
            }
            self.edits.borrow_mut().push((grant, status));
        }
    }

    /// A change that is committed is answered as done, whether or not it could be published at once.
    async fn change(&self) {
        while !self.is_over.get() {
            self.app.pause(&self.other).await.expect(200);
            self.app.resume(&self.other).await.expect(200);
            self.changes.set(self.changes.get() + 1);
        }
    }

    fn progress(&self) -> [usize; 4] {
        [
            self.calls.borrow().len(),
            self.pushes.borrow().len(),
            self.edits.borrow().len(),
            self.changes.get(),
        ]
    }

    /// Restarts the actor again and again, each time after something of each kind has been answered.
    async fn restart(&self, id: &str) {
        for _ in 0..RESTARTS {
            restart(&self.app, id).await.expect(202);
            let before = self.progress();
            eventually("everything goes on", async || {
                let now = self.progress().into_iter();
                now.zip(before).all(|(now, before)| now > before)
            })
            .await;
        }
        self.is_over.set(true);
    }
}

/// What must hold afterwards.
impl Load {
    /// Plays it to its end with this actor.
    pub(super) async fn play(id: &str) -> Self {
        let load = Self::start().await;
        let (calls, pushes, edits) = (load.call(), load.push(), load.edit());
        join5(calls, pushes, edits, load.change(), load.restart(id)).await;
        let row = actor(&load.app, id).await;
        assert_eq!(
            (&row["state"], &row["crashes"]),
            (&json!("running"), &json!(0))
        );
        assert_eq!(
            (&row["restarts"], &row["lastError"]),
            (&json!(RESTARTS), &Value::Null)
        );
        let status = load.app.get("/api/status").await.expect(200);
        let attention = status["attention"].as_array().unwrap();
        assert!(
            attention.iter().all(|row| row["kind"] != "actor_failing"),
            "{status}"
        );
        load
    }

    /// Each of the reader's calls and each push has one row; the restarts have none.
    pub(super) async fn assert_one_row_each(&self) {
        eventually("the rows are written", async || {
            self.app.tree.audit.stats().waiting_rows == 0
        })
        .await;
        assert_eq!(self.app.tree.audit.stats().dropped_rows, 0);
        let database = self.app.database.connect().await;
        let sql = "SELECT agent_id, tool, args FROM audit_log";
        let mut calls: BTreeMap<String, usize> = BTreeMap::new();
        let (mut pushes, mut changes) = (0, 0);
        for row in database.query(sql, &[]).await.unwrap() {
            let (agent, tool): (Option<&str>, &str) = (row.get(0), row.get(1));
            match (agent, tool) {
                (Some("reader"), "query") => {
                    let args: Value = row.get(2);
                    *calls.entry(args.to_string()).or_default() += 1;
                }
                (_, "ingest") => pushes += 1,
                (Some("operator"), "pause" | "resume") => changes += 1,
                (Some("edited"), _) | (None, "initialize") => {}
                other => panic!("nobody did this: {other:?}"),
            }
        }
        let expected = (0..self.calls.borrow().len()).map(|number| (asked(number).to_string(), 1));
        assert_eq!(calls, expected.collect());
        assert_eq!(pushes, self.pushes.borrow().len());
        assert_eq!(changes, 2 * self.changes.get());
    }

    /// The changed connection is published as it is stored: active.
    pub(super) async fn assert_change_is_published(&self) {
        eventually("it is published", async || {
            let published = self.app.published(&self.other);
            published.is_some_and(|row| row.state == ConnectionState::Active)
                && self.app.tree.connections.snapshot().is_current()
        })
        .await;
    }

    /// The edited agent is in no doubt, and has what the last edit that was confirmed gave it, or what one after that may have.
    pub(super) async fn assert_grant_is_known(&self) {
        let key = Digest::of(self.edited.key.as_ref().unwrap());
        eventually("it is in no doubt", async || {
            self.app.tree.grants.resolve(&key).is_ok()
        })
        .await;
        let agent = self.app.agent("edited").await.expect(200);
        let published: Vec<String> = serde_json::from_value(agent["sectors"].clone()).unwrap();
        let database = self.app.database.connect().await;
        let sql = "SELECT sectors FROM agents WHERE name = 'edited'";
        let stored: Vec<String> = database.query_one(sql, &[]).await.unwrap().get(0);
        assert_eq!(published, stored);
        let edits = self.edits.borrow();
        let confirmed = edits
            .iter()
            .rposition(|(_, status)| *status == StatusCode::OK);
        let possible = &edits[confirmed.unwrap()..];
        assert!(
            possible.iter().any(|(grant, _)| *grant == stored),
            "{stored:?} of {possible:?}"
        );
    }

    pub(super) fn assert_every_call_was_served(&self) {
        for call in self.calls.borrow().iter() {
            assert_eq!(call["result"]["isError"], false, "{call}");
        }
        let pushes = self.pushes.borrow();
        assert!(pushes.iter().all(StatusCode::is_success), "{pushes:?}");
    }
}
