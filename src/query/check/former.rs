//! A note for a field that is named as it was called before, where that name now means another field: no fault would show it.

use serde_json::Value;

use crate::catalog::Table;
use crate::query::column::Column;
use crate::query::request::Request;

/// The note for a request that names a field by its former name and not by its present one, where every record has another
/// column of the former name.
pub(super) fn note(table: &Table, request: &Request) -> Option<String> {
    let mut fields = table.fields.iter();
    let (former, present) = fields.find_map(|field| {
        let former = field.formerly?;
        let is_named = names(request, former) && !names(request, field.name);
        (is_named && Column::find(table, former).is_some()).then_some((former, field.name))
    })?;
    let target = table.target();
    Some(format!(
        "`{former}` is when a row was stored here; what {target} called so is `{present}` now"
    ))
}

/// Whether the request names `field` anywhere.
fn names(request: &Request, field: &str) -> bool {
    let lists = [&request.select, &request.group_by];
    let lists = lists.into_iter().flatten().flatten();
    let mut words = lists.chain(&request.order_by);
    let mut conditions = request.filter.iter().flatten();
    words.any(|word| is_of(word, field))
        || conditions.any(|(name, value)| name == field || has(value, field))
}

/// `-field`, `field` or `field:bucket`.
fn is_of(word: &str, field: &str) -> bool {
    let name = word.trim_start_matches('-').split(':').next();
    name == Some(field)
}

/// Whether a condition, however deep, is on `field`. The depth is bounded by the JSON parser's own limit.
fn has(filter: &Value, field: &str) -> bool {
    match filter {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| name == field || has(value, field)),
        Value::Array(values) => values.iter().any(|value| has(value, field)),
        _ => false,
    }
}
