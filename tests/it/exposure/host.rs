//! By which names the agent port answers, and by which the Console port does (r008, r501).

use reqwest::Method;

use super::{PUBLIC, by_host, call, clear, publish, status_of};
use crate::support::TestApp;

#[actix_web::test]
async fn r008_r501_the_agent_port_answers_to_the_public_name_while_there_is_one() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["mail"]).await;
    let local = app.agents.to_string();
    let ask = async |host: &str| status_of(call(&app, host, &key)).await;
    assert_eq!(ask("box.example").await, 403);
    assert_eq!(ask(&local).await, 200);

    publish(&app, PUBLIC).await;
    assert_eq!(ask("box.example").await, 200);
    assert_eq!(ask("BOX.EXAMPLE:443").await, 200);
    assert_eq!(ask(&local).await, 200);
    for host in ["evil.example", "box.example.evil.example", "example"] {
        assert_eq!(ask(host).await, 403, "{host}");
    }

    publish(&app, "https://other.example").await;
    assert_eq!(ask("box.example").await, 403, "the name before");
    assert_eq!(ask("other.example").await, 200);

    clear(&app).await;
    assert_eq!(ask("other.example").await, 403);
    assert_eq!(ask(&local).await, 200);
}

#[actix_web::test]
async fn r003_r501_the_console_port_never_answers_to_the_public_name() {
    let app = TestApp::start().await;
    publish(&app, PUBLIC).await;
    for path in [
        "/",
        "/api/status",
        "/api/exposure",
        "/settings/remote-access",
    ] {
        let request = app.request(Method::GET, path).header("host", "box.example");
        app.send(request)
            .await
            .expect_problem(403, "forbidden_host", None);
    }
    // Nor does either port serve what is the other's.
    for path in ["/authorize", "/.well-known/oauth-authorization-server"] {
        let answer = app.get(path).await;
        assert!(!answer.text.contains("agent’s key"), "{path}: {answer:?}");
    }
    for path in ["/api/status", "/api/exposure", "/healthz"] {
        for host in ["box.example", "localhost"] {
            let request = by_host(&app, Method::GET, host, path);
            assert_eq!(status_of(request).await, 404, "{host}{path}");
        }
    }
}

#[actix_web::test]
async fn r033_a_refusal_by_the_public_name_tells_where_its_tokens_are_and_a_local_one_does_not() {
    let app = TestApp::start().await;
    publish(&app, PUBLIC).await;
    let challenge = async |host: &str, key: Option<&str>| {
        let request = by_host(&app, Method::POST, host, "/mcp").body("{}");
        let request = match key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 401);
        let challenge = &answer.headers()["www-authenticate"];
        challenge.to_str().unwrap().to_owned()
    };
    let told =
        r#"resource_metadata="https://box.example/.well-known/oauth-protected-resource/mcp""#;
    assert_eq!(
        challenge("box.example", None).await,
        format!("Bearer {told}")
    );
    let refused = challenge("box.example", Some("sxt_unknown")).await;
    assert!(
        refused.contains("invalid_token") && refused.contains(told),
        "{refused}"
    );
    // A client with a key of its own would leave it for a sign-in.
    assert_eq!(challenge("localhost", None).await, "Bearer");
}

#[actix_web::test]
async fn r008_an_address_with_a_slash_at_its_end_is_served_as_it_is_written() {
    let app = TestApp::start().await;
    publish(&app, PUBLIC).await;
    let probe = by_host(&app, Method::POST, "box.example", "/mcp/").body("{}");
    let answer = probe.send().await.unwrap();
    assert_eq!(answer.status(), 401);
    let challenge = answer.headers()["www-authenticate"].to_str().unwrap();
    assert!(
        challenge.ends_with("/oauth-protected-resource/mcp/\""),
        "{challenge}"
    );
}
