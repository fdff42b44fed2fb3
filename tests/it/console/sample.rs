use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::eventually::eventually;

const TABLES: usize = 13;

async fn load(app: &TestApp) -> Vec<Value> {
    let answer = app.post("/api/sample", json!({})).await.expect(201);
    answer["connections"].as_array().unwrap().clone()
}

async fn remove(app: &TestApp) -> Value {
    let request = app.request(Method::DELETE, "/api/sample");
    app.send(request).await.expect(200)["deleted"].clone()
}

async fn number(app: &TestApp, statement: &str) -> i64 {
    let client = app.database.connect().await;
    client.query_one(statement, &[]).await.unwrap().get(0)
}

/// The number of rows in every table of the sectors, and in those that depend on connections.
async fn rows_in_all(app: &TestApp) -> i64 {
    let mut tables: Vec<String> = sextant::catalog::tables()
        .filter(|table| table.target() != "mail.threads")
        .map(sextant::catalog::Table::target)
        .collect();
    let beside = [
        "evidence.days",
        "evidence.balances",
        "pending_references",
        "sync_cursors",
    ];
    tables.extend(beside.map(str::to_owned));
    let counts = tables
        .iter()
        .map(|table| format!("(SELECT count(*) FROM {table})"));
    number(
        app,
        &format!("SELECT {}", counts.collect::<Vec<_>>().join(" + ")),
    )
    .await
}

#[actix_web::test]
async fn the_sample_arrives_as_connections_marked_as_such_and_all_of_it_is_stored() {
    let app = TestApp::start().await;
    let made = load(&app).await;
    assert_eq!(made.len(), TABLES);
    for connection in &made {
        assert_eq!(
            (&connection["provider"], &connection["isSample"]),
            (&json!("push"), &json!(true))
        );
        assert_eq!(
            (&connection["state"], &connection["health"]),
            (&json!("active"), &json!("ok"))
        );
        assert!(
            connection["label"]
                .as_str()
                .unwrap()
                .starts_with("Sample · "),
            "{connection}"
        );
        assert_eq!(connection["hasIngestSecret"], false, "nobody pushes to it");
        let id = connection["id"].as_str().unwrap();
        assert!(app.published(id).is_some());
    }
    assert_eq!(app.connections().await.as_array().unwrap().len(), TABLES);
    assert_eq!(
        number(&app, "SELECT count(*) FROM pending_references").await,
        0
    );
    assert_eq!(
        number(
            &app,
            "SELECT count(*) FROM finance.transactions WHERE account_id IS NULL"
        )
        .await,
        0
    );
    assert_eq!(
        number(
            &app,
            "SELECT count(*) FROM home.history WHERE entity_id IS NULL"
        )
        .await,
        0
    );
    assert_eq!(
        number(
            &app,
            "SELECT count(*) FROM mail.attachments WHERE message_id IS NULL"
        )
        .await,
        0
    );
    let moved =
        "SELECT count(*) FROM calendar.events WHERE title = 'Climbing with Jonas and Amélie'";
    assert_eq!(number(&app, moved).await, 1);
    assert!(rows_in_all(&app).await > 2_000);
}

#[actix_web::test]
async fn r038_each_connection_of_the_sample_leaves_an_ingest_row() {
    let app = TestApp::start().await;
    let made = load(&app).await;
    let rows = app.audit_rows(TABLES).await;
    assert_eq!(rows.len(), TABLES);
    for row in &rows {
        assert_eq!(
            (&row["tool"], &row["decision"], &row["outcome"]),
            (&json!("ingest"), &json!("allow"), &json!("ok"))
        );
        assert_eq!(row["agent_id"], Value::Null);
        let of = made
            .iter()
            .find(|made| made["id"] == row["args"]["connectionId"])
            .unwrap();
        assert_eq!(of["sector"], row["sector"]);
        let table = of["table"].as_str().unwrap();
        let id = of["id"].as_str().unwrap();
        let stored = number(&app, &format!("SELECT count(*) FROM {table} WHERE connection_id = '{id}' AND source_id NOT LIKE '%/%Z'")).await;
        assert_eq!(row["result_count"], stored, "{table}");
    }
}

#[actix_web::test]
async fn r039_its_removal_leaves_nothing_behind_and_a_disconnect_row_each() {
    let app = TestApp::start().await;
    let (own, secret) = app.push_connection("contacts.people").await;
    let push = app
        .request(Method::POST, &format!("/api/ingest/{own}"))
        .bearer_auth(secret);
    app.send(push.json(&json!([{ "full_name": "Ada" }])))
        .await
        .expect(200);
    let before = rows_in_all(&app).await;
    let loaded = load(&app).await;
    let stored = rows_in_all(&app).await - before;
    let beside =
        "SELECT (SELECT count(*) FROM sync_cursors) + (SELECT count(*) FROM pending_references)";
    let rows = stored - number(&app, beside).await;
    assert_eq!(remove(&app).await, rows, "each row once");
    for connection in &loaded {
        assert!(app.published(connection["id"].as_str().unwrap()).is_none());
    }
    assert_eq!(
        rows_in_all(&app).await,
        before,
        "the person's own rows stay, the sample's go"
    );
    assert_eq!(app.connections().await.as_array().unwrap().len(), 1);
    let rows = app.audit_rows(1 + 2 * TABLES).await;
    let removals: Vec<&Value> = rows
        .iter()
        .filter(|row| row["tool"] == "disconnect")
        .collect();
    assert_eq!(removals.len(), TABLES);
    assert!(
        removals
            .iter()
            .all(|row| row["outcome"] == "ok" && row["args"]["rows"] == "delete")
    );
    assert_eq!(remove(&app).await, 0, "there is none any more");
    assert_eq!(load(&app).await.len(), TABLES, "and it can come again");
}

#[actix_web::test]
async fn agents_are_told_which_sources_are_sample_data() {
    let app = TestApp::start().await;
    let (own, _) = app.push_connection("mail.messages").await;
    let status = async || app.get("/api/status").await.expect(200)["sample"].clone();
    assert_eq!(status().await, false);
    load(&app).await;
    assert_eq!(status().await, true);

    let list = app.connections().await;
    let own = list.as_array().unwrap().iter().find(|one| one["id"] == own);
    let own = own.unwrap()["label"].clone();
    let asked = [
        json!({ "target": "mail.messages", "limit": 1 }),
        json!({ "target": "mail.messages", "search": "nothing-has-this-word" }),
    ];
    for query in asked {
        let answer = app.post("/api/data/mail", query).await.expect(200);
        let sources = answer["sources"].as_array().unwrap();
        assert_eq!(sources.len(), 2, "{sources:?}");
        for source in sources {
            let is_own = source["connection"] == own;
            assert_eq!(source.get("sample").is_none(), is_own, "{source}");
            assert!(is_own || source["sample"] == true, "{source}");
        }
    }
    let context = app.get("/api/operator/context").await.expect(200);
    let connections = context["freshness"]["mail"]["connections"].clone();
    let connections = connections.as_array().unwrap();
    assert!(connections.len() > 1);
    for connection in connections {
        let is_own = connection["label"] == own;
        assert_eq!(connection.get("sample").is_none(), is_own, "{connection}");
        assert!(is_own || connection["sample"] == true, "{connection}");
    }
    remove(&app).await;
    assert_eq!(status().await, false);
}

#[actix_web::test]
async fn the_mark_decides_and_not_the_label() {
    let app = TestApp::start().await;
    let new = json!({ "provider": "push", "sector": "home", "label": "Sample · Home: entities" });
    app.create_connection(new).await.expect(201);
    assert_eq!(app.connections().await[0]["isSample"], false);
    assert_eq!(remove(&app).await, 0);
    assert_eq!(app.connections().await.as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_second_load_is_a_conflict_also_when_both_come_at_once() {
    let app = TestApp::start().await;
    let (one, other) = tokio::join!(
        app.post("/api/sample", json!({})),
        app.post("/api/sample", json!({}))
    );
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    app.post("/api/sample", json!({}))
        .await
        .expect_problem(409, "conflict", None);
    assert_eq!(app.connections().await.as_array().unwrap().len(), TABLES);
}

#[actix_web::test]
async fn a_failure_in_the_middle_leaves_nothing() {
    let app = TestApp::start().await;
    let before = rows_in_all(&app).await;
    let client = app.database.connect().await;
    client
        .batch_execute("ALTER TABLE home.history ADD CONSTRAINT broken CHECK (state <> 'cleaning')")
        .await
        .unwrap();
    app.post("/api/sample", json!({}))
        .await
        .expect_problem(500, "internal", None);
    assert_eq!(app.connections().await, json!([]));
    assert_eq!(rows_in_all(&app).await, before);
    client
        .batch_execute("ALTER TABLE home.history DROP CONSTRAINT broken")
        .await
        .unwrap();
    assert_eq!(load(&app).await.len(), TABLES, "the way is free again");
}

#[actix_web::test]
async fn without_a_database_nothing_is_promised() {
    let app = TestApp::start().await;
    app.lose_database().await;
    app.post("/api/sample", json!({}))
        .await
        .expect_problem(503, "unavailable", None);
}

#[actix_web::test]
async fn r507_no_foreign_page_can_load_or_remove_it() {
    let app = TestApp::start().await;
    for method in [Method::POST, Method::DELETE] {
        let request = app
            .request(method.clone(), "/api/sample")
            .header("origin", "https://evil.example");
        app.send(request)
            .await
            .expect_problem(403, "forbidden_host", None);
        let request = app
            .request(method, "/api/sample")
            .header("host", "evil.example");
        app.send(request)
            .await
            .expect_problem(403, "forbidden_host", None);
    }
    app.post("/api/sample", json!({ "sectors": ["home"] }))
        .await
        .expect_problem(400, "invalid", Some("sectors"));
    assert_eq!(app.connections().await, json!([]));
}

/// A load goes on to its end after its client has left.
#[actix_web::test]
async fn a_caller_that_leaves_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.database.connect().await;
    client
        .batch_execute("BEGIN; LOCK TABLE home.history IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    {
        let mut asked = std::pin::pin!(app.post("/api/sample", json!({})));
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'home.history'::regclass";
        tokio::select! {
            _ = &mut asked => panic!("it was answered before it could be"),
            () = eventually("the load waits for the lock", async || number(&app, waits).await > 0) => {}
        }
    }
    client.batch_execute("COMMIT").await.unwrap();
    eventually("the load has ended", async || {
        app.connections().await.as_array().unwrap().len() == TABLES
    })
    .await;
}

/// Loading and removing take turns: the removal waits for the load, and removes what it loaded.
#[actix_web::test]
async fn a_removal_asked_for_while_a_load_is_under_way_leaves_nothing_of_it() {
    const LOOKS: usize = 20;
    let app = TestApp::start().await;
    let before = rows_in_all(&app).await;
    let client = app.database.connect().await;
    client
        .batch_execute("BEGIN; LOCK TABLE home.history IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let mut loaded = std::pin::pin!(app.post("/api/sample", json!({})));
    let waits =
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'home.history'::regclass";
    tokio::select! {
        _ = &mut loaded => panic!("it was answered before it could be"),
        () = eventually("the load waits for the lock", async || number(&app, waits).await > 0) => {}
    }
    let mut removed = std::pin::pin!(remove(&app));
    tokio::select! {
        deleted = &mut removed => panic!("it removed {deleted} while the load was under way"),
        () = async { for _ in 0..LOOKS { app.connections().await; } } => {}
    }
    client.batch_execute("COMMIT").await.unwrap();
    let (loaded, deleted) = tokio::join!(loaded, removed);
    assert_eq!(loaded.status.as_u16(), 201);
    assert!(deleted.as_i64().unwrap() > 2_000, "{deleted}");
    assert_eq!(app.connections().await, json!([]));
    assert_eq!(rows_in_all(&app).await, before);
    let rows = app.audit_rows(2 * TABLES).await;
    let tools: Vec<&Value> = rows.iter().map(|row| &row["tool"]).collect();
    for tool in ["ingest", "disconnect"] {
        assert_eq!(tools.iter().filter(|told| **told == tool).count(), TABLES);
    }
}
