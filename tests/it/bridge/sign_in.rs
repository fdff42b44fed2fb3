//! From a registration to a call, and what of it stands in the audit log.

use serde_json::{Value, json};

use super::client::{CALLBACK, refused};
use super::{HOST, RemoteClient, world};
use crate::exposure::{call, status_of};

#[actix_web::test]
async fn r103_a_client_registers_signs_in_and_calls_as_its_agent() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    assert!(tokens.expires_in > 0);
    let answer = call(&app, HOST, &tokens.access).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let answer: Value = answer.json().await.unwrap();
    let context: Value =
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(context["sectors"], json!(["mail"]));
    let sessions = app.sessions("").await;
    assert_eq!(sessions[0]["via"], "bridge");
    assert_eq!(sessions[0]["agent"], "claude");
    let exposure = app.get("/api/exposure").await.expect(200);
    let [sign_in] = &exposure["signIns"].as_array().unwrap()[..] else {
        panic!("{exposure}")
    };
    assert_eq!(sign_in["agent"], "claude");
    assert_eq!(sign_in["clientId"], client.id);
    assert_eq!(sign_in["client"], "Hosted <b>Agent</b>");
    // A token is for the agent port alone.
    let mirror = app.request(reqwest::Method::POST, "/api/read/query");
    let mirror = mirror
        .bearer_auth(&tokens.access)
        .json(&json!({ "target": "mail.messages" }));
    assert_eq!(app.send(mirror).await.status, 403);
}

#[actix_web::test]
async fn r037_each_token_that_is_given_out_leaves_a_row_and_no_secret_is_in_any() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let code = client.code(&key).await;
    let first = client.exchange(&code).await.unwrap();
    let second = client.refresh(&first.refresh).await.unwrap();
    let rows = app.audit_rows(3).await;
    let given: Vec<&Value> = rows
        .iter()
        .filter(|row| row["tool"] == "oauth_token")
        .collect();
    let told: Vec<_> = given.iter().map(|row| &row["args"]).collect();
    let args = |grant: &str| json!({ "grant": grant, "clientId": client.id });
    assert_eq!(told, [&args("authorization_code"), &args("refresh_token")]);
    for row in &given {
        assert_eq!(
            (&row["agent_id"], &row["decision"]),
            (&json!("claude"), &json!("allow"))
        );
        assert_eq!(
            (&row["outcome"], &row["deny_reason"]),
            (&json!("ok"), &Value::Null)
        );
    }
    let all = serde_json::to_string(&rows).unwrap();
    let secrets = [
        &key,
        &code,
        &first.access,
        &first.refresh,
        &second.access,
        &second.refresh,
    ];
    for secret in secrets {
        assert!(!all.contains(secret.as_str()));
    }
    let stored = app.database.rows("SELECT * FROM bridge_sign_ins").await;
    let stored = serde_json::to_string(&stored).unwrap();
    for secret in secrets {
        assert!(
            !stored.contains(secret.as_str()),
            "it is kept as a hash alone"
        );
    }
}

#[actix_web::test]
async fn r036_a_refused_key_always_leaves_a_row_and_one_without_a_deadline_is_refused() {
    let (app, key) = world().await;
    let endless = app.key_of("endless", &["mail"]).await;
    let client = RemoteClient::register(&app).await;
    let form = client.form().await;
    let submit = async |key: &str| client.submit(&[("form", &form), ("key", key)]).await;
    for number in 0..40 {
        let answer = submit(&format!("sxt_wrong{number}")).await;
        assert_eq!(answer.status, 403);
        assert!(answer.text.contains("No agent has this key"));
    }
    let answer = submit(&endless).await;
    assert_eq!(answer.status, 403);
    assert!(answer.text.contains("never expires"), "{}", answer.text);
    app.revoke_agent("claude").await.expect(200);
    let answer = submit(&key).await;
    assert!(answer.text.contains("revoked"), "{}", answer.text);
    let rows = app.audit_rows(43).await;
    let count = |reason: &str| {
        let of_reason = rows.iter().filter(|row| row["deny_reason"] == reason);
        let of_reason: Vec<&Value> = of_reason.collect();
        assert!(of_reason.iter().all(|row| row["tool"] == "oauth_token"));
        assert!(of_reason.iter().all(|row| row["decision"] == "deny"));
        of_reason.len()
    };
    assert_eq!(count("authorize: key refused"), 41);
    assert_eq!(count("authorize: key has no expiry"), 1);
}

#[actix_web::test]
async fn what_a_registration_cannot_have_is_refused_in_words() {
    let (app, _) = world().await;
    let client = RemoteClient::unregistered(&app);
    for (body, error) in [
        (json!({}), "invalid_redirect_uri"),
        (
            json!({ "redirect_uris": ["http://evil.example/"] }),
            "invalid_redirect_uri",
        ),
        (
            json!({ "redirect_uris": ["javascript:alert(1)"] }),
            "invalid_redirect_uri",
        ),
        (
            json!({ "redirect_uris": [CALLBACK], "grant_types": ["implicit"] }),
            "invalid_client_metadata",
        ),
        (json!([1]), "invalid_client_metadata"),
    ] {
        let answer = client.send(client.post("/register").json(&body)).await;
        let refused = answer.expect(400);
        assert_eq!(refused["error"], error, "{body}");
        assert!(refused["error_description"].is_string());
    }
    let body = json!({ "redirect_uris": [CALLBACK] });
    let answer = client
        .send(client.post("/register").json(&body))
        .await
        .expect(201);
    // A member without a value is left out.
    assert!(answer.get("client_name").is_none() && answer.get("client_secret").is_none());
    assert_eq!(answer["token_endpoint_auth_method"], "none");
}

#[actix_web::test]
async fn a_code_is_for_its_client_its_address_its_verifier_and_this_service_and_serves_once() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let other = RemoteClient::register(&app).await;
    let grant = || refused(400, "invalid_grant");
    for (change, expected) in [
        (("client_id", other.id.as_str()), grant()),
        (
            ("redirect_uri", "https://client.example/callback/"),
            grant(),
        ),
        (
            (
                "code_verifier",
                "wrong-wrong-wrong-wrong-wrong-wrong-wrong-wrong",
            ),
            grant(),
        ),
        (
            ("resource", "https://evil.example/mcp"),
            refused(400, "invalid_target"),
        ),
        (("client_id", "sxc_unknown"), refused(401, "invalid_client")),
        (("code_verifier", ""), refused(400, "invalid_request")),
        (
            ("grant_type", "password"),
            refused(400, "unsupported_grant_type"),
        ),
    ] {
        let code = client.code(&key).await;
        let got = client.exchange_with(&code, &[change]).await;
        assert_eq!(got.unwrap_err(), expected, "{change:?}");
    }
    let code = client.code(&key).await;
    let tokens = client.exchange(&code).await.unwrap();
    assert_eq!(status_of(call(&app, HOST, &tokens.access)).await, 200);
    // Whoever else has the code may have the tokens.
    assert_eq!(client.exchange(&code).await.unwrap_err(), grant());
    assert_eq!(status_of(call(&app, HOST, &tokens.access)).await, 401);
    assert_eq!(client.refresh(&tokens.refresh).await.unwrap_err(), grant());
}
