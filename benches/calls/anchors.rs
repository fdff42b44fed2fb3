//! The anchors: the queries that are measured, as calls of the tool and as SQL for PostgreSQL.

use serde_json::{Value, json};
use sextant::query::check::{CheckedQuery, check_query};
use sextant::query::compile::{self, Statement};
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant_actors::domain::OPERATOR;

use super::data::{account, transaction, word};

/// Each is made with this many different arguments in turn.
pub const VARIANTS: usize = 4;
/// Accounts whose year is summed up at once.
const ACCOUNTS_OF_A_YEAR: usize = 10;
/// Of that year.
const FIRST_DAY: &str = "2025-11-01";

/// The present time of the queries.
pub const TIME: LocalTime = LocalTime {
    now: chrono::DateTime::UNIX_EPOCH,
    zone: chrono_tz::UTC,
};

/// One query.
pub struct Anchor {
    pub name: &'static str,
    /// Rows that every answer has.
    pub rows: usize,
    arguments: fn(usize) -> Value,
}

pub const ANCHORS: [Anchor; 5] = [
    Anchor {
        name: "Q1",
        rows: 50,
        arguments: last_of_an_account,
    },
    Anchor {
        name: "Q2",
        rows: 144,
        arguments: a_year_by_category_and_month,
    },
    Anchor {
        name: "Q2m",
        rows: 144,
        arguments: a_year_of_whole_months,
    },
    Anchor {
        name: "Q3",
        rows: 20,
        arguments: newest_with_a_word,
    },
    Anchor {
        name: "Q4",
        rows: 1,
        arguments: one_row,
    },
];

fn last_of_an_account(variant: usize) -> Value {
    json!({
        "target": "finance.transactions",
        "select": [
            "id", "booked_on", "transacted_at", "amount", "currency", "description",
            "counterparty_name", "merchant_name", "category", "balance_after",
        ],
        "where": {"account_id": account(variant)},
        "limit": 50,
    })
}

/// The same, with a condition for which no monthly sums exist: about 20,000 rows are read.
fn a_year_by_category_and_month(variant: usize) -> Value {
    let mut arguments = a_year_of_whole_months(variant);
    if let Some(filter) = arguments.get_mut("where") {
        filter["value_on"] = json!({"gte": FIRST_DAY});
    }
    arguments
}

/// The service answers it from the monthly sums that its database keeps.
fn a_year_of_whole_months(variant: usize) -> Value {
    let accounts = variant * ACCOUNTS_OF_A_YEAR..(variant + 1) * ACCOUNTS_OF_A_YEAR;
    json!({
        "target": "finance.transactions",
        "where": {
            "account_id": accounts.map(account).collect::<Vec<_>>(),
            "currency": "EUR",
            "booked_on": {"gte": FIRST_DAY},
        },
        "group_by": ["category", "booked_on:month"],
        "aggregate": {"total": "sum(amount)"},
        "limit": 200,
    })
}

fn newest_with_a_word(variant: usize) -> Value {
    json!({
        "target": "mail.messages",
        "select": ["id", "received_at", "from_name", "from_email", "subject", "preview"],
        "search": word(variant),
        "limit": 20,
    })
}

fn one_row(variant: usize) -> Value {
    json!({
        "target": "finance.transactions",
        "select": ["id", "booked_on", "amount", "currency", "description", "category"],
        "where": {"id": transaction(variant)},
        "limit": 1,
    })
}

impl Anchor {
    /// The arguments of `query`.
    pub fn arguments(&self, variant: usize) -> Value {
        (self.arguments)(variant)
    }

    /// The query as the service checks it.
    pub fn question(&self, variant: usize) -> CheckedQuery {
        let request = Request::parse(&self.arguments(variant)).unwrap();
        check_query(&request, OPERATOR, &TIME).unwrap()
    }

    /// The SQL for the other servers: on the table's own rows, since none of them has monthly sums.
    pub fn statement(&self, variant: usize) -> Statement {
        match self.question(variant) {
            CheckedQuery::Groups(groups) => {
                compile::groups_of_rows(&groups, groups.budget.text_chars(true))
            }
            rows => compiled(&rows),
        }
    }
}

/// The SQL that the service sends for a query.
pub fn compiled(question: &CheckedQuery) -> Statement {
    match question {
        CheckedQuery::Rows(rows) => compile::rows(rows, rows.budget.text_chars(rows.is_selected)),
        CheckedQuery::Groups(groups) => compile::groups(groups, groups.budget.text_chars(true)),
    }
}

/// A bound value, as JSON.
pub fn value(param: &Param) -> Value {
    match param {
        Param::Id(id) => id.to_string().into(),
        Param::Text(text) => text.as_str().into(),
        Param::Integer(number) => (*number).into(),
        Param::Date(day) => day.to_string().into(),
        Param::Ids(ids) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            format!("{{{}}}", ids.join(",")).into()
        }
        other => panic!("no anchor binds {other:?}"),
    }
}
