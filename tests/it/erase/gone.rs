//! Words planted in every text of every table are nowhere in the database after an erase, and all other planted words
//! are still there.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sextant::catalog;

use super::{acts, count, erase, of_connection, preview};
use crate::support::TestApp;
use crate::support::planted::{Planted, plant_everywhere};

/// Asserts that a planted word is in the database exactly if its connection fulfils `is_left`.
fn assert_left(app: &TestApp, planted: &[Planted], is_left: impl Fn(&Planted) -> bool) {
    let dumped = app.database.dump();
    // Compared as whole words, since one may be a prefix of another.
    let found: BTreeSet<&str> = dumped
        .split(|char: char| !char.is_ascii_alphanumeric())
        .filter(|word| word.starts_with("zq"))
        .collect();
    for connection in planted {
        for word in &connection.words {
            assert_eq!(
                found.contains(word.as_str()),
                is_left(connection),
                "{word} of {}",
                connection.table.target()
            );
        }
    }
}

async fn generation(app: &TestApp) -> String {
    let client = app.database.connect().await;
    let row = client
        .query_one("SELECT generation::text FROM generations", &[])
        .await;
    row.unwrap().get(0)
}

/// Previews and erases a scope; both must name the same numbers.
async fn erased(app: &TestApp, scope: Value) -> Value {
    let (before, expected) = (generation(app).await, preview(app, scope.clone()).await);
    assert_eq!(
        preview(app, scope.clone()).await,
        expected,
        "a preview changes nothing"
    );
    assert_eq!(generation(app).await, before);
    let done = erase(app, scope).await;
    assert_eq!(done, expected);
    assert_ne!(generation(app).await, before);
    let tables = done["tables"].as_object().unwrap();
    let sum: u64 = tables.values().map(|rows| rows.as_u64().unwrap()).sum();
    assert_eq!(done["deleted"], sum);
    assert!(sum > 0, "{done}");
    done
}

#[actix_web::test]
async fn r040_what_was_erased_is_nowhere_in_the_database_and_all_else_still_there() {
    let app = TestApp::start().await;
    let planted = plant_everywhere(&app).await;
    assert_left(&app, &planted, |_| true);

    // By connection: the first of each pair.
    for connection in planted.iter().step_by(2) {
        erased(&app, of_connection(&connection.id)).await;
    }
    let firsts: BTreeSet<&str> = planted
        .iter()
        .step_by(2)
        .map(|one| one.id.as_str())
        .collect();
    assert_left(&app, &planted, |one| !firsts.contains(one.id.as_str()));

    // By sector.
    for sector in ["mail", "health"] {
        erased(&app, json!({ "scope": "sector", "sector": sector })).await;
    }
    let is_left = |one: &Planted| {
        !firsts.contains(one.id.as_str()) && !["mail", "health"].contains(&one.table.sector.name())
    };
    assert_left(&app, &planted, is_left);

    // The rows of a removed connection, which were kept.
    let kept = planted.iter().rfind(|one| is_left(one)).unwrap();
    app.disconnect(&kept.id, json!({ "rows": "keep" }))
        .await
        .expect(200);
    assert_left(&app, &planted, is_left);
    erased(&app, of_connection(&kept.id)).await;
    assert_left(&app, &planted, |one| is_left(one) && one.id != kept.id);

    // All.
    erased(&app, json!({ "scope": "all" })).await;
    assert_left(&app, &planted, |_| false);
    for table in catalog::tables() {
        let rows = count(&app, &format!("SELECT count(*) FROM {}", table.target())).await;
        assert_eq!(rows, 0, "{}", table.target());
    }
    let nothing = preview(&app, json!({ "scope": "all" })).await;
    assert_eq!(nothing, json!({ "deleted": 0, "tables": {} }));

    // The connections are unchanged, and so is the audit log.
    let left = app.connections().await;
    assert_eq!(left.as_array().unwrap().len(), planted.len() - 1);
    assert!(
        left.as_array()
            .unwrap()
            .iter()
            .all(|one| one["state"] == "active")
    );
    let erases = planted.len() / 2 + 4;
    assert_eq!(acts(&app, erases).await.len(), erases);
    // Two pushes each.
    assert_eq!(
        count(&app, "SELECT count(*) FROM audit_log WHERE tool = 'ingest'").await as usize,
        planted.len() * 2
    );
}

#[actix_web::test]
async fn days_and_balances_are_made_anew_of_what_is_left() {
    let app = TestApp::start().await;
    let (watch, watch_secret) = app.push_connection("health.days").await;
    let (phone, phone_secret) = app.push_connection("health.days").await;
    let push = async |id: &str, secret: &str, body: Value| {
        let request = app.request(reqwest::Method::POST, &format!("/api/ingest/{id}"));
        app.send(request.bearer_auth(secret).json(&body))
            .await
            .expect(200);
    };
    push(
        &watch,
        &watch_secret,
        json!([{ "day": "2026-03-01", "steps": 9000, "mood": "watched" }]),
    )
    .await;
    push(
        &phone,
        &phone_secret,
        json!([{ "day": "2026-03-01", "weight_kg": 71.5, "resting_heart_rate": 50 }]),
    )
    .await;
    erase(&app, of_connection(&watch)).await;
    let days = app
        .post(
            "/api/data/health",
            json!({ "target": "days", "select": ["day", "steps", "weight_kg"] }),
        )
        .await
        .expect(200);
    assert_eq!(days["rows"], json!([["2026-03-01", null, 71.5]]), "{days}");
    assert_eq!(
        count(
            &app,
            "SELECT count(*) FROM health.days WHERE extra IS NOT NULL"
        )
        .await,
        0
    );
}

/// A connection's cursor, its state, and references that wait for a parent. Nothing syncs yet, so a row for it is
/// inserted by hand.
#[actix_web::test]
async fn what_a_connection_has_beside_its_rows_goes_with_them_and_is_no_row() {
    const BESIDE: [&str; 5] = [
        "pending_references",
        "sync_cursors",
        "sync_runs",
        "source_items",
        "pushes",
    ];
    let app = TestApp::start().await;
    let planted = plant_everywhere(&app).await;
    let client = app.database.connect().await;
    client
        .batch_execute("INSERT INTO sync_runs (user_id, connection_id, started_at) SELECT user_id, id, now() FROM connections;
            INSERT INTO source_items (user_id, connection_id, scope, key, version, records, seen_at)
            SELECT user_id, id, '', 'one', '1', '[]', now() FROM connections")
        .await
        .unwrap();
    let left = async |id: &str| {
        let mut rows = Vec::new();
        for table in BESIDE {
            let sql = format!("SELECT count(*) FROM {table} WHERE connection_id::text = '{id}'");
            rows.push(count(&app, &sql).await);
        }
        rows
    };
    for target in ["calendar.series", "finance.transactions"] {
        let of_table = |one: &&Planted| one.table.target() == target;
        let ids: Vec<&str> = planted
            .iter()
            .filter(of_table)
            .map(|one| one.id.as_str())
            .collect();
        let [erased_one, kept_one] = ids.try_into().unwrap();
        let before = left(kept_one).await;
        assert!(before.iter().sum::<i64>() > 1, "{target}: {before:?}");
        let done = erased(&app, of_connection(erased_one)).await;
        assert_eq!(left(erased_one).await, [0; 5], "{target}");
        assert_eq!(left(kept_one).await, before, "{target}");
        let told = done["tables"].as_object().unwrap();
        assert!(
            BESIDE.iter().all(|table| !told.contains_key(*table)),
            "{done}"
        );
    }
}

#[actix_web::test]
async fn a_change_cursor_from_before_an_erase_has_expired() {
    let app = TestApp::start().await;
    let planted = plant_everywhere(&app).await;
    let ask = async |since: Option<&Value>| {
        let mut request = json!({ "target": "people", "limit": 1 });
        if let Some(since) = since {
            request["changed_since"] = since.clone();
        }
        app.post("/api/data/contacts", request).await
    };
    let first = ask(None).await.expect(200);
    let cursor = &first["change_cursor"];
    ask(Some(cursor)).await.expect(200);
    // An erase of another sector ends it too: a generation belongs to the whole store.
    erase(&app, of_connection(&planted[0].id)).await;
    let refused = ask(Some(cursor)).await;
    assert!(
        refused.status.is_client_error() && refused.text.contains("cursor_expired"),
        "{refused:?}"
    );
}
