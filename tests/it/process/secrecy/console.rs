//! What an operator or a web page sends to the Console: valid, invalid and malformed.

use reqwest::Method;
use serde_json::{Value, json};

use super::Run;
use super::markers::Kind;
use super::sweep::Place;

/// Plants words in every place, and returns the key of an agent that is granted all it reads later.
pub async fn plant(run: &mut Run) -> String {
    broken_bodies(run).await;
    values_that_are_refused(run).await;
    in_heads(run).await;
    let key = key_of(
        run,
        "reader",
        &["finance", "mail", "contacts", "calendar", "home"],
    )
    .await;
    edits(run).await;
    key
}

/// A new agent's key, which only this answer may show.
pub async fn key_of(run: &mut Run, name: &str, sectors: &[&str]) -> String {
    let body = json!({ "name": name, "sectors": sectors });
    let request = run.service.request(Method::POST, "/api/agents").json(&body);
    let made = run.expect(Place::Showing, request, 201).await;
    shown(run, &made, "key", name)
}

fn shown(run: &mut Run, answer: &str, field: &str, of: &str) -> String {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let secret = answer[field].as_str().unwrap().to_owned();
    run.markers
        .know(Kind::Secret, &format!("{field} of {of}"), &secret);
    secret
}

async fn send(run: &mut Run, method: Method, path: &str, body: String) -> u16 {
    let request = run.service.request(method, path);
    let request = request
        .header("content-type", "application/json")
        .body(body);
    run.ask(Place::Console, request).await.0.as_u16()
}

async fn broken_bodies(run: &mut Run) {
    for path in ["/api/agents", "/api/connections"] {
        for shape in [
            "{\"name\": \"WORD\", ",
            "\"WORD\"",
            "[\"WORD\"]",
            "WORD",
            "{\"name\": WORD}",
            "{\"name\": {\"name\": [\"WORD\"]}, \"label\": [\"WORD\"]}",
            "{\"secret\": \"WORD\"}",
        ] {
            let word = run.markers.word(Kind::Stray, &format!("{path} {shape}"));
            let status = send(run, Method::POST, path, shape.replace("WORD", &word)).await;
            assert_eq!(status, 400, "{shape}");
        }
    }
}

async fn values_that_are_refused(run: &mut Run) {
    let good =
        json!({ "name": "x", "sectors": [], "provider": "push", "sector": "home", "label": "x" });
    for (path, fields) in [
        (
            "/api/agents",
            ["name", "sectors", "expiresInDays"].as_slice(),
        ),
        ("/api/connections", &["provider", "sector", "table"]),
    ] {
        for field in fields {
            let word = run.markers.word(Kind::Stray, &format!("{path} {field}"));
            let mut body = json!({ *field: format!("no {word}/?\u{0} name") });
            for (name, value) in good.as_object().unwrap() {
                let belongs = fields.contains(&name.as_str())
                    || (path.ends_with("connections") && name == "label");
                if belongs && name != field {
                    body[name] = value.clone();
                }
            }
            assert_eq!(
                send(run, Method::POST, path, body.to_string()).await,
                400,
                "{field}"
            );
        }
    }
    let word = run.markers.word(Kind::Stray, "a path of the Console");
    for path in [
        format!("/api/agents/{word}"),
        format!("/api/agents/%FF{word}"),
        format!("/api/connections/{word}"),
        format!("/api/audit/{word}"),
        format!("/api/{word}"),
        format!("/{word}"),
        format!("/api/audit?from={word}"),
        format!("/api/audit?limit={word}"),
        format!("/api/audit?before={word}"),
        format!("/api/audit?decision={word}"),
        format!("/api/audit?q={word}&agent={word}&tool={word}"),
        format!("/api/sessions?agent={word}"),
        format!("/api/agents?key={word}"),
    ] {
        for method in [Method::GET, Method::PATCH, Method::DELETE] {
            send(run, method, &path, format!("{{\"sectors\": \"{word}\"}}")).await;
        }
    }
}

async fn in_heads(run: &mut Run) {
    for header in [
        "authorization",
        "cookie",
        "origin",
        "host",
        "referer",
        "x-pci-webhook-secret",
        "content-type",
        "user-agent",
    ] {
        let word = run
            .markers
            .word(Kind::Stray, &format!("the Console's {header}"));
        for path in ["/api/agents", "/healthz", "/"] {
            for method in [Method::GET, Method::POST] {
                let request = run.service.request(method, path).header(header, &word);
                run.ask(Place::Console, request.body("{}")).await;
            }
        }
    }
}

/// Each way to get a key, and words that are stored.
async fn edits(run: &mut Run) {
    let sector = run.markers.word(Kind::Told, "a sector that is none");
    key_of(run, "rotated", &[&sector]).await;
    let request = run
        .service
        .request(Method::POST, "/api/agents/rotated/rotate");
    let rotated = run.expect(Place::Showing, request, 200).await;
    shown(run, &rotated, "key", "rotated, again");
    for (method, path) in [
        (Method::POST, "/api/agents/rotated/revoke"),
        (Method::DELETE, "/api/agents/rotated"),
    ] {
        let request = run.service.request(method, path);
        run.expect(Place::Console, request, 200).await;
    }
}

/// A push connection with a label of its own: its id, and the secret, which only this answer may show.
pub async fn device(run: &mut Run, target: &str) -> super::Device {
    let label = run
        .markers
        .word(Kind::Told, &format!("the label for {target}"));
    let (sector, _) = target.split_once('.').unwrap();
    let body = json!({ "provider": "push", "sector": sector, "table": target, "label": label });
    let request = run
        .service
        .request(Method::POST, "/api/connections")
        .json(&body);
    let made = run.expect(Place::Showing, request, 201).await;
    let secret = shown(run, &made, "secret", target);
    let made: Value = serde_json::from_str(&made).unwrap();
    super::Device {
        id: made["connections"][0]["id"].as_str().unwrap().to_owned(),
        secret,
    }
}

/// Replaces the secret.
pub async fn rotate(run: &mut Run, device: &super::Device) -> super::Device {
    let path = format!("/api/connections/{}/rotate-secret", device.id);
    let request = run.service.request(Method::POST, &path);
    let answer = run.expect(Place::Showing, request, 200).await;
    super::Device {
        secret: shown(run, &answer, "secret", "a rotation"),
        ..device.clone()
    }
}

/// Every page of the Console, which shows stored words and no secret.
pub async fn read_all(run: &mut Run) {
    for path in [
        "/",
        "/healthz",
        "/api/agents",
        "/api/agents/reader",
        "/api/connections",
        "/api/sessions",
        "/api/audit?limit=500",
    ] {
        let request = run.service.request(Method::GET, path);
        run.expect(Place::Console, request, 200).await;
    }
}
