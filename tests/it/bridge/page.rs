//! The sign-in page: who asks and where the answer goes, what the key opens; without scripts, under a strict policy, not to be framed.

use super::client::{CALLBACK, form_in, told};
use super::{RemoteClient, world};

#[actix_web::test]
async fn r103_the_page_tells_who_asks_and_where_the_answer_goes() {
    let (app, _) = world().await;
    let client = RemoteClient::register(&app).await;
    let page = client.ask(&[]).await;
    assert_eq!(page.status, 200);
    assert!(
        page.text.contains("Hosted &lt;b&gt;Agent&lt;/b&gt;"),
        "{}",
        page.text
    );
    assert!(page.text.contains("client.example"));
    assert!(!page.text.contains("<script"));
    let header = |name: &str| page.headers[name].to_str().unwrap();
    let policy = header("content-security-policy");
    for rule in [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self' https://client.example;",
        "base-uri 'none'",
    ] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("script-src") && !policy.contains("unsafe"));
    assert_eq!(header("x-frame-options"), "DENY");
    assert_eq!(header("cache-control"), "no-store");
    assert_eq!(header("x-content-type-options"), "nosniff");
}

#[actix_web::test]
async fn the_page_shows_what_a_key_opens_before_anything_is_allowed_and_the_key_is_entered_once() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let form = client.form().await;
    let shown = client
        .submit(&[("form", &form), ("key", &key), ("step", "show")])
        .await;
    assert_eq!(shown.status, 200);
    assert!(
        shown.text.contains("claude") && shown.text.contains("<li>mail</li>"),
        "{}",
        shown.text
    );
    assert!(!shown.text.contains(&key) && !shown.text.contains("type=\"password\""));
    let allowed = client.submit(&[("form", &form_in(&shown.text))]).await;
    assert_eq!(allowed.status, 303);
    assert!(client.exchange(&told(&allowed)["code"]).await.is_ok());
    // The first form holds no key.
    let without = client.submit(&[("form", &form)]).await;
    assert_eq!(without.status, 400);
    assert!(without.text.contains("Enter the agent"));
}

#[actix_web::test]
async fn a_key_that_ended_after_it_was_shown_allows_nothing() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let form = client.form().await;
    let shown = client
        .submit(&[("form", &form), ("key", &key), ("step", "show")])
        .await;
    let code = client.code(&key).await;
    app.revoke_agent("claude").await.expect(200);
    let allowed = client.submit(&[("form", &form_in(&shown.text))]).await;
    assert_eq!(allowed.status, 403);
    assert!(client.exchange(&code).await.is_err());
}

#[actix_web::test]
async fn a_person_who_refuses_sends_the_client_back_without_a_code() {
    let (app, _) = world().await;
    let client = RemoteClient::register(&app).await;
    let form = client.form().await;
    let refused = client.submit(&[("form", &form), ("step", "refuse")]).await;
    assert_eq!(refused.status, 303);
    let told = told(&refused);
    assert_eq!(told["error"], "access_denied");
    assert_eq!(
        (told["state"].as_str(), told["iss"].as_str()),
        ("st&te", "https://box.example")
    );
}

#[actix_web::test]
async fn what_is_wrong_with_a_request_is_told_to_the_client_or_where_that_is_unknown_to_the_person()
{
    let (app, _) = world().await;
    let client = RemoteClient::register(&app).await;
    for (change, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("code_challenge", ""), "invalid_request"),
        (("resource", "https://evil.example/mcp"), "invalid_target"),
    ] {
        let answer = client.ask(&[change]).await;
        assert_eq!(answer.status, 303, "{change:?}");
        let told = told(&answer);
        assert_eq!(
            (told["error"].as_str(), told["iss"].as_str()),
            (error, "https://box.example")
        );
        assert_eq!(told["state"], "st&te");
    }
    for change in [
        ("redirect_uri", "https://evil.example/callback"),
        ("redirect_uri", "https://client.example/callback/../x"),
        ("redirect_uri", "https://client.example/callback?x=1"),
        ("redirect_uri", ""),
        ("client_id", "sxc_unknown"),
        ("client_id", "nobody"),
        ("client_id", ""),
    ] {
        let answer = client.ask(&[change]).await;
        assert_eq!(answer.status, 400, "{change:?}");
        assert!(answer.headers.get("location").is_none());
        assert!(answer.text.contains("cannot go on"), "{}", answer.text);
    }
    let twice = format!("{}&redirect_uri={CALLBACK}", client.asked(&[]));
    let answer = client.send(client.get(&twice)).await;
    assert_eq!(answer.status, 400);
}
