//! Lines that cannot be stored: reported by table and line, and never quoted.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Entries, assert_nothing_came, export, import, refused};
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::planted::plant_some;

const PEOPLE: usize = 600;
const WORD: &str = "unmistakable";

async fn bundle() -> Entries {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("contacts.people").await;
    let people: Vec<Value> = (0..PEOPLE)
        .map(|number| json!({ "id": format!("p{number}"), "full_name": WORD }))
        .collect();
    let push = app.request(Method::POST, &format!("/api/ingest/{id}"));
    app.send(push.bearer_auth(secret).json(&people))
        .await
        .expect(200);
    app.key_of("laptop", &["mail"]).await;
    Entries::of(&export(&app).await)
}

fn with(line: &str, name: &str, value: Value) -> String {
    let mut row: Value = serde_json::from_str(line).unwrap();
    row[name] = value;
    row.to_string()
}

#[actix_web::test]
async fn a_line_that_does_not_fit_is_named_and_quoted_nowhere() {
    let (entries, app) = (bundle().await, TestApp::start().await);
    let foreign = "00000000-0000-4000-8000-00000000dead";
    // In the second batch, so that one has been stored before it.
    let place = 550;
    for (name, value) in [
        ("id", json!(WORD)),
        ("connection_id", json!(foreign)),
        ("source_id", json!(null)),
        ("synced_at", json!(format!("2026-13-45 {WORD}"))),
        ("birthday_month", json!(1e30)),
        ("full_name", json!("a\u{0}b")),
        ("nicknames", json!({ WORD: 1 })),
        ("nicknames", json!([[WORD]])),
        ("synced_at", json!("200000-01-01T00:00:00+00:00")),
        ("deleted_at", json!("0044-03-15T00:00:00+00:00 BC")),
        ("user_id", json!(foreign)),
        (WORD, json!(WORD)),
    ] {
        let mut changed = entries.clone();
        changed.edit("contacts.people", |lines| {
            lines[place] = with(&lines[place], name, value)
        });
        let said = refused(&app, changed.packed(), 400).await;
        assert!(
            said.contains(&format!("contacts.people.jsonl, line {}:", place + 1)),
            "{name}: {said}"
        );
        assert!(!said.contains(WORD) && !said.contains(foreign), "{said}");
    }
    for (line, said) in [
        ("{", "no JSON object"),
        ("", "no JSON object"),
        ("[]", "no JSON object"),
    ] {
        let mut changed = entries.clone();
        changed.edit("contacts.people", |lines| lines[7] = line.to_owned());
        let told = refused(&app, changed.packed(), 400).await;
        assert!(
            told.contains("contacts.people.jsonl, line 8:") && told.contains(said),
            "{told}"
        );
    }
    // The same row twice: the second one is at fault.
    let mut twice = entries.clone();
    twice.edit("contacts.people", |lines| {
        lines.insert(560, lines[3].clone())
    });
    let told = refused(&app, twice.packed(), 400).await;
    assert!(told.contains("contacts.people.jsonl, line 561:"), "{told}");
    for (table, name, value) in [
        ("connections", "provider", json!("plaid")),
        ("connections", "provider", json!(null)),
        ("connections", "sector", json!("stars")),
        ("connections", "target_table", json!("mail.messages")),
        ("connections", "health", json!("splendid")),
        ("connections", "created_at", json!("infinity")),
        ("connections", "ingest_secret_sha256", json!("\\x00")),
        ("agents", "name", json!("operator")),
        ("agents", "key_hash", json!("\\x00")),
        ("agents", "sectors", json!([null])),
    ] {
        let mut changed = entries.clone();
        changed.edit(table, |lines| lines[0] = with(&lines[0], name, value));
        let told = refused(&app, changed.packed(), 400).await;
        assert!(
            told.contains(&format!("{table}.jsonl, line 1:")),
            "{name}: {told}"
        );
    }
    import(&app, entries.packed()).await.expect(200);
}

/// Words that do not compress.
fn noise(words: usize) -> String {
    let words = (0..words).map(|number| {
        let digest = Sha256::digest(number.to_string());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    });
    words.collect::<Vec<String>>().join(" ")
}

/// A trigger that fails with the SQLSTATE that the row itself names, to stand for any refusal of the database.
const ANY_REFUSAL: &str = "
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = new.full_name; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON contacts.people
    FOR EACH ROW WHEN (new.full_name ~ '^[0-9A-Z]{5}$') EXECUTE FUNCTION refuse()";

#[actix_web::test]
async fn a_row_that_the_database_refuses_is_the_files_fault_whatever_it_says_of_it() {
    let (entries, app) = (bundle().await, TestApp::start().await);
    let client = app.database.connect_as_superuser().await;
    client.batch_execute(ANY_REFUSAL).await.unwrap();
    let place = 550;
    for (name, value, code) in [
        // Larger than an index entry may be, and larger than a searchable text may be.
        ("source_id", json!(noise(200)), "54000"),
        ("full_name", json!(noise(20_000)), "54000"),
        ("full_name", json!("21000"), "21000"),
        ("full_name", json!("22003"), "22003"),
        ("full_name", json!("23514"), "23514"),
        ("full_name", json!("54001"), "54001"),
    ] {
        let mut changed = entries.clone();
        changed.edit("contacts.people", |lines| {
            lines[place] = with(&lines[place], name, value)
        });
        let said = refused(&app, changed.packed(), 400).await;
        let expected = format!("contacts.people.jsonl, line {}: it cannot", place + 1);
        assert!(said.contains(&expected) && said.contains(code), "{said}");
    }
    let mut nested = entries.clone();
    nested.edit("contacts.people", |lines| {
        let deep = "[".repeat(20_000) + &"]".repeat(20_000);
        lines[place] = format!("{{\"raw\": {deep}, {}", &lines[place][1..]);
    });
    let said = refused(&app, nested.packed(), 400).await;
    assert!(said.contains("line 551: it is nested deeper"), "{said}");
    import(&app, entries.packed()).await.expect(200);
}

/// Days and balances are derived rows with ids of their own; the same day under another id would be a second one.
#[actix_web::test]
async fn rows_that_each_can_be_stored_and_do_not_go_together_are_refused() {
    let old = TestApp::start().await;
    for (target, record) in [
        (
            "health.samples",
            json!({ "id": "s", "metric": "steps", "value": 9, "start_at": "2026-03-01T12:00:00Z" }),
        ),
        (
            "finance.accounts",
            json!({ "id": "a", "name": "Giro", "currency": "EUR", "balance_current": 5, "balance_as_of": "2026-03-01T12:00:00Z" }),
        ),
    ] {
        let (id, secret) = old.push_connection(target).await;
        let push = old.request(Method::POST, &format!("/api/ingest/{id}"));
        old.send(push.bearer_auth(secret).json(&json!([record])))
            .await
            .expect(200);
    }
    let (entries, app) = (Entries::of(&export(&old).await), TestApp::start().await);
    for (table, sector) in [("health.days", "health"), ("finance.balances", "finance")] {
        let mut changed = entries.clone();
        let foreign = json!("00000000-0000-4000-8000-00000000dead");
        changed.edit(table, |lines| lines[0] = with(&lines[0], "id", foreign));
        let said = refused(&app, changed.packed(), 400).await;
        let expected = format!("its rows of {sector} do not go together");
        assert!(said.contains(&expected), "{said}");
    }
    import(&app, entries.packed()).await.expect(200);
}

#[actix_web::test]
async fn a_store_with_rows_is_told_so_before_the_file_is_read() {
    let app = TestApp::start().await;
    plant_some(&app, &["contacts.people"]).await;
    // A body that never ends.
    let endless = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let request = app
        .request(Method::POST, "/api/import")
        .header("content-type", "application/zip");
    let answer = app
        .send(request.body(reqwest::Body::wrap_stream(endless)))
        .await;
    let said = answer.expect(409)["message"].as_str().unwrap().to_owned();
    assert!(
        said.contains("without rows") && said.contains("another data directory"),
        "{said}"
    );
}

#[actix_web::test]
async fn r507_a_body_is_a_zip_from_here_within_its_limits() {
    let mut settings = settings();
    settings.imports.file_bytes_max = 1_000;
    settings.imports.silence_max = Duration::from_millis(200);
    let app = TestApp::start_with(settings).await;
    let request = |media: &str| {
        app.request(Method::POST, "/api/import")
            .header("content-type", media)
    };
    app.send(request("application/json").body("{}"))
        .await
        .expect_problem(415, "unsupported_media_type", None);
    app.send(
        request("application/zip")
            .header("origin", "http://evil.example")
            .body("x"),
    )
    .await
    .expect_problem(403, "forbidden_host", None);
    app.send(request("application/zip").body(vec![0; 1_001]))
        .await
        .expect_problem(413, "too_large", None);
    let chunks = futures_util::stream::iter((0..20).map(|_| Ok::<_, std::io::Error>(vec![0; 100])));
    app.send(request("application/zip").body(reqwest::Body::wrap_stream(chunks)))
        .await
        .expect_problem(413, "too_large", None);
    let silent = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let silent = app
        .send(request("application/zip").body(reqwest::Body::wrap_stream(silent)))
        .await;
    silent.expect_problem(400, "invalid", None);
    // Every other route still takes JSON only.
    let other = app
        .request(Method::POST, "/api/erase")
        .header("content-type", "application/zip");
    app.send(other.body("{}"))
        .await
        .expect_problem(415, "unsupported_media_type", None);
    assert_nothing_came(&app).await;
}
