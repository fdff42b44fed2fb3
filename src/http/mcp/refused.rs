//! The call in a request whose body is refused: the agent did make a call, so it leaves one audit row (r043), without arguments.
//!
//! The body decides, then the headers `Mcp-Method` and `Mcp-Name`. A body that did not arrive whole is not read. A request whose
//! method neither gives counts as a call; a body that is not JSON is none. Pure: `request` leaves the row.

mod body_scan;

use actix_web::http::header::HeaderMap;
use serde_json::{Map, Value};
use sextant_actors::domain::Call;

use self::body_scan::{BodyScan, MessageKind, ToolName};
use super::protocol::{METHOD_HEADER, NAME_HEADER, TOOLS_CALL};

/// The call of a request whose body is refused, without its arguments; `None` where it made none. `body` is `None` where it
/// was not read to its end.
pub fn call_of(headers: &HeaderMap, body: Option<&[u8]>) -> Option<Call> {
    let scan = match body {
        Some(body) => BodyScan::of_body(std::str::from_utf8(body).ok()?)?,
        None => BodyScan::default(),
    };
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let is_call = match scan.kind {
        MessageKind::Unstated => {
            headers.get(METHOD_HEADER).is_none() || header(METHOD_HEADER)? == TOOLS_CALL
        }
        MessageKind::Call => true,
        MessageKind::Other => false,
    };
    is_call.then(|| Call {
        tool: match scan.tool {
            ToolName::Unstated => header(NAME_HEADER).unwrap_or_default().to_owned(),
            ToolName::One(tool) => tool,
            ToolName::Ambiguous => String::new(),
        },
        arguments: Value::Object(Map::new()),
        request_id: scan.id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query","arguments":{}}}"#;

    /// The verb of the row that a body leaves, and the request's id.
    fn row(pairs: &[(&'static str, &'static str)], body: &str) -> Option<(&'static str, String)> {
        let call = call_of(&headers(pairs), Some(body.as_bytes()))?;
        assert_eq!(call.arguments, Value::Object(Map::new()));
        Some((call.verb(), call.request_id.unwrap_or_default()))
    }

    fn verb(pairs: &[(&'static str, &'static str)], body: &str) -> Option<&'static str> {
        row(pairs, body).map(|(verb, _)| verb)
    }

    #[test]
    fn r043_a_refused_body_tells_its_tool_and_its_id() {
        assert_eq!(row(&[], CALL), Some(("query", "7".to_owned())));
        let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
        let call = CALL.replace("{}", &format!(r#"{{"x":{deep}}}"#));
        assert_eq!(row(&[], &call), Some(("query", "7".to_owned())));
        let halves = CALL.replace("{}", r#"{"\ud800":"\udfff"}"#);
        assert_eq!(row(&[], &halves), Some(("query", "7".to_owned())));
        let named = CALL.replace("\"query\"", r#""qu\u0065ry""#);
        assert_eq!(verb(&[], &named), Some("query"));
        let doubled = CALL.replace("\"id\":7", "\"id\":7,\"id\":8");
        assert_eq!(row(&[], &doubled), Some(("query", String::new())));
    }

    #[test]
    fn r043_the_headers_tell_what_the_body_does_not() {
        let list = (METHOD_HEADER, "tools/list");
        let call = (METHOD_HEADER, "tools/call");
        let schema = (NAME_HEADER, "get_schema");
        let nameless = CALL.replace("\"name\":\"query\",", "");
        for (pairs, body, expected) in [
            (&[][..], "{}", Some("tools/call")),
            (&[call], "{}", Some("tools/call")),
            (&[call, schema], "7", Some("get_schema")),
            (&[schema], "[]", Some("get_schema")),
            (&[list], "{}", None),
            (&[list, schema], CALL, Some("query")),
            (&[schema], nameless.as_str(), Some("get_schema")),
            (&[call], r#"{"method":"ping"}"#, None),
            (&[call], r#"{"id":1,"result":{}}"#, None),
        ] {
            assert_eq!(verb(pairs, body), expected, "{pairs:?} {body}");
        }
        for (pairs, expected) in [
            (&[][..], Some("tools/call")),
            (&[call, schema], Some("get_schema")),
            (&[list], None),
            (&[(METHOD_HEADER, "ping")], None),
        ] {
            let unread = call_of(&headers(pairs), None);
            let verb = unread.map(|call| call.verb());
            assert_eq!(verb, expected, "{pairs:?}");
        }
    }

    #[test]
    fn r043_what_stands_twice_is_told_if_it_says_the_same() {
        let twice = |from: &str, to: &str| verb(&[], &CALL.replace(from, to));
        let name = r#""name":"query""#;
        assert_eq!(
            twice(name, r#""name":"query","name":"query""#),
            Some("query")
        );
        assert_eq!(
            twice(name, r#""name":"query","name":"get_schema""#),
            Some("tools/call")
        );
        assert_eq!(twice(name, r#""name":["query"]"#), Some("tools/call"));
        assert_eq!(twice(name, r#""name":"drop_tables""#), Some("tools/call"));
        let method = r#""method":"tools/call""#;
        let ping = r#""method":"tools/call","method":"ping""#;
        assert_eq!(twice(method, ping), Some("query"));
    }

    #[test]
    fn r043_a_batch_is_one_call_if_any_of_it_is_one() {
        let list = r#"{"id":1,"method":"tools/list","params":{"name":"get_schema"}}"#;
        for (batch, expected) in [
            (format!("[{CALL}]"), Some("query")),
            (format!(" [{CALL},{CALL},{list}]"), Some("query")),
            (
                format!("[{CALL},{}]", CALL.replace("query", "get_record")),
                Some("tools/call"),
            ),
            (format!("[{list},{list}]"), None),
            (format!("[{list},1]"), None),
            ("[1]".to_owned(), Some("tools/call")),
        ] {
            let told = row(&[], &batch);
            assert_eq!(told.map(|(verb, _)| verb), expected, "{batch}");
        }
    }

    #[test]
    fn what_is_no_json_or_not_whole_is_no_call() {
        let call = [(METHOD_HEADER, "tools/call")];
        let half = &CALL[..CALL.len() / 2];
        let deep = "[".repeat(200_000);
        for body in ["", "  ", "NaN", half, &CALL.repeat(2), &deep] {
            assert_eq!(verb(&call, body), None);
        }
        assert!(call_of(&headers(&call), Some(b"{\"a\":\"\xff\"}")).is_none());
    }
}
