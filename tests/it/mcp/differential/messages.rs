//! The messages that are sent to both: as the protocol writes them, deviating in one thing, and in several.

use serde_json::json;

use super::message::Message;

/// Fixed, so that a run can be repeated.
const SEED: u64 = 15;
const RANDOM_MESSAGES: usize = 400;

pub fn query() -> Message {
    let arguments = json!({ "target": "finance.transactions", "limit": 3 });
    Message::call(json!(7), "query", arguments)
}

/// Calls as the protocol writes them.
pub fn well_formed() -> Vec<Message> {
    let odd = "\u{0}\u{7f}\u{2028}\"\\/<é🦀\r\n\t";
    let mut messages: Vec<Message> = ["answer", "fault", "busy", "database"]
        .into_iter()
        .flat_map(|reply| ["", "{\"a\":[1]}", odd].map(|text| (reply, text)))
        .map(|(reply, text)| json!({ "reply": reply, "text": text }))
        .map(|arguments| Message::call(json!("id \"1\" é"), "query", arguments))
        .collect();
    messages.extend([
        query(),
        Message::call(json!(-1), "describe_context", json!({})),
        Message::call(json!(0), "get_schema", json!({ "sector": "mail" })),
        Message::call(
            json!(i64::MAX),
            "query",
            json!({ "target": "mail.messages" }),
        ),
        Message::call(
            json!(""),
            "query",
            json!({ "where": { "amount": { "lt": -12.50 } } }),
        ),
        query().with_body(
            r#","arguments":{"limit":3,"target":"finance.transactions"}"#,
            "",
        ),
        query().with_body(r#"{"limit":3,"target":"finance.transactions"}"#, "null"),
        query().with_body(r#""limit":3"#, r#""limit":3,"limit":4"#),
        query().with_body(r#""limit":3"#, r#""limit":-1.50E+3"#),
        query().with_body(
            r#""limit":3"#,
            r#""limit":123456789012345678901234567890.10"#,
        ),
        query().with_body(r#""limit":3"#, r#""$serde_json::private::Number":"3""#),
        query().with_body(
            r#""limit":3"#,
            r#""x":{"$serde_json::private::Number":"3"}"#,
        ),
        query().with_body(r#""limit":3"#, r#""\u006cimit":"\ud83e\udd80""#),
        query().with_body("{", " \r\n{ "),
        query().with_header("mcp-session-id", "a-session-that-is-none"),
        query().with_header("mcp-param-target", "mail"),
        query().with_header("last-event-id", "0"),
        query().with_header("accept", "*/*"),
        query().with_header("content-type", "Application/JSON; charset=utf-8"),
    ]);
    for capabilities in [
        r#"{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}"#,
        r#"{"experimental":{"a":{"b":1}},"unknown":[1e999]}"#,
    ] {
        let named = r#"clientCapabilities":{}"#;
        let capable = format!(r#"clientCapabilities":{capabilities}"#);
        messages.push(query().with_body(named, &capable));
    }
    for client in [
        "null",
        "7",
        r#"{"name":7}"#,
        r#"{"name":"other","version":"2","title":"t"}"#,
    ] {
        let named = r#"clientInfo":{"name":"test","version":"1"}"#;
        messages.push(query().with_body(named, &format!(r#"clientInfo":{client}"#)));
    }
    messages
}

/// What stands in a message, and what may stand there instead.
const CHANGES: [(&str, &str); 40] = [
    (r#""2.0""#, r#""1.0""#),
    (r#""2.0""#, "2.0"),
    (r#""id":7"#, r#""id":7,"id":8"#),
    (r#""id":7"#, r#""id":null"#),
    (r#""id":7"#, r#""id":7.5"#),
    (r#""id":7"#, r#""id":7.0"#),
    (r#""id":7"#, r#""id":[7]"#),
    (r#""id":7"#, r#""id":99999999999999999999"#),
    (r#""id":7,"#, ""),
    (r#""id":7"#, r#""id":7,"result":{}"#),
    (r#""id":7"#, r#""id":7,"surplus":{}"#),
    ("tools/call", r"tools\/call"),
    ("tools/call", "tools/list"),
    ("tools/call", "tools/calls"),
    ("tools/call", "initialize"),
    ("tools/call", "subscriptions/listen"),
    (r#""name":"query""#, r#""name":"query","name":"query""#),
    (r#""name":"query""#, r#""name":"get_schema""#),
    (r#""name":"query""#, r#""name":"qu\u0065ry""#),
    (r#""name":"query""#, r#""name":7"#),
    (r#","name":"query""#, ""),
    (r#""name":"query""#, r#""name":"query","task":{"ttl":1}"#),
    (r#""name":"query""#, r#""name":"query","requestState":"s""#),
    (r#""name":"query""#, r#""name":"query","inputResponses":{}"#),
    (r#""name":"query""#, r#""name":"query","clientInfo":{}"#),
    (r#"{"limit":3,"target":"finance.transactions"}"#, "[]"),
    (
        r#"{"limit":3,"target":"finance.transactions"}"#,
        r#""text""#,
    ),
    (r#""limit":3"#, r#""limit":"\ud800""#),
    (r#""limit":3"#, r#""limit":03"#),
    (r#""limit":3"#, "\"limit\":\"\u{1}\""),
    (r#""_meta":{"#, r#""_meta":{"progressToken":1,"#),
    (r#""_meta":{"#, r#""_meta":{"traceparent":"00-1-2-01","#),
    (r#""_meta":{"#, r#""_meta":null,"meta":{"#),
    (
        r#"protocolVersion":"2026-07-28""#,
        r#"protocolVersion":"2025-11-25""#,
    ),
    (
        r#"protocolVersion":"2026-07-28""#,
        r#"protocolVersion":"1900-01-01""#,
    ),
    (r#"protocolVersion":"2026-07-28""#, r#"protocolVersion":7"#),
    (r#"clientCapabilities":{}"#, r#"clientCapabilities":[]"#),
    (
        r#"clientCapabilities":{}"#,
        r#"clientCapabilities":{"roots":7}"#,
    ),
    (r#"clientCapabilities":{}"#, r#"capabilities":{}"#),
    ("{", "[{"),
];

const HEADERS: [(&str, &str); 12] = [
    ("mcp-protocol-version", "2025-11-25"),
    ("mcp-protocol-version", "2026-07-29"),
    ("mcp-protocol-version", "2025-03-26"),
    ("mcp-method", "tools/list"),
    ("mcp-method", "TOOLS/CALL"),
    ("mcp-method", ""),
    ("mcp-name", "get_schema"),
    ("mcp-name", "=?base64?cXVlcnk=?="),
    ("mcp-name", "=?base64?%?="),
    ("host", "evil.example"),
    ("content-type", "text/plain"),
    ("content-encoding", "gzip"),
];

/// Messages that deviate in one thing each.
pub fn deviating() -> Vec<Message> {
    let changed = CHANGES.map(|(from, to)| {
        let changed = query().with_body(from, to);
        assert_ne!(changed.body, query().body, "{from} does not occur");
        changed
    });
    let headed = HEADERS.map(|(name, value)| query().with_header(name, value));
    let named = ["mcp-protocol-version", "mcp-method", "mcp-name"];
    let mut messages: Vec<Message> = changed.into_iter().chain(headed).collect();
    for name in named {
        messages.push(query().without_header(name));
        let mut twice = query();
        let again = twice.headers.iter().find(|(known, _)| *known == name);
        let again = again.unwrap().clone();
        twice.headers.push(again);
        messages.push(twice);
    }
    messages.push(Message::call(json!(7), "drop_tables", json!({})));
    let mut broken = query();
    broken.body.push(0xff);
    messages.push(broken);
    let mut array = query();
    array.body = br#"["2.0",7,"tools/call",["query",{},["2026-07-28",{},null]]]"#.into();
    messages.push(array);
    messages
}

/// Messages with several changes and headers at a time.
pub fn random() -> Vec<Message> {
    let mut state = SEED;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % bound
    };
    let good = well_formed();
    let mut messages = Vec::new();
    for _ in 0..RANDOM_MESSAGES {
        let mut message = good[below(good.len())].clone();
        for _ in 0..below(3) {
            let (from, to) = CHANGES[below(CHANGES.len())];
            message = message.with_body(from, to);
        }
        if below(4) == 0 {
            let (name, value) = HEADERS[below(HEADERS.len())];
            message = message.with_header(name, value);
        }
        if below(6) == 0 {
            let at = below(message.body.len());
            message.body.remove(at);
        }
        messages.push(message);
    }
    messages
}
