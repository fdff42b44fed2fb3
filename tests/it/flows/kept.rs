//! What the audit log keeps of a call over the agent port: one row, whatever the call was; its arguments redacted;
//! its id.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{agent, answer};
use crate::mcp::support::{Client, body_of, json_of};
use crate::support::TestApp;

/// Longest arguments that are stored, in bytes of JSON (r027).
const ARGS_BYTES_MAX: usize = 4096;

/// The `args` of these calls' rows; each call must leave one.
async fn kept(app: &TestApp, calls: Vec<RequestBuilder>) -> Vec<Value> {
    let count = calls.len();
    for call in calls {
        json_of(call).await;
    }
    let rows = app.audit_rows(count).await;
    assert_eq!(rows.len(), count, "{rows:#?}");
    rows.iter().map(|row| row["args"].clone()).collect()
}

#[actix_web::test]
async fn r024_calls_of_every_port_are_answered_while_the_record_cannot_be_written() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let session = client.session().await;
    let (device, secret) = app.push_connection("home.entities").await;
    let lock = app.database.connect().await;
    let lock_table = "BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE";
    lock.batch_execute(lock_table).await.unwrap();
    for _ in 0..10 {
        answer(&client, "list_actions", json!({ "target": "home" })).await;
        let (_, served) =
            json_of(client.session_call(&session, "query", json!({ "target": "home.entities" })))
                .await;
        assert_eq!(served["result"]["isError"], false, "{served}");
    }
    let stranger = Client::new(&client.url, Some("sxt_unknown".to_owned()));
    assert_eq!(body_of(stranger.initialize("2025-11-25")).await.0, 401);
    let push = app.request(Method::POST, &format!("/api/ingest/{device}"));
    let push = push
        .bearer_auth(&secret)
        .json(&json!([{ "id": "1", "name": "lamp" }]));
    app.send(push).await.expect(200);
    app.pause(&device).await.expect(200);
    assert!(
        app.tree.audit.stats().waiting_rows >= 23,
        "{:?}",
        app.tree.audit.stats()
    );
    lock.batch_execute("ROLLBACK").await.unwrap();
    let rows = app.audit_rows(23).await;
    assert_eq!(rows.len(), 23, "each row once");
    assert_eq!(app.tree.audit.stats().dropped_rows, 0);
}

#[actix_web::test]
async fn r026_arguments_are_redacted_by_name_wherever_they_stand_and_by_name_alone() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let redacted = [
        "API_Key",
        "x-authorization",
        "passphrase",
        "monkey",
        "COOKIE_jar",
        "mySecret",
        "tokens",
        "bypass",
    ];
    let untouched = ["kee", "tok", "author", "note", "sekret", "cook"];
    let mut sent = json!({ "target": "home" });
    let mut expected = sent.clone();
    for name in redacted {
        for (suffix, value) in [
            ("", json!("text")),
            ("1", json!(7.25)),
            ("2", Value::Null),
            ("3", json!({ "a": [1] })),
            ("4", json!([true])),
        ] {
            sent[format!("{name}{suffix}")] = value;
            expected[format!("{name}{suffix}")] = json!("[redacted]");
        }
    }
    for name in untouched {
        sent[name] = json!(["my password is hunter2", { "token": 1, "deep": [[{ "key": null, "n": -1.50 }]] }]);
        expected[name] = json!(["my password is hunter2", { "token": "[redacted]", "deep": [[{ "key": "[redacted]", "n": -1.50 }]] }]);
    }
    let session = client.session().await;
    let calls = vec![
        client.modern_call("list_actions", sent.clone()),
        client.session_call(&session, "list_actions", sent),
    ];
    assert_eq!(kept(&app, calls).await, [expected.clone(), expected]);
}

#[actix_web::test]
async fn r027_arguments_of_4096_bytes_are_kept_and_one_more_is_truncated_whole() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let of_length = |shape: &Value, bytes: usize| {
        let mut sized = shape.clone();
        sized["note"] = json!("");
        let rest = bytes - sized.to_string().len();
        sized["note"] = json!("x".repeat(rest));
        assert_eq!(sized.to_string().len(), bytes);
        sized
    };
    let plain = json!({ "target": "home" });
    let redacted = json!({ "target": "home", "secret": "[redacted]" });
    let mut long_secret = of_length(&redacted, ARGS_BYTES_MAX);
    long_secret["secret"] = json!("s".repeat(9_000));
    let mut short_secret = of_length(&redacted, ARGS_BYTES_MAX + 1);
    short_secret["secret"] = json!("");
    let calls = [
        of_length(&plain, ARGS_BYTES_MAX),
        of_length(&plain, ARGS_BYTES_MAX + 1),
        long_secret,
        short_secret,
        json!({ "list": vec!["ü"; 1_500] }),
    ];
    let calls = calls
        .map(|arguments| client.modern_call("list_actions", arguments))
        .into();
    let truncated = json!("[truncated]");
    let expected = [
        of_length(&plain, ARGS_BYTES_MAX),
        truncated.clone(),
        of_length(&redacted, ARGS_BYTES_MAX),
        truncated.clone(),
        truncated,
    ];
    assert_eq!(kept(&app, calls).await, expected);
}

#[actix_web::test]
async fn r032_whatever_an_id_is_it_is_recorded_as_text_and_what_is_none_calls_nothing() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let session = client.session().await;
    let call = |id: &str| {
        let id = if id.is_empty() {
            String::new()
        } else {
            format!("\"id\":{id},")
        };
        let body = format!(
            r#"{{"jsonrpc":"2.0",{id}"method":"tools/call","params":{{"name":"list_actions","arguments":{{}}}}}}"#
        );
        client.post(body).header("mcp-session-id", &session)
    };
    let none = ["null", "1.5", "18446744073709551616", "[1]", "true"];
    for none in none {
        assert_eq!(body_of(call(none)).await.0, 400, "{none}");
    }
    // A notification expects no answer, so it calls no tool.
    assert_eq!(body_of(call("")).await.0, 202);
    let long = format!("{:?}", "i".repeat(3_000));
    let ids = [
        "0",
        "-7",
        "9223372036854775807",
        "\"\"",
        "\"7\"",
        "\"a \\u00fc \\\"q\\\" \\u0000\"",
        &long,
    ];
    for id in ids {
        assert_eq!(body_of(call(id)).await.0, 200, "{id}");
    }
    let rows = app.audit_rows(none.len() + ids.len()).await;
    let (refused, rows) = rows.split_at(none.len());
    // No tool ran, but the agent did call (r043).
    for row in refused {
        let told = json!([row["tool"], row["outcome"], row["request_id"], row["args"]]);
        assert_eq!(told, json!(["list_actions", "error", null, {}]));
    }
    let recorded: Vec<_> = rows
        .iter()
        .map(|row| row["request_id"].as_str().unwrap())
        .collect();
    let long = "i".repeat(3_000);
    assert_eq!(
        recorded,
        [
            "0",
            "-7",
            "9223372036854775807",
            "",
            "7",
            "a ü \"q\" \u{fffd}",
            &long
        ]
    );
}

#[actix_web::test]
async fn r043_a_call_in_a_shape_that_none_has_is_not_run_and_leaves_one_row_too() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let session = client.session().await;
    let params = [
        json!({}),
        json!({ "name": 5, "arguments": { "target": "home", "key": "k" } }),
        json!({ "name": "query", "arguments": ["home.entities", { "token": "t" }] }),
        json!({ "name": "drop_tables", "arguments": "home" }),
    ];
    for params in params {
        let (_, refused) = json_of(client.in_session(&session, "tools/call", params)).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    let modern = client.modern(
        "tools/call",
        json!({ "name": "get_record", "arguments": 7 }),
    );
    assert_eq!(json_of(modern).await.1["error"]["code"], -32602);
    let rows = app.audit_rows(5).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| json!([row["tool"], row["args"]]))
        .collect();
    let expected = json!([
        ["tools/call", {}],
        ["tools/call", { "target": "home", "key": "[redacted]" }],
        ["query", ["home.entities", { "token": "[redacted]" }]],
        ["tools/call", "home"],
        ["get_record", 7],
    ]);
    assert_eq!(json!(told), expected);
    for row in &rows {
        let decided = [
            &row["agent_id"],
            &row["decision"],
            &row["outcome"],
            &row["result_count"],
            &row["sector"],
        ];
        let expected = [
            "claude".into(),
            "allow".into(),
            "error".into(),
            Value::Null,
            Value::Null,
        ];
        assert_eq!(decided.map(Clone::clone), expected, "{row}");
    }
}
