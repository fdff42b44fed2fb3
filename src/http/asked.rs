//! The JSON Schemas of what the tools are asked, as the routes tell of them: those of the tools (docs/asking.md#tools), with the tables
//! that there are, and calls that run as they stand.

use serde_json::{Value, json};
use sextant_actors::domain::Sector;

use crate::calls::arguments;
use crate::catalog::{self, Table};

/// `get_schema`.
pub(crate) fn schema() -> Value {
    told(
        arguments::get_schema().into(),
        sectors_and_tables(),
        &[json!({ "target": "finance" })],
    )
}

/// `query`.
pub(crate) fn query() -> Value {
    told(arguments::query().into(), tables(), &queries())
}

/// `query` of a sector that is known: its tables may be named without it.
pub(crate) fn query_of_a_sector() -> Value {
    let bare = catalog::tables().map(|table| table.name.to_owned());
    let targets = tables().into_iter().chain(bare).collect();
    told(arguments::query().into(), targets, &queries())
}

/// `get_record`.
pub(crate) fn record() -> Value {
    let id = "6f1c1b8e-0c0e-5f6e-9a59-0d2d6a1f3c11";
    let calls = [
        json!({ "target": "mail.messages", "id": id }),
        json!({ "target": "mail.messages", "id": id, "field": "body_text", "from": 1_000_000 }),
    ];
    told(arguments::get_record().into(), sectors_and_tables(), &calls)
}

/// `fetch_live`.
pub(crate) fn live() -> Value {
    let calls = [
        json!({ "target": "calendar" }),
        json!({ "target": "calendar.events", "where": { "start_at": { "gte": "now" } }, "timeout_s": 20 }),
    ];
    told(arguments::fetch_live().into(), sectors_and_tables(), &calls)
}

fn queries() -> [Value; 6] {
    [
        json!({ "target": "finance.transactions", "where": { "amount": { "lt": 0 }, "booked_on": { "gte": "today-90d" } }, "order_by": ["amount"], "limit": 20, "count": true }),
        json!({ "target": "finance.transactions", "group_by": ["category", "booked_on:month"], "aggregate": { "spent": "sum(amount)", "n": "count" } }),
        json!({ "target": "mail.messages", "search": "invoice", "select": ["subject", "body_text"], "budget": 2000 }),
        json!({ "target": "calendar.events", "where": { "start_at": { "gte": "today" } }, "format": "records" }),
        json!({ "target": "contacts.people", "where": { "or": [{ "birthday_month": { "is_null": false } }, { "not": { "full_name": { "contains": "a" } } }] } }),
        json!({ "target": "health.days", "select": ["day", "steps"], "order_by": ["-day"], "limit": 7 }),
    ]
}

fn tables() -> Vec<String> {
    catalog::tables().map(Table::target).collect()
}

fn sectors_and_tables() -> Vec<String> {
    let sectors = Sector::ALL.map(|sector| sector.name().to_owned());
    sectors.into_iter().chain(tables()).collect()
}

fn told(mut schema: Value, mut targets: Vec<String>, calls: &[Value]) -> Value {
    targets.sort();
    targets.dedup();
    if let Some(target) = schema
        .pointer_mut("/properties/target")
        .and_then(Value::as_object_mut)
    {
        target.insert("enum".to_owned(), json!(targets));
    }
    if let Some(members) = schema.as_object_mut() {
        members.insert("examples".to_owned(), json!(calls));
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::request::Request;

    #[test]
    fn the_examples_can_be_read_and_name_what_there_is() {
        for call in queries() {
            let request = Request::parse(&call).unwrap();
            assert!(catalog::by_target(&request.target).is_some(), "{call}");
        }
        for schema in [schema(), query(), query_of_a_sector(), record(), live()] {
            let targets = schema["properties"]["target"]["enum"].as_array().unwrap();
            for call in schema["examples"].as_array().unwrap() {
                assert!(targets.contains(&call["target"]), "{call}");
            }
        }
    }
}
