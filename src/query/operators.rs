//! The operators of a condition, as agents write them.

/// Every operator that a condition may have.
pub(crate) const OPERATORS: &[&str] = &[
    "eq",
    "ne",
    "lt",
    "lte",
    "gt",
    "gte",
    "in",
    "not_in",
    "contains",
    "starts_with",
    "is_null",
];

/// The operator that `word` stands for, by its own name or by its name in another query language.
pub(crate) fn operator(word: &str) -> Option<&'static str> {
    let plain = word.trim_start_matches('$').to_lowercase();
    let canonical = match plain.as_str() {
        "=" | "==" | "equals" | "equal" | "is" => "eq",
        "!=" | "<>" | "neq" | "not" | "not_eq" | "not_equals" => "ne",
        "<" | "less" | "less_than" | "before" => "lt",
        "<=" | "le" | "less_than_or_equal" | "until" => "lte",
        ">" | "greater" | "greater_than" | "more" | "after" => "gt",
        ">=" | "ge" | "greater_than_or_equal" | "since" => "gte",
        "any_of" | "one_of" => "in",
        "nin" | "notin" | "none_of" => "not_in",
        "like" | "ilike" | "includes" | "icontains" | "matches" | "has" => "contains",
        "startswith" | "prefix" | "begins_with" => "starts_with",
        "isnull" | "null" | "missing" => "is_null",
        other => other,
    };
    OPERATORS.iter().copied().find(|known| *known == canonical)
}
