//! Requests that may not push: one answer for every cause, before a byte of the body is read.

use std::io::{Read, Write};
use std::net::TcpStream;

use reqwest::Method;
use serde_json::json;

use super::{Device, coffee, counts};
use crate::support::TestApp;

/// The answer without the header lines that contain a time, and with the others sorted, since their order is not
/// fixed.
pub fn comparable(answer: &str) -> String {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head
        .lines()
        .filter(|line| !line.to_ascii_lowercase().starts_with("date:"))
        .collect();
    lines[1..].sort_unstable();
    format!("{}\n\n{body}", lines.join("\n"))
}

/// Sends a head and the start of a body that never ends, and returns the answer.
async fn raw(app: &TestApp, path: &str, secret: &str, body: &'static [u8]) -> String {
    let (address, path, secret) = (app.address(), path.to_owned(), secret.to_owned());
    actix_web::rt::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 900000000\r\nAuthorization: Bearer {secret}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    })
    .await
    .unwrap()
}

#[actix_web::test]
async fn r083_every_cause_gives_the_same_answer_byte_for_byte() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let paused = Device::of(&app, "finance.accounts").await;
    app.pause(&paused.id).await.expect(200);
    let without = Device::of(&app, "health.days").await;
    app.database
        .connect()
        .await
        .execute(
            "UPDATE connections SET ingest_secret_sha256 = NULL WHERE id = $1::text::uuid",
            &[&without.id],
        )
        .await
        .unwrap();
    app.tree
        .connections
        .reload(without.id.parse().unwrap())
        .await
        .unwrap();
    let causes = [
        (
            "/api/ingest/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d".to_owned(),
            &device.secret,
        ),
        (paused.path(), &paused.secret),
        (without.path(), &without.secret),
        (device.path(), &paused.secret),
        ("/api/ingest/not-an-id".to_owned(), &device.secret),
    ];
    let mut answers = Vec::new();
    for (path, secret) in &causes {
        answers.push(comparable(&raw(&app, path, secret, b"{").await));
    }
    assert!(
        answers[0].starts_with("HTTP/1.1 401")
            && answers[0].ends_with("{\"error\":\"unauthorized\"}"),
        "{}",
        answers[0]
    );
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:#?}"
    );
    let denied: Vec<_> = app
        .audit_rows(6)
        .await
        .into_iter()
        .filter(|row| row["tool"] == "ingest")
        .collect();
    assert_eq!(denied.len(), 5);
    for row in denied {
        assert_eq!(
            (&row["decision"], &row["deny_reason"]),
            (&json!("deny"), &json!("unauthorized"))
        );
        assert!(
            row["agent_id"].is_null()
                && row["sector"].is_null()
                && row["outcome"].is_null()
                && row["result_count"].is_null(),
            "{row}"
        );
    }
}

#[actix_web::test]
async fn r081_a_bad_secret_is_refused_while_its_endless_body_still_arrives() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    // The announced body is never sent: a server that waited for it would not answer.
    let answer = raw(&app, &device.path(), "wrong", b"[{").await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert!(
        answer.to_ascii_lowercase().contains("connection: close"),
        "{answer}"
    );
}

#[actix_web::test]
async fn r080_the_other_header_serves_too_and_a_query_does_not() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let body = json!([coffee("a", -1.0)]);
    let named = app
        .request(Method::POST, &device.path())
        .header("X-PCI-Webhook-Secret", &device.secret)
        .json(&body);
    assert_eq!(counts(&app.send(named).await.expect(200)), [1, 0, 0, 0]);
    let bare = app
        .request(
            Method::POST,
            &format!("{}?secret={}", device.path(), device.secret),
        )
        .json(&body);
    app.send(bare).await.expect(401);
}

#[actix_web::test]
async fn r082_a_stored_hash_of_the_wrong_length_fails_closed() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let client = app.database.connect().await;
    for wrong in [
        "''::bytea",
        "substring(ingest_secret_sha256 FOR 31)",
        "ingest_secret_sha256 || '\\x00'::bytea",
    ] {
        client.execute(&format!("UPDATE connections SET ingest_secret_sha256 = {wrong} WHERE id = $1::text::uuid"), &[&device.id]).await.unwrap();
        app.tree
            .connections
            .reload(device.id.parse().unwrap())
            .await
            .unwrap();
        device.push(json!([coffee("a", -1.0)])).await.expect(401);
    }
}

#[actix_web::test]
async fn r085_rotating_the_secret_stops_the_old_one_at_once() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let rotated = app.rotate_secret(&device.id).await.expect(200);
    let fresh = Device {
        app: &app,
        id: device.id.clone(),
        secret: rotated["secret"].as_str().unwrap().to_owned(),
    };
    device.push(json!([coffee("a", -1.0)])).await.expect(401);
    assert_eq!(
        counts(&fresh.store(json!([coffee("a", -1.0)])).await),
        [1, 0, 0, 0]
    );
    let stored = super::rows(
        &app,
        "SELECT octet_length(ingest_secret_sha256) AS bytes FROM connections",
    )
    .await;
    assert_eq!(stored, [json!({ "bytes": 32 })]);
}

#[actix_web::test]
async fn a_paused_connection_refuses_and_a_resumed_one_takes() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    app.pause(&device.id).await.expect(200);
    device.push(json!([coffee("a", -1.0)])).await.expect(401);
    app.resume(&device.id).await.expect(200);
    device.store(json!([coffee("a", -1.0)])).await;
    app.disconnect(&device.id, json!({ "rows": "keep" }))
        .await
        .expect(200);
    device.push(json!([coffee("b", -1.0)])).await.expect(401);
}
