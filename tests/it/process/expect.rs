//! What a raw client sees on the Console port: `Expect: 100-continue`, refusals while a body arrives, connections
//! kept alive.

use std::io::{ErrorKind, Write};

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::raw::Raw;
use super::service::Device;
use super::{Service, Setup};
use crate::ingest::refusals::comparable;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

const CONTINUE: &str = "HTTP/1.1 100 Continue\r\n\r\n";
const UNKNOWN: &str = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";

fn record(id: &str) -> String {
    json!([{ "id": id, "amount": -1, "currency": "EUR", "booked_on": "2026-03-01" }]).to_string()
}

fn json_of(length: usize) -> String {
    format!("Content-Type: application/json\r\nContent-Length: {length}\r\n")
}

fn asking(length: usize) -> String {
    format!("{}Expect: 100-continue\r\n", json_of(length))
}

#[test]
fn raw_clients_of_the_console_port() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        r086_refusals_are_equal_whether_asked_first_or_not(&service, &device).await;
        heads_that_cannot_be_taken_are_told_so_before_the_body(&service, &device);
        who_may_push_is_told_to_go_on(&service, &device);
        other_routes_go_on_with_expect(&service);
        r081_an_answer_is_readable_while_the_client_keeps_sending(&service, &device);
        bodies_come_in_chunks_and_on_kept_connections(&service, &device);
        service.stop(Signal::SIGTERM).await;
    });
}

/// For a known and for an unknown id, with `Expect` or without: the same bytes, and one row each.
async fn r086_refusals_are_equal_whether_asked_first_or_not(service: &Service, device: &Device) {
    let mut answers = Vec::new();
    for path in [
        device.path(),
        format!("/api/ingest/{UNKNOWN}"),
        "/api/ingest/nobody".to_owned(),
    ] {
        for head in [asking(900_000_000), json_of(900_000_000)] {
            answers.push(comparable(
                &Raw::to(&service.console).head(&path, "wrong", &head).rest(),
            ));
        }
    }
    assert!(answers[0].starts_with("HTTP/1.1 401"), "{}", answers[0]);
    for answer in &answers {
        assert_eq!(*answer, answers[0]);
    }
    eventually("each refusal has its row", async || {
        service.audit_rows("ingest").await.len() == answers.len()
    })
    .await;
    for row in service.audit_rows("ingest").await {
        assert_eq!(
            [
                &row["decision"],
                &row["deny_reason"],
                &row["agent_id"],
                &row["args"]
            ],
            [
                &json!("deny"),
                &json!("unauthorized"),
                &Value::Null,
                &Value::Null
            ]
        );
    }
}

fn heads_that_cannot_be_taken_are_told_so_before_the_body(service: &Service, device: &Device) {
    for (head, status) in [
        (asking(900_000_000), "HTTP/1.1 413"),
        (
            "Content-Type: text/plain\r\nContent-Length: 5\r\nExpect: 100-continue\r\n".to_owned(),
            "HTTP/1.1 415",
        ),
    ] {
        let answer = Raw::to(&service.console)
            .head(&device.path(), &device.secret, &head)
            .rest();
        assert!(answer.starts_with(status), "{answer}");
        assert!(
            answer
                .to_ascii_lowercase()
                .contains("cache-control: no-store"),
            "{answer}"
        );
    }
}

fn who_may_push_is_told_to_go_on(service: &Service, device: &Device) {
    let body = record("asked");
    let mut raw = Raw::to(&service.console);
    raw.head(&device.path(), &device.secret, &asking(body.len()))
        .expect(CONTINUE);
    let (head, stored) = raw.send(&body).answer();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert_eq!(stored["inserted"], 1);
}

fn other_routes_go_on_with_expect(service: &Service) {
    let body = json!({ "name": "asked", "sectors": [] }).to_string();
    let mut raw = Raw::to(&service.console);
    raw.head("/api/agents", "", &asking(body.len()))
        .expect(CONTINUE);
    let (head, made) = raw.send(&body).answer();
    assert!(head.starts_with("http/1.1 201"), "{head}");
    assert_eq!(made["name"], "asked");
}

/// A client that goes on sending can still read its answer, and then is disconnected.
fn r081_an_answer_is_readable_while_the_client_keeps_sending(service: &Service, device: &Device) {
    for head in [
        json_of(900_000_000),
        "Transfer-Encoding: chunked\r\n".to_owned(),
    ] {
        let mut raw = Raw::to(&service.console);
        raw.head(&device.path(), "wrong", &head);
        let mut sending = raw.0.try_clone().unwrap();
        let endless = std::thread::spawn(move || {
            let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
            loop {
                if let Err(cut) = sending.write_all(chunk.as_bytes()) {
                    return cut.kind();
                }
            }
        });
        let (head, body) = raw.answer();
        assert!(
            head.starts_with("http/1.1 401") && head.contains("connection: close"),
            "{head}"
        );
        assert_eq!(body, json!({ "error": "unauthorized" }));
        let cut = endless.join().unwrap();
        assert!(
            matches!(cut, ErrorKind::BrokenPipe | ErrorKind::ConnectionReset),
            "{cut}"
        );
    }
}

fn bodies_come_in_chunks_and_on_kept_connections(service: &Service, device: &Device) {
    let mut raw = Raw::to(&service.console);
    for id in ["first", "second"] {
        let body = record(id);
        raw.head(&device.path(), &device.secret, &json_of(body.len()))
            .send(&body);
        assert_eq!(raw.answer().1["inserted"], 1);
    }
    let body = record("chunked");
    let (front, back) = body.split_at(7);
    let chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    raw.head(&device.path(), &device.secret, chunked);
    for chunk in [front, back, ""] {
        raw.send(format!("{:x}\r\n{chunk}\r\n", chunk.len()));
    }
    assert_eq!(raw.answer().1["inserted"], 1);
    // Neither a length nor chunks: there is no body, and the service waits for none.
    let lengthless = "Content-Type: application/json\r\n";
    let answer = raw.head(&device.path(), &device.secret, lengthless).rest();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}
