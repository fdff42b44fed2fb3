//! The JSON Schemas of the tools' answers for the OpenAPI document (docs/asking.md#answers).

use serde_json::{Value, json};

use super::schema::{
    any, count, flag, id, joined, list, map, object, one_of, or_null, sector, stamp, text,
};

/// `describe_context`.
pub(crate) fn context() -> Value {
    let connection = object([
        ("label", text()),
        ("state", text()),
        ("as_of", or_null(stamp())),
        ("covers_from", or_null(stamp())),
        ("ends_at?", stamp()),
        ("sample?", flag()),
        ("problem?", any()),
    ]);
    let freshness = object([("connections", list(connection)), ("targets", list(text()))]);
    object([
        ("sectors", list(sector())),
        ("now", stamp()),
        ("timezone", text()),
        (
            "agent",
            object([("name", text()), ("expires_at", or_null(stamp()))]),
        ),
        ("freshness", map(freshness)),
    ])
}

/// `get_schema`.
pub(crate) fn schema() -> Value {
    let field = object([
        ("type", text()),
        ("unit?", text()),
        ("values?", list(text())),
        ("more_values?", count()),
        ("untrusted?", flag()),
        ("searchable?", flag()),
    ]);
    let table = object([
        ("target", text()),
        ("about", text()),
        ("rows", count()),
        (
            "covers?",
            list(json!({ "type": "string", "format": "date" })),
        ),
        ("fields", map(field)),
        ("joins?", map(text())),
        ("examples", list(json!({ "type": "object" }))),
    ]);
    object([("every_record", map(text())), ("tables", list(table))])
}

/// `query`.
pub(crate) fn query() -> Value {
    let row = json!({ "anyOf": [{ "type": "array" }, { "type": "object" }] });
    object([
        ("target", text()),
        ("columns", list(text())),
        ("rows", list(row)),
        ("returned", count()),
        ("deleted?", list(id())),
        ("matched?", count()),
        ("next_cursor", or_null(text())),
        ("change_cursor?", text()),
        ("as_of", or_null(stamp())),
        ("sources", sources()),
        ("untrusted", list(text())),
        ("empty?", empty()),
        ("notes?", list(text())),
    ])
}

/// `get_record` of a record that is there.
pub(crate) fn record() -> Value {
    let behind = object([
        ("id", id()),
        ("connection", text()),
        ("source_id", text()),
        ("because", text()),
        ("raw", any()),
    ]);
    object([
        ("behind?", list(behind)),
        ("target", text()),
        ("record", map(any())),
        ("untrusted", list(text())),
        ("sources", sources()),
        ("notes?", list(text())),
    ])
}

/// `get_record`.
pub(crate) fn record_or_none() -> Value {
    let none = object([
        ("target", text()),
        ("record", json!({ "type": "null" })),
        ("sources", sources()),
        ("empty", empty()),
        ("notes?", list(text())),
    ]);
    json!({ "anyOf": [record(), none] })
}

/// `fetch_live`: as `query`, or of a bare sector without rows.
pub(crate) fn live() -> Value {
    let fetched = list(object([
        ("connection", text()),
        ("outcome", text()),
        ("upserted", count()),
        ("deleted", count()),
        ("message", text()),
    ]));
    let rows = joined(query(), object([("fetched", fetched.clone())]));
    let bare = object([
        ("target", sector()),
        ("fetched", fetched),
        ("sources", sources()),
        ("notes?", list(text())),
    ]);
    json!({ "anyOf": [rows, bare] })
}

/// What a preview shows: the answer of any tool that only reads.
pub(crate) fn preview() -> Value {
    let actions = object([("actions", list(any())), ("notes?", list(text()))]);
    json!({ "anyOf": [context(), schema(), query(), record_or_none(), actions] })
}

fn sources() -> Value {
    list(object([
        ("connection", text()),
        ("state", text()),
        ("as_of", or_null(stamp())),
        ("stale", flag()),
        ("ends_at?", stamp()),
        ("sample?", flag()),
    ]))
}

fn empty() -> Value {
    let reasons = [
        "no_match",
        "no_connection",
        "never_synced",
        "paused",
        "needs_sign_in",
        "outside_window",
    ];
    object([("reason", one_of(&reasons)), ("hint", text())])
}
