//! What the audit log keeps of a call whose body is refused: one row, in either era.

use reqwest::{Body, RequestBuilder};
use serde_json::json;
use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::domain::{Decision, Outcome};

use super::support::{Client, Port, body_of, json_of, modern_meta};

/// Larger than any body may be.
const TOO_LARGE_BYTES: usize = 4 * 1024 * 1024 + 1;

/// The two ways in which a message reaches the port.
#[derive(Clone, Copy, Debug)]
enum Way<'a> {
    Modern,
    Session(&'a str),
}

impl Way<'_> {
    /// A POST of this body with the headers that the era requires, and the header of the method and the tool.
    fn post(self, agent: &Client, body: impl Into<Body>, named: Named) -> RequestBuilder {
        let request = agent.post("").body(body);
        let request = match self {
            Way::Modern => request.header("mcp-protocol-version", "2026-07-28"),
            Way::Session(id) => request.header("mcp-session-id", id),
        };
        let named = [("mcp-method", named.0), ("mcp-name", named.1)];
        let named = named.into_iter().filter(|(_, value)| !value.is_empty());
        named.fold(request, |request, (name, value)| {
            request.header(name, value)
        })
    }

    /// A call of `query`, as text that tests damage.
    fn call(self) -> String {
        let mut call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": { "name": "query", "arguments": { "target": "finance.accounts" } } });
        if matches!(self, Way::Modern) {
            call["params"]["_meta"] = modern_meta();
        }
        call.to_string()
    }
}

/// `Mcp-Method` and `Mcp-Name`; an empty one is not sent.
type Named = (&'static str, &'static str);
const CALL: Named = ("tools/call", "query");
const UNNAMED: Named = ("", "");

struct Case {
    what: &'static str,
    body: String,
    named: Named,
    status: u16,
    /// The row's verb and request id.
    row: Option<(&'static str, Option<&'static str>)>,
}

fn deep(levels: usize) -> String {
    format!("{}1{}", "[".repeat(levels), "]".repeat(levels))
}

/// Causes that occur in both eras.
fn cases(way: Way) -> Vec<Case> {
    let call = way.call();
    let spoiled = |from: &str, to: &str| {
        let spoiled = call.replacen(from, to, 1);
        assert_ne!(spoiled, call, "{from}");
        spoiled
    };
    let target = r#""finance.accounts""#;
    let large = format!("\"{}\"", "x".repeat(TOO_LARGE_BYTES));
    let query = Some(("query", Some("7")));
    let case = |what, body, named, status, row| Case {
        what,
        body,
        named,
        status,
        row,
    };
    vec![
        case(
            "too large",
            spoiled(target, &large),
            CALL,
            413,
            Some(("query", None)),
        ),
        case(
            "too large, unnamed",
            large.clone(),
            UNNAMED,
            413,
            Some(("tools/call", None)),
        ),
        case(
            "too large, another method",
            large,
            ("tools/list", ""),
            413,
            None,
        ),
        case("too deep", spoiled(target, &deep(100)), CALL, 400, query),
        case(
            "too deep, unnamed",
            spoiled(target, &deep(100_000)),
            UNNAMED,
            400,
            query,
        ),
        case("too deep, and no call", deep(100), ("ping", ""), 400, None),
        case(
            "too deep, and nobody says what",
            deep(100),
            UNNAMED,
            400,
            Some(("tools/call", None)),
        ),
        case("deep without end", "[".repeat(100_000), CALL, 400, None),
        case(
            "too many values",
            spoiled(target, &format!("[{}0]", "0,".repeat(10_000))),
            CALL,
            400,
            query,
        ),
        case(
            "half a character",
            spoiled(target, r#""\ud800""#),
            CALL,
            400,
            query,
        ),
        case(
            "half a character in a name",
            spoiled(r#""target""#, r#""\udfff""#),
            CALL,
            400,
            query,
        ),
        case(
            "two methods",
            spoiled(r#""id""#, r#""method":"tools/call","id""#),
            CALL,
            400,
            query,
        ),
        case(
            "two ids",
            spoiled(r#""id":7"#, r#""id":7,"id":8"#),
            CALL,
            400,
            Some(("query", None)),
        ),
        case(
            "two params",
            spoiled(r#""params""#, r#""params":{},"params""#),
            CALL,
            400,
            query,
        ),
        case(
            "a batch",
            format!("[{call},{call}]"),
            UNNAMED,
            400,
            Some(("query", None)),
        ),
        case(
            "a batch of other things",
            r#"[{"method":"ping"}]"#.to_owned(),
            UNNAMED,
            400,
            None,
        ),
        case(
            "no meta",
            spoiled(r#""params":{"#, r#""params":{"_meta":1,"#)
                .replace(r#","_meta":{"#, r#","_x":{"#),
            CALL,
            400,
            query,
        ),
        case(
            "no id that is one",
            spoiled(r#""id":7"#, r#""id":{}"#),
            CALL,
            400,
            Some(("query", None)),
        ),
        case(
            "another tool",
            spoiled("query", "drop_tables").replace("\"2.0\"", "2"),
            ("tools/call", ""),
            400,
            Some(("tools/call", Some("7"))),
        ),
        case(
            "nothing of JSON-RPC",
            r#"{"hello":"world"}"#.to_owned(),
            UNNAMED,
            400,
            Some(("tools/call", None)),
        ),
        case("no JSON", "{ not json".to_owned(), CALL, 400, None),
        case(
            "half of it",
            call[..call.len() / 2].to_owned(),
            CALL,
            400,
            None,
        ),
        case(
            "another method",
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#.to_owned(),
            CALL,
            400,
            None,
        ),
    ]
}

/// Causes that only a stateless request has: its headers repeat its body.
fn mirrored() -> Vec<(&'static str, RequestBuilderOf, &'static str)> {
    vec![
        (
            "another name",
            |way, agent| way.post(agent, way.call(), ("tools/call", "get_schema")),
            "query",
        ),
        (
            "another method",
            |way, agent| way.post(agent, way.call(), ("tools/list", "query")),
            "query",
        ),
        (
            "no method",
            |way, agent| way.post(agent, way.call(), ("", "query")),
            "query",
        ),
        (
            "the method twice",
            |way, agent| {
                way.post(agent, way.call(), CALL)
                    .header("mcp-method", "tools/call")
            },
            "query",
        ),
        (
            "another version",
            |way, agent| way.post(agent, way.call().replace("2026-07-28", "2025-11-25"), CALL),
            "query",
        ),
    ]
}

type RequestBuilderOf = fn(Way, &Client) -> RequestBuilder;

/// The rows left by `request`, which is refused with `status`: those before the row of one more call.
async fn rows_of(
    port: &Port,
    agent: &Client,
    request: RequestBuilder,
    status: u16,
) -> Vec<AuditEntry> {
    let before = port.audit.rows().len();
    assert_eq!(body_of(request).await.0, status);
    let last = agent.modern_call("describe_context", json!({}));
    assert_eq!(json_of(last).await.0, 200);
    let mut rows = port.audit.wait_for(before + 1).await;
    while rows.last().unwrap().tool != "describe_context" {
        rows = port.audit.wait_for(rows.len() + 1).await;
    }
    rows.truncate(rows.len() - 1);
    rows.split_off(before)
}

fn is_row_of(row: &AuditEntry, verb: &str, id: Option<&str>) {
    assert_eq!((row.tool.as_str(), row.request_id.as_deref()), (verb, id));
    assert_eq!(row.agent_id.as_deref(), Some("claude"));
    assert!(row.user_id.is_some());
    assert_eq!((row.sector, row.result_count), (None, None));
    assert_eq!(
        (&row.decision, row.outcome),
        (&Decision::Allow, Some(Outcome::Error))
    );
    assert_eq!(row.args, Some(SafeArgs::of(&json!({}))));
}

#[actix_web::test]
async fn r043_a_call_whose_body_is_refused_leaves_exactly_one_row_in_either_era() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    let session = agent.session().await;
    for way in [Way::Modern, Way::Session(&session)] {
        for case in cases(way) {
            let request = way.post(&agent, case.body, case.named);
            let rows = rows_of(&port, &agent, request, case.status).await;
            let told: Vec<_> = rows.iter().map(|row| row.tool.as_str()).collect();
            assert_eq!(
                rows.len(),
                usize::from(case.row.is_some()),
                "{way:?} {}: {told:?}",
                case.what
            );
            if let (Some((verb, id)), [row]) = (case.row, rows.as_slice()) {
                println!("{way:?} {}", case.what);
                is_row_of(row, verb, id);
            }
        }
    }
    for (what, request, verb) in mirrored() {
        let rows = rows_of(&port, &agent, request(Way::Modern, &agent), 400).await;
        assert_eq!(rows.len(), 1, "{what}");
        is_row_of(&rows[0], verb, Some("7"));
    }
    port.stop().await;
}

#[actix_web::test]
async fn r043_a_body_that_never_comes_whole_and_one_under_no_key_leave_no_call() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    let piece = || Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]);
    let endless = futures_util::stream::iter(std::iter::repeat_with(piece));
    let request = Way::Modern.post(&agent, Body::wrap_stream(endless), CALL);
    let rows = rows_of(&port, &agent, request, 413).await;
    assert_eq!(rows.len(), 1, "it is too large, however it is framed");
    is_row_of(&rows[0], "query", None);
    let text = Way::Modern.post(&agent, "[]", CALL);
    let text = text.header("content-encoding", "gzip");
    assert_eq!(rows_of(&port, &agent, text, 415).await, []);
    let nobody = port.stranger();
    let unkeyed = Way::Modern.post(&nobody, deep(100), CALL);
    assert_eq!(rows_of(&port, &agent, unkeyed, 401).await, []);
    port.stop().await;
}
