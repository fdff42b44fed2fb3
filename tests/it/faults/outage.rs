//! The database unreachable, silent or slow: what does not need it goes on, what needs it reports an error, and
//! everything recovers by itself.

use futures_util::future::join;
use serde_json::{Value, json};

use super::Faulty;
use crate::mcp::support::{Client, body_of, json_of, soon};
use crate::support::app::Answer;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, When};

const TABLE: &str = "finance.transactions";

#[derive(Clone, Copy, Debug)]
enum Outage {
    /// Every connection is cut, and none can be made.
    Away,
    /// Connections are accepted and stay open, but nothing is answered.
    Silent,
}

impl Outage {
    fn begin(self, faulty: &Faulty) {
        match self {
            Self::Away => faulty.way.cut(),
            Self::Silent => faulty.way.freeze(),
        }
    }
}

/// An agent that may read a table, one that may read nothing, and a device.
struct Scene {
    faulty: Faulty,
    reader: Client,
    nobody: Client,
    device: (String, String),
}

impl Scene {
    async fn set() -> Self {
        let faulty = Faulty::start().await;
        Self {
            reader: faulty.agent("reader", &["finance"]).await,
            nobody: faulty.agent("nobody", &[]).await,
            device: faulty.app.push_connection(TABLE).await,
            faulty,
        }
    }

    async fn push(&self, secret: &str, id: &str) -> Answer {
        let path = format!("/api/ingest/{}", self.device.0);
        let body =
            json!([{ "id": id, "amount": -3, "currency": "EUR", "booked_on": "2026-03-01" }]);
        let request = self.faulty.app.request(reqwest::Method::POST, &path);
        self.faulty
            .app
            .send(request.bearer_auth(secret).json(&body))
            .await
    }

    /// Asserts that all requests work that need no database; three calls of agents and a refused push are recorded.
    async fn expect_what_needs_no_database(&self) {
        let stranger = Client::new(&self.reader.url, Some("sxt_wrong".to_owned()));
        assert_eq!(body_of(stranger.initialize("2025-11-25")).await.0, 401);
        let session = self.reader.session().await;
        let listed = json_of(self.reader.in_session(&session, "tools/list", json!({})))
            .await
            .1;
        assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 7);
        let actions = self
            .reader
            .session_call(&session, "list_actions", json!({}));
        assert_eq!(json_of(actions).await.1["result"]["isError"], false);
        let denied = json!({ "target": "mail.messages" });
        let denied = json_of(self.reader.session_call(&session, "query", denied))
            .await
            .1;
        assert_eq!(text(&denied), "access denied: mail");
        let context = self.nobody.modern_call("describe_context", json!({}));
        assert_eq!(json_of(context).await.1["result"]["isError"], false);
        self.push("wrong", "x").await.expect(401);
        assert_eq!(self.faulty.app.get("/api/sessions").await.status, 200);
    }

    /// Asserts that all requests fail that need the database; one call of an agent and a push are recorded.
    async fn expect_that_the_rest_says_so(&self) {
        let query = json_of(self.reader.modern_call("query", json!({ "target": TABLE })));
        let pushed = self.push(&self.device.1, "during");
        let (query, pushed) = soon("both are answered", join(query, pushed)).await;
        assert_eq!(query.1["result"]["isError"], true);
        let said = text(&query.1);
        assert!(
            said.contains("the database cannot be reached now"),
            "{said}"
        );
        let said = pushed.expect(503)["message"].to_string();
        assert!(said.contains("the database cannot be reached"), "{said}");
        let app = &self.faulty.app;
        let asked = join(app.get("/api/connections"), app.revoke_agent("reader"));
        let (connections, revoked) = soon("the Console answers", asked).await;
        connections.expect_problem(503, "unavailable", None);
        let said = revoked.expect(503)["message"].to_string();
        assert!(said.contains("nothing was changed"), "{said}");
        app.healthz().await.expect(503);
    }

    async fn expect_recovery(&self) {
        eventually("the database answers", async || {
            self.faulty.app.healthz().await.status == 200
        })
        .await;
        let answer = json_of(self.reader.modern_call("query", json!({ "target": TABLE })))
            .await
            .1;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        self.push(&self.device.1, "after").await.expect(200);
    }

    /// Tool, decision and outcome of every audit row, sorted.
    async fn rows(&self, count: usize) -> Vec<String> {
        let rows = self.faulty.app.audit_rows(count).await;
        let told = |row: &Value| {
            let word = |name: &str| row[name].as_str().unwrap_or("-").to_owned();
            [word("tool"), word("decision"), word("outcome")].join(" ")
        };
        let mut told: Vec<String> = rows.iter().map(told).collect();
        told.sort_unstable();
        told
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[actix_web::test]
async fn r502_a_database_that_is_away_or_silent_stops_only_what_needs_it_and_every_row_lands() {
    for outage in [Outage::Away, Outage::Silent] {
        let scene = Scene::set().await;
        outage.begin(&scene.faulty);
        scene.expect_what_needs_no_database().await;
        scene.expect_that_the_rest_says_so().await;
        scene.expect_what_needs_no_database().await;
        scene.faulty.way.mend();
        scene.expect_recovery().await;
        let twice = |row: &str| [row.to_owned(), row.to_owned()];
        let mut expected = vec![
            "ingest allow error".to_owned(),
            "ingest allow ok".to_owned(),
            "query allow error".to_owned(),
            "query allow ok".to_owned(),
        ];
        for row in [
            "describe_context allow ok",
            "ingest deny -",
            "initialize deny -",
            "list_actions allow ok",
            "query deny -",
        ] {
            expected.extend(twice(row));
        }
        expected.sort_unstable();
        assert_eq!(scene.rows(expected.len()).await, expected, "{outage:?}");
    }
}

#[actix_web::test]
async fn r502_a_slow_statement_holds_up_nobody_but_its_own_caller() {
    let scene = Scene::set().await;
    let reading = scene.faulty.way.inject(
        When::Statement(r#"FROM "finance"."transactions""#),
        Act::Hold,
        1,
    );
    let storing = scene.faulty.way.inject(
        When::Statement(r#"INTO "finance"."transactions""#),
        Act::Hold,
        1,
    );
    let query = json_of(
        scene
            .reader
            .modern_call("query", json!({ "target": TABLE })),
    );
    let meanwhile = async {
        reading.wait_for(1).await;
        storing.wait_for(1).await;
        scene.expect_what_needs_no_database().await;
        scene.push(&scene.device.1, "second").await.expect(200);
        let other = json!({ "target": "finance.accounts" });
        let answer = json_of(scene.reader.modern_call("query", other)).await.1;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        scene.faulty.app.healthz().await.expect(200);
        reading.release();
        storing.release();
    };
    let slow = join(query, scene.push(&scene.device.1, "first"));
    let ((query, pushed), ()) = join(slow, meanwhile).await;
    assert_eq!(query.1["result"]["isError"], false, "{}", query.1);
    pushed.expect(200);
}

#[actix_web::test]
async fn r509_a_lock_that_only_the_server_believes_to_be_held_is_taken_from_it() {
    let scene = Scene::set().await;
    // The keeper of the lock is the first to query this. Its connection is cut, and the server does not notice.
    let half_open = scene
        .faulty
        .way
        .inject(When::Statement("SELECT 1"), Act::Strand, 1);
    half_open.wait_for(1).await;
    scene.expect_recovery().await;
    half_open.release();
    scene.faulty.app.healthz().await.expect(200);
}

#[actix_web::test]
async fn r502_a_table_that_somebody_else_has_locked_is_waited_for_a_while_and_no_longer() {
    let scene = Scene::set().await;
    let mut other = scene.faulty.app.database.connect().await;
    let locked = other.transaction().await.unwrap();
    let lock = "LOCK TABLE finance.transactions, audit_log IN ACCESS EXCLUSIVE MODE";
    locked.batch_execute(lock).await.unwrap();
    let query = scene
        .reader
        .modern_call("query", json!({ "target": TABLE }));
    let reading = json_of(query);
    let (answer, record) = join(reading, scene.faulty.app.get("/api/audit")).await;
    assert_eq!(answer.1["result"]["isError"], true, "{}", answer.1);
    record.expect_problem(503, "unavailable", None);
    locked.rollback().await.unwrap();
    scene.push(&scene.device.1, "after").await.expect(200);
    let answer = json_of(
        scene
            .reader
            .modern_call("query", json!({ "target": TABLE })),
    )
    .await;
    assert_eq!(answer.1["result"]["isError"], false, "{}", answer.1);
    // The call that failed, the one that did not, and the push: the audit table was locked, and now has all three.
    eventually("the rows that waited have landed", async || {
        let calls = scene.faulty.app.audit_rows(3).await;
        calls.len() == 3
    })
    .await;
}
