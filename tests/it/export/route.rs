//! What a bundle contains, how it can be narrowed, who may request it, and the audit row that it leaves.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use sextant::catalog;
use sextant_actors::domain::Sector;

use super::bundle::{Bundle, begin_export};
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::planted::plant_everywhere;

/// The audit rows of exports, once there are this many.
async fn audit_rows(app: &TestApp, count: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    eventually("the row of the export", async || {
        let page = app.audit("?tool=export").await.expect(200);
        rows = page["rows"].as_array().unwrap().clone();
        rows.len() >= count
    })
    .await;
    assert_eq!(rows.len(), count, "{rows:?}");
    rows
}

async fn columns(app: &TestApp, table: &str) -> BTreeSet<String> {
    let client = app.database.connect().await;
    let (schema, name) = table.split_once('.').unwrap_or(("public", table));
    let rows = client
        .query(
            "SELECT column_name::text FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2",
            &[&schema, &name],
        )
        .await
        .unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn count(app: &TestApp, table: &str) -> u64 {
    let client = app.database.connect().await;
    let row = client
        .query_one(&format!("SELECT count(*) FROM {table}"), &[])
        .await
        .unwrap();
    row.get::<_, i64>(0).try_into().unwrap()
}

async fn household() -> TestApp {
    let app = TestApp::start().await;
    app.post("/api/sample", json!({})).await.expect(201);
    app
}

#[actix_web::test]
async fn r110_all_of_every_table_is_in_it_but_for_what_opens_doors() {
    let app = household().await;
    let key = app.key_of("reader", &["mail"]).await;
    let (_, secret) = app.push_connection("finance.transactions").await;
    let bundle = Bundle::of(&app, "").await;
    let stored = catalog::tables().filter(|table| table.is_stored());
    let tables: Vec<String> = stored.map(catalog::Table::target).collect();
    let ours = [
        "evidence.days",
        "evidence.balances",
        "evidence.account_pairs",
        "connections",
        "agents",
        "pending_references",
        "sync_cursors",
        "sign_ins",
        "source_items",
    ];
    for table in tables.iter().map(String::as_str).chain(ours) {
        let told = &bundle.manifest.tables[table];
        assert_eq!(told.rows, count(&app, table).await, "{table}");
        assert_eq!(told.rows as usize, bundle.rows(table).len(), "{table}");
        let Some(row) = bundle.rows(table).into_iter().next() else {
            continue;
        };
        let mut expected = columns(&app, table).await;
        for kept_here in [
            "user_id",
            "tsv",
            "changed_xid",
            // Made of `config`.
            "is_sample",
            // Made of `cursor`.
            "is_begun",
            "ingest_secret_sha256",
            "key_hash",
            "sealed",
        ] {
            expected.remove(kept_here);
        }
        if table.starts_with("finance.") && expected.contains("hidden_by") {
            // Told as `deleted_at` and `account_id`.
            expected.remove("removed_at");
            expected.remove("own_account_id");
        }
        let found: BTreeSet<String> = row.as_object().unwrap().keys().cloned().collect();
        assert_eq!(found, expected, "{table}");
    }
    assert!(bundle.manifest.tables["finance.transactions"].rows > 500);
    assert_eq!(bundle.rows("agents")[0]["name"], "reader");
    for (name, content) in &bundle.entries {
        let text = String::from_utf8_lossy(content);
        assert!(!text.contains(&key) && !text.contains(&secret), "{name}");
    }
    assert_eq!(bundle.order.last().unwrap(), "manifest.json");
    assert_eq!(bundle.order[..2], ["connections.jsonl", "agents.jsonl"]);
}

#[actix_web::test]
async fn rows_are_in_the_order_of_their_ids_with_tombstones_and_in_utc() {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("finance.transactions").await;
    let push = |body: Value| {
        let request = app.request(Method::POST, &format!("/api/ingest/{id}"));
        app.send(request.bearer_auth(&secret).json(&body))
    };
    let record = |id: &str| json!({ "id": id, "amount": "-1.50", "booked_on": "2026-03-01", "transacted_at": "2026-03-01T10:00:00+05:00", "account_id": "nowhere" });
    push(json!({ "records": [record("a"), record("b"), record("c")] }))
        .await
        .expect(200);
    push(json!({ "records": [], "deleted": ["b"] }))
        .await
        .expect(200);
    let bundle = Bundle::of(&app, "").await;
    let rows = bundle.rows("finance.transactions");
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    let gone = rows.iter().find(|row| row["source_id"] == "b").unwrap();
    assert!(
        gone["deleted_at"].is_string() && gone["amount"].is_null(),
        "{gone}"
    );
    let kept = rows.iter().find(|row| row["source_id"] == "a").unwrap();
    assert_eq!(kept["transacted_at"], "2026-03-01T05:00:00+00:00");
    assert_eq!(kept["amount"].to_string(), "-1.5000");
    let waiting = bundle.rows("pending_references");
    assert!(waiting.len() >= 2, "{waiting:?}");
    assert_eq!(waiting[0]["parent_source_id"], "nowhere");
    assert_eq!(bundle.text("transactions.csv").lines().count(), 3);
}

#[actix_web::test]
async fn r040_a_sector_narrows_it_and_the_row_says_so_with_the_number_of_rows() {
    let app = household().await;
    app.key_of("all", &["*"]).await;
    app.key_of("money", &["finance"]).await;
    let mail = Bundle::of(&app, "?sector=mail").await;
    let names = mail.rows("agents");
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(
        mail.rows("connections")
            .iter()
            .all(|one| one["sector"] == "mail")
    );
    assert!(mail.order.contains(&"mail.mbox".to_owned()));
    assert!(
        mail.order
            .iter()
            .all(|name| !name.starts_with("finance") && !name.starts_with("audit"))
    );
    let all = Bundle::of(&app, "").await;
    let rows = audit_rows(&app, 2).await;
    let told = |row: &Value| {
        (
            row["sector"].clone(),
            row["result_count"].clone(),
            row["outcome"].clone(),
        )
    };
    assert_eq!(
        told(&rows[1]),
        (json!("mail"), json!(mail.manifest.rows()), json!("ok"))
    );
    assert_eq!(
        told(&rows[0]),
        (Value::Null, json!(all.manifest.rows()), json!("ok"))
    );
    assert_eq!(rows[0]["agent_id"], "operator");
    assert_eq!(rows[0]["args"], Value::Null);
    let record = all.rows("audit_log");
    assert!(record.iter().all(|row| row.get("user_id").is_none()));
    assert!(
        record.iter().any(|row| row["tool"] == "ingest"),
        "{record:?}"
    );
}

/// Checked for every table that names a connection, in every sector.
#[actix_web::test]
async fn r040_a_sectors_bundle_holds_no_row_of_another_sectors_connections() {
    let app = TestApp::start().await;
    plant_everywhere(&app).await;
    for sector in Sector::ALL {
        let bundle = Bundle::of(&app, &format!("?sector={sector}")).await;
        let connections = bundle.rows("connections");
        assert!(!connections.is_empty());
        assert!(connections.iter().all(|one| one["sector"] == sector.name()));
        let theirs: BTreeSet<String> = connections
            .iter()
            .map(|one| one["id"].to_string())
            .collect();
        for table in bundle.manifest.tables.keys() {
            for row in bundle.rows(table) {
                let of = row.get("connection_id").map(Value::to_string);
                assert!(of.is_none_or(|id| theirs.contains(&id)), "{table}: {row}");
            }
        }
    }
    let all = Bundle::of(&app, "").await;
    for table in ["pending_references", "sync_cursors"] {
        assert!(all.rows(table).len() >= 2, "{table} proves nothing");
    }
}

#[actix_web::test]
async fn r507_another_sites_page_gets_none_and_what_is_refused_leaves_no_row() {
    let app = TestApp::start().await;
    for (name, value) in [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "https://evil.example"),
    ] {
        let request = app.request(Method::GET, "/api/export").header(name, value);
        app.send(request)
            .await
            .expect_problem(403, "forbidden_host", None);
    }
    app.get("/api/export?sector=money")
        .await
        .expect_problem(400, "invalid", Some("sector"));
    app.get("/api/export?sectors=mail")
        .await
        .expect_problem(400, "invalid", Some("sectors"));
    let head = app
        .send(app.request(Method::HEAD, "/api/export?sector=mail"))
        .await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    let named = head.headers["content-disposition"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        named.starts_with("attachment; filename=\"sextant-mail-2") && named.ends_with(".zip\""),
        "{named}"
    );
    assert_eq!(head.headers["content-type"], "application/zip");
    Bundle::of(&app, "").await;
    audit_rows(&app, 1).await;
}

#[actix_web::test]
async fn no_more_are_made_at_once_than_may_be() {
    let mut settings = settings();
    settings.exports.at_once_max = 1;
    let app = TestApp::start_with(settings).await;
    super::cut::fill(&app).await;
    let first = begin_export(&app, "").await;
    app.get("/api/export")
        .await
        .expect_problem(429, "rate_limited", None);
    drop(first);
    eventually("the turn is free again", async || {
        let again = app
            .request(Method::GET, "/api/export?sector=mail")
            .send()
            .await
            .unwrap();
        again.status() == 200
    })
    .await;
}
