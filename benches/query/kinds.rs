//! The queries: one of each kind that costs differently.

use serde_json::{Value, json};

use super::data::SOME_ID;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Page,
    Time,
    Search,
    Months,
    Categories,
    Count,
    Changes,
    Record,
    Schema,
    Schemas,
    Context,
}

impl Kind {
    pub const ALL: [Self; 11] = [
        Self::Page,
        Self::Time,
        Self::Search,
        Self::Months,
        Self::Categories,
        Self::Count,
        Self::Changes,
        Self::Record,
        Self::Schema,
        Self::Schemas,
        Self::Context,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Page => "a page behind a key",
            Self::Time => "a filter on time",
            Self::Search => "full text",
            Self::Months => "groups by month",
            Self::Categories => "a sum for each category",
            Self::Count => "a count",
            Self::Changes => "what changed since",
            Self::Record => "one record",
            Self::Schema => "a table's schema",
            Self::Schemas => "every table's schema",
            Self::Context => "the context",
        }
    }

    pub const fn tool(self) -> &'static str {
        match self {
            Self::Record => "get_record",
            Self::Schema | Self::Schemas => "get_schema",
            Self::Context => "describe_context",
            _ => "query",
        }
    }

    pub const fn target(self) -> &'static str {
        match self {
            Self::Search => "mail.messages",
            _ => "finance.transactions",
        }
    }

    /// The arguments of a call; `since` is a change cursor.
    pub fn arguments(self, since: &Value) -> Value {
        let target = self.target();
        let fields = ["booked_on", "amount", "merchant_name", "category"];
        match self {
            // In the middle; what is measured is the page after its first.
            Self::Page => json!({"target": target, "select": fields,
                "where": {"booked_on": {"lte": "2025-12-31"}}, "order_by": ["-booked_on"]}),
            Self::Time => json!({"target": target, "select": fields,
                "where": {"booked_on": {"gte": "2025-06-01", "lt": "2025-06-08"}}}),
            Self::Search => json!({"target": target, "select": ["subject", "received_at"],
                "search": "dentist -cancelled", "limit": 20}),
            Self::Months => json!({"target": target, "group_by": ["booked_on:month"],
                "aggregate": {"n": "count"}}),
            Self::Categories => json!({"target": target, "group_by": ["category"],
                "aggregate": {"spent": "sum(amount)"}, "order_by": ["spent"]}),
            Self::Count => json!({"target": target, "where": {"amount": {"lt": 0}},
                "aggregate": {"n": "count"}}),
            Self::Changes => {
                json!({"target": target, "select": ["id", "amount"], "changed_since": since})
            }
            Self::Record => json!({"target": target, "id": SOME_ID}),
            Self::Schema => json!({"target": target}),
            Self::Schemas | Self::Context => json!({}),
        }
    }
}
