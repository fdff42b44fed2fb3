//! The anchors: what is asked, of the tool and of PostgreSQL.

use serde_json::{Value, json};
use sextant::query::check::check;
use sextant::query::compile::{self, Statement};
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant_actors::domain::OPERATOR;

use super::data::{account, transaction, word};

/// Each is asked for so many different things, in turn.
pub const VARIANTS: usize = 4;

/// One question.
pub struct Anchor {
    pub name: &'static str,
    /// Rows that every answer has.
    pub rows: usize,
    arguments: fn(usize) -> Value,
}

pub const ANCHORS: [Anchor; 3] = [
    Anchor {
        name: "Q1",
        rows: 50,
        arguments: last_of_an_account,
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

    /// What the service sends for them.
    pub fn statement(&self, variant: usize) -> Statement {
        let request = Request::parse(&self.arguments(variant)).unwrap();
        let time = LocalTime {
            now: chrono::DateTime::UNIX_EPOCH,
            zone: chrono_tz::UTC,
        };
        let checked = check(&request, OPERATOR, &time).unwrap();
        compile::rows(&checked, checked.budget.text_chars(checked.is_selected))
    }
}

/// A bound value, as JSON.
pub fn value(param: &Param) -> Value {
    match param {
        Param::Id(id) => id.to_string().into(),
        Param::Text(text) => text.as_str().into(),
        Param::Integer(number) => (*number).into(),
        other => panic!("no anchor binds {other:?}"),
    }
}
