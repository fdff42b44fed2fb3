//! What devices push: with valid and invalid secrets; valid, invalid and malformed records.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::markers::Kind;
use super::sweep::Place;
use super::{Device, Run, console};

/// Plants words in every place, and returns a device of `finance.transactions`.
pub async fn plant(run: &mut Run) -> Device {
    let device = console::device(run, "finance.transactions").await;
    wrong_secrets(run, &device).await;
    let device = console::rotate(run, &device).await;
    stored(run, &device).await;
    other_tables(run).await;
    refused_records(run, &device).await;
    broken_bodies(run, &device).await;
    device
}

fn to(run: &Run, path: &str) -> RequestBuilder {
    let request = run.service.request(Method::POST, path);
    request.header("content-type", "application/json")
}

/// Wrong secrets in every place, with a body that is never read; and the right secret where it does not belong.
async fn wrong_secrets(run: &mut Run, device: &Device) {
    let body = json!([{ "description": run.markers.word(Kind::Stray, "a push that is refused") }])
        .to_string();
    let wrong = run.markers.word(Kind::Stray, "a wrong secret");
    let path = device.path();
    let requests = [
        to(run, &path).bearer_auth(&wrong),
        to(run, &path).bearer_auth(format!("{}x", device.secret)),
        to(run, &path).header("x-pci-webhook-secret", &wrong),
        to(run, &path)
            .bearer_auth(&wrong)
            .header("x-pci-webhook-secret", &wrong),
        to(run, &path).header("authorization", format!("Basic {wrong}")),
        to(run, &format!("{path}?secret={wrong}")),
        to(run, &format!("{path}?secret={}", device.secret)),
        to(run, &format!("/api/ingest/{wrong}")).bearer_auth(&device.secret),
        to(run, &format!("{path}/{wrong}")).bearer_auth(&device.secret),
        to(run, &path).header("cookie", format!("secret={}", device.secret)),
        to(run, &path).header("cookie", format!("secret={wrong}")),
    ];
    for request in requests {
        let (status, _) = run.ask(Place::Device, request.body(body.clone())).await;
        assert!([401, 404].contains(&status.as_u16()), "{status}");
    }
}

fn transaction(run: &mut Run, of: &str) -> Value {
    let mut word = |field: &str| run.markers.word(Kind::Payload, &format!("{field} of {of}"));
    let (id, description, reference) = (word("id"), word("description"), word("reference"));
    let (name, value) = (word("a name in extra"), word("a value in extra"));
    json!({
        "id": id, "currency": "EUR", "booked_on": "2026-03-01", "description": description, "reference": reference,
        "amount": run.markers.number(Kind::Payload, &format!("amount of {of}")),
        name: { "deep": [{ "deeper": value }] },
        "account": { "id": run.markers.word(Kind::Payload, &format!("account of {of}")), "name": "account" },
    })
}

async fn stored(run: &mut Run, device: &Device) {
    let plain = json!([transaction(run, "a push")]).to_string();
    let request = run.service.push(device, plain);
    run.expect(Place::Device, request, 200).await;
    let both = transaction(run, "a gzipped push under both headers").to_string();
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(both.as_bytes()).unwrap();
    let request = run.service.request(Method::POST, &device.path());
    let request = request
        .bearer_auth(&device.secret)
        .header("x-pci-webhook-secret", &device.secret)
        .header("content-type", "application/x-ndjson")
        .header("content-encoding", "gzip")
        .body(packed.finish().unwrap());
    run.expect(Place::Device, request, 200).await;
}

async fn other_tables(run: &mut Run) {
    for (target, fields) in [
        (
            "mail.messages",
            ["subject", "body_text", "from_email", "body_html"].as_slice(),
        ),
        ("contacts.people", &["full_name", "notes", "uid"]),
        (
            "calendar.series",
            &["title", "description", "location", "uid"],
        ),
        ("home.entities", &["entity_id", "name", "state"]),
        ("health.samples", &["metric", "unit"]),
    ] {
        let device = console::device(run, target).await;
        let mut record =
            json!({ "start_at": "2026-03-01T08:00:00Z", "end_at": "2026-03-01T09:00:00Z" });
        // Records of an unknown metric are not stored.
        let kind = if target == "health.samples" {
            Kind::Stray
        } else {
            Kind::Payload
        };
        for field in fields {
            record[*field] = run
                .markers
                .word(kind, &format!("{field} in {target}"))
                .into();
        }
        let request = run.service.push(&device, json!([record]).to_string());
        let (status, body) = run.ask(Place::Device, request).await;
        let expected = if kind == Kind::Stray { 400 } else { 200 };
        assert_eq!(status.as_u16(), expected, "{target}: {body}");
    }
}

/// Each field with an invalid value; the push is refused as a whole, and then in part.
async fn refused_records(run: &mut Run, device: &Device) {
    for field in [
        "amount",
        "booked_on",
        "currency",
        "fx",
        "account",
        "account_id",
        "pending",
        "id",
        "updated_at",
        "_deleted",
    ] {
        let word = run.markers.word(Kind::Stray, &format!("a bad {field}"));
        for value in [
            json!(word),
            json!([word]),
            json!({ "name": [word] }),
            json!({ "amount": { "x": word } }),
        ] {
            for query in ["", "?partial=true"] {
                let mut record = json!({ "id": "x", "amount": "none", "currency": "EUR", "booked_on": "2026-03-01" });
                record[field] = value.clone();
                let request =
                    to(run, &format!("{}{query}", device.path())).bearer_auth(&device.secret);
                run.ask(Place::Device, request.body(json!([record]).to_string()))
                    .await;
            }
        }
    }
}

async fn broken_bodies(run: &mut Run, device: &Device) {
    for shape in [
        "\"WORD\"",
        "{\"records\": \"WORD\"}",
        "{\"records\": [{\"id\": \"WORD\"",
        "{\"WORD\": 1}",
        "{\"records\": 12, \"secret\": \"WORD\"}",
        "[\"WORD\"]",
        "[WORD]",
        "WORD",
        "{\"deleted\": [{\"id\": \"WORD\"}]}",
    ] {
        let word = run.markers.word(Kind::Stray, &format!("a push of {shape}"));
        for kind in ["application/json", "application/x-ndjson", "text/WORD"] {
            let request = run.service.request(Method::POST, &device.path());
            let request = request
                .bearer_auth(&device.secret)
                .header("content-type", kind.replace("WORD", &word))
                .body(shape.replace("WORD", &word));
            let (status, body) = run.ask(Place::Device, request).await;
            assert!(status.is_client_error(), "{shape} as {kind}: {body}");
        }
        let number = run
            .markers
            .number(Kind::Stray, &format!("a number as {shape}"));
        let request = run
            .service
            .push(device, format!("{{\"records\": {number}}}"));
        run.expect(Place::Device, request, 400).await;
    }
    for encoding in ["gzip", "zstd"] {
        let word = run
            .markers
            .word(Kind::Stray, &format!("what is no {encoding}"));
        let request = run
            .service
            .push(device, word)
            .header("content-encoding", encoding);
        run.expect(Place::Device, request, 400).await;
    }
}
