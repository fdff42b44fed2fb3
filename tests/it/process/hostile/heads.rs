//! Heads that contradict themselves or the body, or that name another host.

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::Target;
use super::request::{CALL, LIST, Request};
use crate::support::users::in_scratch;

/// A name, the request, and the expected status and code; no code where the request is not HTTP.
type Case<'a> = (&'a str, Request<'a>, u16, Option<Value>);

#[test]
fn heads_that_lie() {
    in_scratch(async |home| {
        let target = Target::in_home(home).await;
        let key = target.good.key.clone().unwrap();
        let (bob, log) = (target.service.key("bob", &[]).await, target.log());
        let cases = [
            doubled(&key, &bob),
            framings(&key),
            hosts(&key),
            targets(&key),
            origins(&key),
            types(&key),
            mirrors(&key),
            methods(&key),
        ];
        for (name, request, status, code) in cases.concat() {
            let told = target.ask(&request);
            assert_eq!(told.status, status, "{name}: {told:?}");
            assert!(told.head.contains("connection: close"), "{name}: {told:?}");
            match code {
                Some(code) => {
                    told.is_well_formed(name);
                    assert_eq!(told.code(), code, "{name}: {told:?}");
                }
                None => assert_eq!(told.body, "", "{name}"),
            }
        }
        target.serves_the_good_one().await;
        // A request with two keys is refused like one with a wrong key; a call that its head contradicts is a call
        // (r043). None of the others leaves a row.
        let refused = target.rows("initialize", 2).await;
        assert_eq!(refused.len(), 2, "{refused:?}");
        assert_eq!(target.rows("list_actions", 1).await.len(), 1);
        let calls = mirrors(&key).len();
        assert_eq!(target.rows("query", calls).await.len(), calls);
        assert_eq!(target.log(), log, "strangers write nothing into the log");
        target.service.stop(Signal::SIGTERM).await;
    });
}

fn doubled<'a>(key: &str, other: &str) -> Vec<Case<'a>> {
    let twice =
        |second: &str| format!("Authorization: Bearer {key}\r\nAuthorization: Bearer {second}\r\n");
    let list = || Request::list(key);
    let refused = Some(json!("unauthorized"));
    let mismatch = Some(json!(-32020));
    let with = |more: &'a str| Request {
        more: more.into(),
        ..list()
    };
    vec![
        (
            "a key twice",
            Request {
                key: twice(key),
                ..list()
            },
            401,
            refused.clone(),
        ),
        (
            "two keys",
            Request {
                key: twice(other),
                ..list()
            },
            401,
            refused,
        ),
        (
            "two sessions",
            with("Mcp-Session-Id: a\r\nMcp-Session-Id: b\r\n"),
            400,
            mismatch.clone(),
        ),
        (
            "a session twice",
            with("Mcp-Session-Id: a\r\nMcp-Session-Id: a\r\n"),
            400,
            mismatch.clone(),
        ),
        (
            "two methods",
            with(
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nMcp-Method: ping\r\n",
            ),
            400,
            mismatch.clone(),
        ),
        (
            "two versions",
            with(
                "MCP-Protocol-Version: 2026-07-28\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/list\r\n",
            ),
            400,
            mismatch,
        ),
        (
            "two hosts",
            Request {
                host: "Host: 127.0.0.1\r\nHost: evil.example\r\n",
                ..list()
            },
            400,
            None,
        ),
        ("no host", Request { host: "", ..list() }, 400, None),
    ]
}

/// Framings that a proxy in front and the service could read in different ways are refused.
fn framings<'a>(key: &str) -> Vec<Case<'a>> {
    let framed = |framing| Request {
        framing: Some(framing),
        ..Request::list(key)
    };
    let none = |framing| (framing, framed(framing), 400, None);
    let mut cases: Vec<Case<'a>> = [
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 99999999999999999999999\r\n",
    ]
    .map(none)
    .into();
    let huge = "Content-Length: 1099511627776\r\n";
    cases.push((huge, framed(huge), 413, Some(json!("too_large"))));
    let wide = Request {
        more: format!("X-Filler: {}\r\n", "x".repeat(40_000)).into(),
        ..Request::list(key)
    };
    cases.push(("a wide head", wide, 431, Some(json!("too_large"))));
    cases
}

fn hosts<'a>(key: &str) -> Vec<Case<'a>> {
    let with = |host| Request {
        host,
        ..Request::list(key)
    };
    let foreign = |host| (host, with(host), 403, Some(json!("forbidden_host")));
    let ours = |host| (host, with(host), 200, Some(Value::Null));
    let mut cases: Vec<Case<'a>> = [
        "Host: \r\n",
        "Host: evil.example\r\n",
        "Host: evil.example:8788\r\n",
        "Host: localhost.\r\n",
        "Host: 127.0.0.1.\r\n",
        "Host: localhost.evil.example\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
        "Host: localhost:\r\n",
        "Host: localhost:99999\r\n",
        "Host: localhost:+80\r\n",
        "Host: localhost:80:80\r\n",
        "Host: user@localhost\r\n",
        "Host: localhost@evil.example\r\n",
        "Host: localhost, evil.example\r\n",
        "Host: [::1\r\n",
        "Host: ::1\r\n",
        "Host: [::1%25lo]\r\n",
        "Host: [::ffff:127.0.0.1]\r\n",
        "Host: 0.0.0.0\r\n",
        "Host: 127.1\r\n",
        "Host: 2130706433\r\n",
    ]
    .map(foreign)
    .into();
    cases.extend(
        [
            "Host: LOCALHOST\r\n",
            "Host: [::1]:1\r\n",
            "Host: 127.0.0.1:65535 \r\n",
        ]
        .map(ours),
    );
    cases
}

fn targets<'a>(key: &str) -> Vec<Case<'a>> {
    let with = |target| Request {
        target,
        ..Request::list(key)
    };
    let case =
        |(target, status, code): (&'a str, u16, Value)| (target, with(target), status, Some(code));
    let mut cases: Vec<Case<'a>> = [
        ("http://127.0.0.1/mcp", 200, Value::Null),
        ("http://evil.example/mcp", 403, json!("forbidden_host")),
        ("http://evil.example:8788/mcp", 403, json!("forbidden_host")),
        ("http://user@127.0.0.1/mcp", 403, json!("forbidden_host")),
        ("http://localhost./mcp", 403, json!("forbidden_host")),
        ("evil.example:80", 403, json!("forbidden_host")),
        ("/mcp?x=1", 200, Value::Null),
        ("//evil.example/mcp", 404, json!("not_found")),
        ("/mcp/", 200, Value::Null),
        ("/mcp//", 404, json!("not_found")),
        ("/x/../mcp", 404, json!("not_found")),
        ("/healthz", 404, json!("not_found")),
        ("*", 404, json!("not_found")),
    ]
    .map(case)
    .into();
    cases.extend(["/mcp\0", "http:///mcp"].map(|target| (target, with(target), 400, None)));
    cases
}

fn origins<'a>(key: &str) -> Vec<Case<'a>> {
    let with = |origin: &str| {
        let more = format!("{LIST}{origin}").into();
        Request {
            more,
            ..Request::list(key)
        }
    };
    let foreign = |origin| (origin, with(origin), 403, Some(json!("forbidden")));
    let ours = |origin| (origin, with(origin), 200, Some(Value::Null));
    let mut cases: Vec<Case<'a>> = [
        "Origin: null\r\n",
        "Origin: \r\n",
        "Origin: file://\r\n",
        "Origin: chrome-extension://abc\r\n",
        "Origin: http://evil.example\r\n",
        "Origin: http://localhost.evil.example\r\n",
        "Origin: http://localhost.\r\n",
        "Origin: http://127.0.0.1.\r\n",
        "Origin: http://user@localhost\r\n",
        "Origin: http://localhost@evil.example\r\n",
        "Origin: http://localhost/\r\n",
        "Origin: http://localhost:\r\n",
        "Origin: http://localhost:99999\r\n",
        "Origin: http://localhost:+80\r\n",
        "Origin: http://localhost http://evil.example\r\n",
        "Origin: http://[::1\r\n",
        "Origin: http://localhost\r\nOrigin: http://evil.example\r\n",
    ]
    .map(foreign)
    .into();
    cases.extend(
        [
            "Origin: http://LOCALHOST:1\r\n",
            "Origin: https://[::1]:3\r\n",
        ]
        .map(ours),
    );
    cases
}

fn types<'a>(key: &str) -> Vec<Case<'a>> {
    let refused = Some(json!("unsupported_media_type"));
    let of = |kind| {
        (
            kind,
            Request {
                kind,
                ..Request::list(key)
            },
            415,
            refused.clone(),
        )
    };
    let mut cases: Vec<Case<'a>> = [
        "",
        "Content-Type: \r\n",
        "Content-Type: text/plain\r\n",
        "Content-Type: application/jsonx\r\n",
        "Content-Type: application/json, text/plain\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: multipart/form-data; boundary=x\r\n",
        "Content-Type: application/json\r\nContent-Type: text/plain\r\n",
        "Content-Type: text/plain\r\nContent-Type: application/json\r\n",
        "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
        "Content-Type: application/json\r\nContent-Encoding: br, gzip\r\n",
    ]
    .map(of)
    .into();
    let kind = "Content-Type: APPLICATION/JSON; charset=utf-8\r\nContent-Encoding: identity\r\n";
    cases.push((
        kind,
        Request {
            kind,
            ..Request::list(key)
        },
        200,
        Some(Value::Null),
    ));
    cases
}

/// Headers of a stateless request that contradict its body (docs/asking.md#stateless-requests). All but the last are
/// refused.
fn mirrors<'a>(key: &str) -> Vec<Case<'a>> {
    let call = r#"{"target":"finance.accounts"}"#;
    let with = |more: &'a str| {
        (
            more,
            Request {
                more: more.into(),
                ..Request::call(key, call)
            },
            400,
            Some(json!(-32020)),
        )
    };
    let mut cases: Vec<Case<'a>> = [
        "",
        "MCP-Protocol-Version: \r\n",
        "Mcp-Method: tools/call\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: TOOLS/CALL\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_record\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: \r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: =?base64?!?=\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: query\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2026-07-28, 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/call\r\nMcp-Name: query\r\n",
        "MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: tools/call\r\nMcp-Name: query\r\n",
    ]
    .map(with)
    .into();
    cases.push((CALL, Request::call(key, call), 200, Some(Value::Null)));
    cases
}

fn methods<'a>(key: &str) -> Vec<Case<'a>> {
    let with = |method| Request {
        method,
        ..Request::list(key)
    };
    ["OPTIONS", "PUT", "PATCH", "TRACE", "get", "X"]
        .map(|method| (method, with(method), 405, Some(json!("invalid"))))
        .into()
}
