//! Connections that are read from their sources: read now, restarted, and fetched from.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::clock::{Clock as _, SystemClock};
use sextant_actors::supervise::ActorState;
use sextant_actors::tree::TreePorts;
use uuid::Uuid;

use crate::support::app::{Answer, settings};
use crate::support::eventually::eventually;
use crate::support::rounds::ToldRounds;
use crate::support::{TestApp, TestDatabase};

/// The service, and a connection that is read.
struct Place {
    app: TestApp,
    rounds: ToldRounds,
    source: String,
}

impl Place {
    async fn build() -> Self {
        let rounds = ToldRounds::default();
        let own: Arc<ToldRounds> = Arc::new(rounds.clone());
        let world = |ports| TreePorts {
            rounds: own,
            ..ports
        };
        let database = TestDatabase::create().await;
        let app = TestApp::start_in(database, settings(), Arc::new(SystemClock), world).await;
        let (source, _) = app.push_connection("contacts.people").await;
        let place = Self {
            app,
            rounds,
            source,
        };
        place.alter("provider = 'carddav'").await;
        eventually("it is read", async || place.rounds.begun() >= 1).await;
        place
    }

    async fn alter(&self, change: &str) {
        let owner = self.app.database.connect().await;
        let statement = format!(
            "UPDATE connections SET {change} WHERE id = '{}'",
            self.source
        );
        owner.batch_execute(&statement).await.unwrap();
        self.reload().await;
    }

    async fn reload(&self) {
        let id: Uuid = self.source.parse().unwrap();
        self.app.tree.connections.reload(id).await.unwrap();
    }

    async fn act(&self, id: &str, verb: &str) -> Answer {
        let path = format!("/api/connections/{id}/{verb}");
        self.app.send(self.app.request(Method::POST, &path)).await
    }

    async fn rest_until(&self) -> DateTime<Utc> {
        let until = SystemClock.now() + TimeDelta::hours(2);
        self.rounds.rest_until(until);
        self.reload().await;
        until
    }

    /// The outcomes of all rows of this verb.
    async fn rows(&self, verb: &str, count: usize) -> Vec<Value> {
        let rows = self.app.audit_rows(count).await;
        let own = rows.into_iter().filter(|row| row["tool"] == verb);
        own.collect()
    }
}

#[actix_web::test]
async fn r039_sync_now_reads_a_source_and_leaves_one_row() {
    let place = Place::build().await;
    let told = place.act(&place.source, "sync-now").await.expect(202);
    let run = told["runId"].as_u64().unwrap();
    assert!((1..=place.rounds.begun() as u64).contains(&run), "{told}");
    eventually("it is read", async || place.rounds.begun() >= 2).await;
    let until = place.rest_until().await;
    let refused = place.act(&place.source, "sync-now").await;
    let text = refused.text.clone();
    refused.expect_problem(409, "conflict", None);
    let day = until.format("%Y-%m-%dT%H:%M").to_string();
    assert!(text.contains(&day), "{text}");
    place.rounds.need_person();
    place.reload().await;
    let refused = place.act(&place.source, "sync-now").await;
    let text = refused.text.clone();
    refused.expect_problem(409, "conflict", None);
    assert!(text.contains("sign in"), "{text}");
    place.app.pause(&place.source).await.expect(200);
    let refused = place.act(&place.source, "sync-now").await;
    refused.expect_problem(409, "conflict", None);
    let (phone, _) = place.app.push_connection("contacts.people").await;
    let refused = place.act(&phone, "sync-now").await;
    refused.expect_problem(409, "conflict", None);
    let nobody = Uuid::nil().to_string();
    let refused = place.act(&nobody, "sync-now").await;
    refused.expect_problem(404, "not_found", None);
    let rows = place.rows("sync_now", 7).await;
    let outcomes: Vec<&Value> = rows.iter().map(|row| &row["outcome"]).collect();
    assert_eq!(
        outcomes,
        ["ok", "error", "error", "error", "error", "error"]
    );
    assert_eq!(rows[0]["decision"], "allow");
    assert_eq!(rows[0]["sector"], "contacts");
    assert_eq!(rows[0]["args"], json!({ "connectionId": place.source }));
}

#[actix_web::test]
async fn r506_r041_a_restart_of_one_connection_leaves_no_row() {
    let place = Place::build().await;
    let begun = place.rounds.begun();
    let told = place.act(&place.source, "restart").await.expect(202);
    assert_eq!(told, json!({ "id": place.source }));
    let name = format!("connection {}", place.source);
    let of = |name: &str| {
        let board = place.app.tree.board.read();
        let own = board.into_iter().find(|row| row.name == name);
        own.map(|row| (row.state, row.restarts))
    };
    eventually("it is begun anew", async || {
        of(&name) == Some((ActorState::Running, 1)) && place.rounds.begun() > begun
    })
    .await;
    let listed = place.app.get("/api/actors").await.expect(200);
    let mut listed = listed["actors"].as_array().unwrap().iter();
    let shown = listed.find(|row| row["connectionId"] == place.source.as_str());
    assert_eq!(shown.unwrap()["kind"], "connection");
    let board = place.app.tree.board.read();
    let mut others = board.iter().filter(|row| row.name != name);
    assert!(others.all(|row| row.restarts == 0));
    let (phone, _) = place.app.push_connection("contacts.people").await;
    let refused = place.act(&phone, "restart").await;
    refused.expect_problem(409, "conflict", None);
    place.act(&place.source, "sync-now").await.expect(202);
    let rows = place.app.audit_rows(1).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
}

#[actix_web::test]
async fn r042_a_live_fetch_tells_what_became_of_each_source() {
    let place = Place::build().await;
    let (_phone, _) = place.app.push_connection("contacts.people").await;
    let fetch = async || {
        let asked = json!({ "target": "contacts", "timeout_s": 5 });
        let answer = place.app.post("/api/operator/fetch_live", asked).await;
        answer.expect(200)["fetched"].clone()
    };
    let fetched = fetch().await;
    let rows: Vec<&Value> = fetched.as_array().unwrap().iter().collect();
    let read = rows.iter().find(|row| row["outcome"] == "fetched").unwrap();
    assert_eq!(
        (&read["upserted"], &read["deleted"]),
        (&json!(3), &json!(1))
    );
    assert!(rows.iter().any(|row| row["outcome"] == "push_only"));
    let begun = place.rounds.begun();
    let until = place.rest_until().await;
    let fetched = fetch().await;
    let mut rows = fetched.as_array().unwrap().iter();
    let waits = rows.find(|row| row["outcome"] == "waiting").unwrap();
    let message = waits["message"].as_str().unwrap();
    assert!(message.contains(&until.format("%Y-%m-%dT%H:%M").to_string()));
    assert_eq!(place.rounds.begun(), begun, "it rests");
}

#[actix_web::test]
async fn sources_tell_how_fresh_they_are_and_when_their_sign_in_ends() {
    let place = Place::build().await;
    let ask = async || {
        let people = json!({ "target": "contacts.people" });
        place
            .app
            .post("/api/data/contacts", people)
            .await
            .expect(200)
    };
    place
        .alter("last_success_at = now() - interval '1 hour', interval_s = NULL")
        .await;
    let stale = async || ask().await["sources"][0]["stale"].clone();
    assert_eq!(stale().await, true, "three intervals of 15 minutes");
    place.alter("interval_s = 1800").await;
    assert_eq!(stale().await, false);
    assert_eq!(ask().await["sources"][0].get("ends_at"), None);
    place.alter("expires_at = now() + interval '13 days'").await;
    let answer = ask().await;
    let ends_at = &answer["sources"][0]["ends_at"];
    assert!(ends_at.is_string(), "{answer}");
    let note = answer["notes"][0].as_str().unwrap();
    assert!(note.contains(ends_at.as_str().unwrap()), "{note}");
    let owner = place.app.database.connect().await;
    let scope = |scope: &str, start: &str, cursor: &str| {
        format!(
            "INSERT INTO sync_cursors (user_id, connection_id, scope, cursor, window_start)
            SELECT user_id, id, '{scope}', {cursor}, {start} FROM connections"
        )
    };
    let covers = async || {
        let context = place.app.get("/api/operator/context").await.expect(200);
        let row = &context["freshness"]["contacts"]["connections"][0];
        assert_eq!(&row["ends_at"], ends_at);
        row["covers_from"].clone()
    };
    for (insert, expected) in [
        (
            scope("source:a", "'2025-01-01'", "'{}'"),
            json!("2025-01-01T00:00:00Z"),
        ),
        (
            scope("source:b", "'2026-01-01'", "'{}'"),
            json!("2026-01-01T00:00:00Z"),
        ),
        (
            scope("series:c", "'2027-01-01'", "NULL"),
            json!("2026-01-01T00:00:00Z"),
        ),
        (
            scope("source:d", "NULL", "'{}'"),
            json!("2026-01-01T00:00:00Z"),
        ),
        (scope("source:e", "'2024-01-01'", "NULL"), Value::Null),
    ] {
        owner.batch_execute(&insert).await.unwrap();
        assert_eq!(covers().await, expected, "{insert}");
    }
}
