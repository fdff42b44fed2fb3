use std::io::{Read, Write};
use std::net::TcpStream;

use reqwest::Method;
use sextant::app::Settings;
use sextant::host::Host;
use sextant::http::endpoint::{Guard, Verb};
use sextant::http::host_check::AllowedHosts;

use crate::support::TestApp;
use crate::support::app::settings;

/// Hosts that are not this computer's, however similar their beginning or end is.
const FOREIGN: [&str; 4] = [
    "evil.test",
    "127.0.0.1.evil.test",
    "localhost.evil.test:8787",
    "192.168.1.9",
];

/// Whether the route has a protection of its own, or needs none.
fn is_unguarded(path: &str) -> bool {
    path == "/healthz" || path.starts_with("/api/ingest/") || path.starts_with("/api/read/")
}

/// Every guarded route of the port, as the port describes it, and one that does not exist.
async fn guarded(app: &TestApp) -> Vec<(Method, String)> {
    let document = app.get("/api/openapi.json").await.expect(200);
    let mut routes = vec![(Method::GET, "/api/nothing".to_owned())];
    for (path, operations) in document["paths"].as_object().unwrap() {
        let verbs = operations.as_object().unwrap().keys();
        let verbs = verbs.map(|verb| Method::from_bytes(verb.to_uppercase().as_bytes()).unwrap());
        let path = path.replace(['{', '}'], "");
        routes.extend(verbs.map(|verb| (verb, path.clone())));
    }
    routes.retain(|(_, path)| !is_unguarded(path));
    routes
}

async fn status(app: &TestApp, path: &str, host: &str) -> u16 {
    app.send(app.request(Method::GET, path).header("host", host))
        .await
        .status
        .as_u16()
}

#[actix_web::test]
async fn r100_a_foreign_host_is_refused_on_every_guarded_route() {
    let app = TestApp::start().await;
    let routes = guarded(&app).await;
    assert!(routes.len() > 30, "{routes:?}");
    for (verb, path) in routes {
        for host in FOREIGN {
            let request = app.request(verb.clone(), &path).header("host", host);
            let answer = app.send(request.json(&serde_json::json!({}))).await;
            assert_eq!(answer.status, 403, "{verb} {path}: {answer:?}");
            answer.expect_problem(403, "forbidden_host", None);
        }
    }
}

#[actix_web::test]
async fn r100_this_computers_names_are_accepted_with_any_port_and_case() {
    let app = TestApp::start().await;
    for host in [
        "localhost",
        "LOCALHOST:1",
        "127.0.0.1:8787",
        "[::1]:8787",
        "::1",
        "[::1]",
    ] {
        assert_eq!(status(&app, "/api/agents", host).await, 200, "{host}");
    }
}

#[actix_web::test]
async fn r100_added_hosts_are_accepted() {
    let allowed_hosts = AllowedHosts::new(vec![Host::parse("box.example").unwrap()]);
    let settings = Settings {
        allowed_hosts,
        ..settings()
    };
    let app = TestApp::start_with(settings).await;
    assert_eq!(status(&app, "/api/agents", "Box.Example:9000").await, 200);
    assert_eq!(
        status(&app, "/api/agents", "box.example.evil.test").await,
        403
    );
}

#[actix_web::test]
async fn r100_a_missing_host_is_refused() {
    let app = TestApp::start().await;
    let answer = actix_web::web::block({
        let address = app.address();
        move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream
                .write_all(b"GET /api/agents HTTP/1.1\r\nConnection: close\r\n\r\n")
                .unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        }
    });
    let answer = answer.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 40"), "{answer}");
    assert!(!answer.contains("\"agents\""), "{answer}");
}

#[actix_web::test]
async fn r100_healthz_has_no_host_check() {
    let app = TestApp::start().await;
    assert_eq!(status(&app, "/healthz", "evil.test").await, 200);
}

#[actix_web::test]
async fn r100_a_push_is_taken_under_whatever_host() {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("finance.transactions").await;
    let hosts = FOREIGN.into_iter().chain(["box.example:443", ""]);
    for (number, host) in hosts.enumerate() {
        let record = serde_json::json!([{
            "id": number.to_string(), "amount": -1, "currency": "EUR", "booked_on": "2026-03-01"
        }]);
        let push = app.request(Method::POST, &format!("/api/ingest/{id}"));
        let push = push.header("host", host).bearer_auth(&secret).json(&record);
        let stored = app.send(push).await.expect(200);
        assert_eq!(stored["inserted"], 1, "{host}: {stored}");
    }
}

#[actix_web::test]
async fn r507_a_foreign_page_changes_nothing() {
    let app = TestApp::start().await;
    for (name, value) in [
        ("origin", "https://evil.test"),
        ("origin", "null"),
        ("origin", "http://127.0.0.1:1"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let request = app.request(Method::POST, "/api/agents").header(name, value);
        let request = request.json(&serde_json::json!({ "name": "a", "sectors": [] }));
        app.send(request)
            .await
            .expect_problem(403, "forbidden_host", None);
    }
    let form = app
        .request(Method::POST, "/api/agents")
        .header("content-type", "text/plain");
    let form = form.body(r#"{"name":"a","sectors":[]}"#);
    app.send(form)
        .await
        .expect_problem(415, "unsupported_media_type", None);
    assert_eq!(app.agents().await, serde_json::json!([]));
}

/// Every guarded GET route, with a value for each path parameter.
fn guarded_reads() -> Vec<String> {
    let endpoints = sextant::http::server::endpoints().into_iter();
    let reads = endpoints
        .filter(|endpoint| endpoint.verb == Verb::Get && endpoint.guard == Guard::Address)
        .filter(|endpoint| endpoint.path.starts_with("/api"));
    reads
        .map(|endpoint| endpoint.path.replace(['{', '}'], ""))
        .collect()
}

#[actix_web::test]
async fn r507_a_foreign_page_reads_nothing_however_it_spells_the_path() {
    let app = TestApp::start().await;
    let spelt = ["/api/%65xport", "/%61pi/export?sector=mail"].map(str::to_owned);
    let reads = guarded_reads();
    assert!(reads.contains(&"/api/audit.csv".to_owned()), "{reads:?}");
    for path in reads.iter().chain(&spelt) {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.test"),
        ] {
            for method in [Method::GET, Method::HEAD] {
                let request = app.request(method, path).header(name, value);
                let refused = app.send(request).await;
                assert_eq!(refused.status, 403, "{path} {name}: {value}");
            }
        }
    }
}

#[actix_web::test]
async fn r507_an_own_page_a_typed_address_and_a_plain_client_read_and_a_link_opens_the_page() {
    let app = TestApp::start().await;
    for path in ["/api/agents", "/api/audit.csv", "/api/openapi.json"] {
        for site in ["same-origin", "none"] {
            let request = app.request(Method::GET, path);
            let request = request.header("sec-fetch-site", site);
            assert_eq!(app.send(request).await.status, 200, "{path} {site}");
        }
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
    let link = app.request(Method::GET, "/");
    let link = link.header("sec-fetch-site", "cross-site");
    assert_eq!(app.send(link).await.status, 200);
}

#[actix_web::test]
async fn every_answer_is_kept_from_pages_of_other_origins() {
    let app = TestApp::start().await;
    for path in ["/", "/api/agents", "/api/audit.csv", "/healthz", "/api/no"] {
        let answer = app.request(Method::GET, path).send().await.unwrap();
        let policy = &answer.headers()["cross-origin-resource-policy"];
        assert_eq!(policy, "same-origin", "{path}");
    }
    let foreign = app.request(Method::GET, "/").header("host", "evil.test");
    let refused = foreign.send().await.unwrap();
    assert_eq!(
        refused.headers()["cross-origin-resource-policy"],
        "same-origin"
    );
}

#[actix_web::test]
async fn r507_the_consoles_own_page_may_write() {
    let app = TestApp::start().await;
    let origin = format!("http://{}", app.address());
    let request = app
        .request(Method::POST, "/api/agents")
        .header("origin", origin)
        .header("sec-fetch-site", "same-origin");
    let request = request.json(&serde_json::json!({ "name": "a", "sectors": [] }));
    app.send(request).await.expect(201);
}
