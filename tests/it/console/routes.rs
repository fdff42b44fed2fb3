use actix_web::rt::task::spawn_blocking;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::process::raw::Raw;
use crate::support::TestApp;

#[actix_web::test]
async fn an_unknown_route_is_a_json_404() {
    let app = TestApp::start().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/agents/a/b",
        "/nothing",
        "/api/connections/x/explode",
    ] {
        app.get(path).await.expect_problem(404, "not_found", None);
    }
    let wrong_method = app.request(Method::PUT, "/api/agents");
    app.send(wrong_method)
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn r105_the_page_at_the_root_asks_for_no_login_and_may_load_nothing_foreign() {
    let app = TestApp::start().await;
    for address in [
        "/",
        "/welcome",
        "/connections/00000000-0000-0000-0000-000000000000",
        "/agents/my.laptop",
        "/activity",
        "/data/finance/transactions",
        "/settings/data",
    ] {
        let page = app.get(address).await;
        assert_eq!(page.status, 200, "{address}");
        assert!(page.text.contains("src=\"/static/app.js\""), "{address}");
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(policy.ends_with("require-trusted-types-for 'script'; trusted-types 'none'"));
    }
}

#[actix_web::test]
async fn a_file_of_the_page_is_sent_once_for_each_of_its_versions() {
    let app = TestApp::start().await;
    for (name, media) in [
        ("app.js", "text/javascript; charset=utf-8"),
        ("style/tokens.css", "text/css; charset=utf-8"),
        ("vendor/icons.svg", "image/svg+xml"),
        ("vendor/inter.woff2", "font/woff2"),
    ] {
        let path = format!("/static/{name}");
        let file = app.get(&path).await;
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.headers["content-type"], media);
        assert_eq!(file.headers["cache-control"], "no-cache");
        let tag = file.headers["etag"].to_str().unwrap().to_owned();
        let again = app
            .request(Method::GET, &path)
            .header("if-none-match", &tag);
        let again = app.send(again).await;
        assert_eq!(
            (again.status, again.text.as_str()),
            (StatusCode::NOT_MODIFIED, "")
        );
        assert_eq!(again.headers["etag"], tag.as_str());
        let older = app
            .request(Method::GET, &path)
            .header("if-none-match", "\"0\"");
        assert_eq!(app.send(older).await.status, 200);
    }
    for missing in [
        "/static/nothing.js",
        "/static/",
        "/static",
        "/static/../Cargo.toml",
        "/static/%2e%2e/Cargo.toml",
        "/static//etc/passwd",
    ] {
        app.get(missing)
            .await
            .expect_problem(404, "not_found", None);
    }
}

#[actix_web::test]
async fn every_answer_carries_the_headers_that_guard_it() {
    let app = TestApp::start().await;
    let refused = app
        .request(Method::GET, "/api/agents")
        .header("host", "evil.test");
    for answer in [
        app.get("/").await,
        app.get("/api/agents").await,
        app.get("/api/nothing").await,
        app.send(refused).await,
    ] {
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
    }
    for answer in [
        app.get("/api/agents").await,
        app.get("/api/nothing").await,
        app.create_agent(json!({})).await,
    ] {
        assert_eq!(answer.headers["cache-control"], "no-store");
    }
}

#[actix_web::test]
async fn r100_r101_what_can_be_read_can_be_asked_about() {
    let app = TestApp::start().await;
    let address = app.address().to_string();
    let asked = async |method: &str, path: &str, host: &str| {
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let address = address.clone();
        // On another thread, since the actors run on this one.
        let read = spawn_blocking(move || Raw::to(&address).send(request).rest());
        let answer = read.await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut head: Vec<String> = head.lines().map(str::to_ascii_lowercase).collect();
        head.retain(|line| !line.starts_with("date: "));
        head.sort();
        (head, body.to_owned())
    };
    for (path, host) in [
        ("/healthz", "localhost"),
        ("/", "localhost"),
        ("/api/agents", "localhost"),
        ("/api/audit", "localhost"),
        ("/api/nothing", "localhost"),
        ("/api/agents", "evil.test"),
    ] {
        let (of_get, body) = asked("GET", path, host).await;
        let (of_head, nothing) = asked("HEAD", path, host).await;
        assert_eq!(of_head, of_get, "{path} {host}");
        assert!(!body.is_empty() && nothing.is_empty(), "{path} {host}");
    }
}
