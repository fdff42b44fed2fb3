//! The JSON Schemas (2020-12) of the tools' arguments, for every surface that describes them; names and bounds are those
//! of docs/asking.md#tools.

use serde_json::{Map, Value, json};

/// No arguments.
pub(crate) fn none() -> Map<String, Value> {
    closed(Map::new(), &[])
}

/// Those of `get_schema`.
pub(crate) fn get_schema() -> Map<String, Value> {
    closed(
        fields(
            json!({ "target": target("A sector or sector.table; all granted sectors when left out.") }),
        ),
        &[],
    )
}

/// Those of `query`.
pub(crate) fn query() -> Map<String, Value> {
    closed(query_fields(), &["target"])
}

/// Those of `get_record`.
pub(crate) fn get_record() -> Map<String, Value> {
    let arguments = json!({
        "target": target("The sector.table that holds the record."),
        "id": { "type": "string", "description": "The record's id." },
        "raw": { "type": "boolean", "default": false, "description": "Add what the source sent beyond the table's fields." },
        "field": { "type": "string", "description": "This field alone." },
        "from": { "type": "integer", "minimum": 0, "description": "Where to read on in the text of field, in bytes, as the mark of a cut text says." },
    });
    closed(fields(arguments), &["target", "id"])
}

/// Those of `fetch_live`: the query's own, and how long the sources may take.
pub(crate) fn fetch_live() -> Map<String, Value> {
    let mut arguments = query_fields();
    arguments.insert(
        "target".to_owned(),
        target("A sector.table, or a sector to fetch without rows."),
    );
    arguments.extend(fields(json!({
        "timeout_s": { "type": "integer", "minimum": 1, "maximum": 60, "description": "How long to wait for the sources, in seconds." },
    })));
    closed(arguments, &["target"])
}

/// Those of `list_actions`.
pub(crate) fn list_actions() -> Map<String, Value> {
    closed(
        fields(
            json!({ "target": target("home, home.light or one action's name: only those; all when left out.") }),
        ),
        &[],
    )
}

/// Those of `invoke_action`.
pub(crate) fn invoke_action() -> Map<String, Value> {
    let arguments = json!({
        "action": { "type": "string", "description": "An action's name, as list_actions gives it." },
        "params": { "type": "object", "description": "The action's parameters, by its own schema." },
        "connection": { "type": "string", "description": "The home's label, where several have the action." },
    });
    closed(fields(arguments), &["action", "params"])
}

fn query_fields() -> Map<String, Value> {
    let string = json!({ "type": "string" });
    fields(json!({
        "target": target("The sector.table to read."),
        "select": { "type": "array", "items": string, "description": "The fields to answer; the table's usual ones when left out." },
        "where": { "type": "object", "description": "Conditions by field, joined by and." },
        "search": { "type": "string", "description": "Full text: words, \"a phrase\", or, -without." },
        "group_by": { "type": "array", "items": string, "description": "Fields or buckets such as booked_on:month: groups instead of rows." },
        "aggregate": { "type": "object", "additionalProperties": string, "description": "Names and functions, such as {\"spent\": \"sum(amount)\"}." },
        "order_by": { "type": "array", "items": string, "description": "Fields, or keys and aggregates of groups, - in front for descending." },
        "limit": { "type": "integer", "minimum": 1, "maximum": 1000, "description": "Rows a page, 50 when left out; groups, 1000." },
        "cursor": { "type": "string", "description": "next_cursor of the page before, with the same query." },
        "count": { "type": "boolean", "default": false, "description": "Add matched, the exact number of rows that match." },
        "changed_since": { "type": "string", "description": "change_cursor of an earlier answer to the same query: only what changed since." },
        "budget": { "type": "integer", "minimum": 500, "maximum": 25000, "default": 8000, "description": "Longest answer, in tokens." },
        "format": { "type": "string", "enum": ["rows", "records"], "default": "rows", "description": "Rows as arrays, or as objects." },
    }))
}

fn target(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// An object of exactly these arguments.
fn closed(properties: Map<String, Value>, required: &[&str]) -> Map<String, Value> {
    let mut schema = fields(json!({ "type": "object", "additionalProperties": false }));
    if !properties.is_empty() {
        schema.insert("properties".to_owned(), Value::Object(properties));
    }
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}
