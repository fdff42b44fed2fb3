//! What somebody with bad intent would try: other pages' forms, forged forms, floods.

use serde_json::{Value, json};

use super::client::CALLBACK;
use super::{RemoteClient, world};

#[actix_web::test]
async fn a_form_of_another_page_is_refused() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let form = client.form().await;
    let submit = |origin: &str| {
        let fields = [("form", form.as_str()), ("key", key.as_str())];
        client
            .post_form("/authorize", &fields)
            .header("origin", origin)
    };
    for origin in [
        "https://evil.example",
        "http://box.example",
        "null",
        "https://box.example:8443",
    ] {
        let answer = client.send(submit(origin)).await;
        assert_eq!(answer.status, 403, "{origin}");
        assert!(!answer.text.contains("code"), "{origin}");
    }
    assert_eq!(client.send(submit("https://box.example")).await.status, 303);
}

#[actix_web::test]
async fn r035_cheap_refusals_have_rows_of_their_own_up_to_a_cap() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    for (change, times) in [
        (("client_id", "sxc_unknown"), 20),
        (("redirect_uri", "https://evil.example/"), 8),
    ] {
        for _ in 0..times {
            assert_eq!(client.ask(&[change]).await.status, 400);
        }
    }
    for _ in 0..8 {
        let stale = client.submit(&[("form", "forged"), ("key", &key)]).await;
        assert_eq!(stale.status, 400);
    }
    let rows = app.audit_rows(31).await;
    let count = |reason: &str| {
        let all = rows.iter().filter(|row| row["deny_reason"] == reason);
        all.inspect(|row| {
            assert_eq!(
                (&row["tool"], &row["agent_id"]),
                (&json!("oauth_token"), &Value::Null)
            )
        })
        .count()
    };
    assert_eq!(count("authorize: unknown client"), 20);
    assert_eq!(count("authorize: mismatching address"), 8);
    assert_eq!(count("authorize: stale form"), 2, "the thirty are full");
}

#[actix_web::test]
async fn a_flood_of_registrations_is_bounded_and_leaves_who_is_signed_in() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    let fill = "INSERT INTO bridge_clients (id, user_id, redirect_uris, registered_at) \
                SELECT 'sxc_' || n, (SELECT id FROM users), ARRAY['https://x.example/'], now() - n * interval '1 second' \
                FROM generate_series(1, 1500) n";
    let database = app.database.connect().await;
    database.batch_execute(fill).await.unwrap();
    let body = json!({ "redirect_uris": [CALLBACK] });
    let answer = client.send(client.post("/register").json(&body)).await;
    let newest = answer.expect(201)["client_id"].clone();
    let left = app.database.rows("SELECT id FROM bridge_clients").await;
    assert_eq!(
        left.len(),
        1001,
        "a thousand that were never used, and the one that was"
    );
    let ids: Vec<Value> = left.iter().map(|row| row["id"].clone()).collect();
    assert!(ids.contains(&newest) && ids.contains(&json!(client.id)));
    assert!(client.refresh(&tokens.refresh).await.is_ok());
}

#[actix_web::test]
async fn bodies_that_are_too_large_are_not_read() {
    let (app, _) = world().await;
    let client = RemoteClient::unregistered(&app);
    for path in ["/register", "/authorize", "/token"] {
        let body = "x".repeat(100 * 1024);
        let answer = client.send(client.post(path).body(body)).await;
        assert_eq!(answer.status, 413, "{path}");
    }
}
