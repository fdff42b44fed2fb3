//! Narrows a query that took too long.

use serde_json::{Map, Value, json};

use crate::catalog::Table;
use crate::query::column;

/// Arguments that ask for more than the rows, or that belong to the `where` of before.
const BESIDE: [&str; 3] = ["count", "cursor", "changed_since"];
/// How far back the narrowed query goes: of a query that named no time, and of one that did.
const RECENT: &str = "today-30d";
const MORE_RECENT: &str = "today-7d";
/// The rows of a narrowed query to a table that is not ordered by time.
const ROWS_MAX: u64 = 10;

/// The agent's own call for a shorter time and for the rows alone; for few rows where the table is not ordered by time.
pub(crate) fn narrower(table: &Table, arguments: &Value) -> Option<Value> {
    let mut call = arguments.as_object()?.clone();
    for name in BESIDE {
        call.remove(name);
    }
    match column::main_time(table) {
        Some(time) => shorten(&mut call, time.name),
        None => {
            call.insert("limit".to_owned(), ROWS_MAX.into());
        }
    }
    Some(Value::Object(call))
}

fn shorten(call: &mut Map<String, Value>, time: &str) {
    let filter = call.remove("where").filter(|filter| !filter.is_null());
    let recent = |since| json!({ time: { "gte": since } });
    let shorter = match filter {
        None => recent(RECENT),
        Some(filter) if names(&filter, time) => json!({ "and": [filter, recent(MORE_RECENT)] }),
        Some(filter) => json!({ "and": [filter, recent(RECENT)] }),
    };
    call.insert("where".to_owned(), shorter);
}

/// Whether there is a condition on `field` anywhere in a `where`.
fn names(filter: &Value, field: &str) -> bool {
    match filter {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| name == field || names(value, field)),
        Value::Array(items) => items.iter().any(|item| names(item, field)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    fn narrowed(call: Value) -> Value {
        let table = catalog::by_target(call["target"].as_str().unwrap()).unwrap();
        narrower(table, &call).unwrap()
    }

    #[test]
    fn a_call_goes_less_far_back_and_leaves_out_what_stands_beside_its_rows() {
        let call =
            json!({"target": "finance.transactions", "count": true, "cursor": "x", "limit": 500});
        let expected = json!({"target": "finance.transactions", "limit": 500,
            "where": {"booked_on": {"gte": "today-30d"}}});
        assert_eq!(narrowed(call), expected);
        let asked = json!({"amount": {"lt": 0}});
        let call = json!({"target": "finance.transactions", "where": asked});
        let expected = json!({"and": [asked, {"booked_on": {"gte": "today-30d"}}]});
        assert_eq!(narrowed(call)["where"], expected);
    }

    #[test]
    fn a_call_that_named_a_time_goes_back_a_week_and_one_that_can_name_none_has_few_rows() {
        let asked = json!({"or": [{"booked_on": {"gte": "today-90d"}}, {"amount": 1}]});
        let call = json!({"target": "finance.transactions", "where": asked});
        let expected = json!({"and": [asked, {"booked_on": {"gte": "today-7d"}}]});
        assert_eq!(narrowed(call)["where"], expected);
        let call = narrowed(json!({"target": "contacts.people"}));
        assert_eq!(call, json!({"target": "contacts.people", "limit": 10}));
    }
}
