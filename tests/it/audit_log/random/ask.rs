//! A call of a tool: what is sent, and the result for an agent with all rights.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::model::SECTORS;
use crate::audit_log::redaction::junk;
use crate::query::chance::Chance;

pub const TARGETS: [&str; 2] = ["finance.transactions", "contacts.groups"];
const TOOLS: [&str; 7] = [
    "describe_context",
    "get_schema",
    "query",
    "get_record",
    "fetch_live",
    "list_actions",
    "invoke_action",
];
/// Names that agents might take for a sector.
const WORDS: [&str; 8] = [
    "travel.trips",
    "Finance.transactions",
    "",
    " home",
    "public.audit_log",
    "abcdefghijklmnopqrstuvwx.y",
    "abcdefghijklmnopqrstuvwxy.z",
    "hôme",
];
const NO_ID: &str = "7d444840-9dc0-11d1-b245-5ffdce74fad2";

/// The result of a call if nothing prevents it.
#[derive(Clone, Debug)]
pub enum Wish {
    Fails,
    Counted(usize),
    Context,
    Schema,
    Rows(&'static str, Option<usize>),
    Fetched,
    FetchedRows(&'static str, Option<usize>),
}

#[derive(Clone, Debug)]
pub struct Ask {
    pub tool: &'static str,
    pub arguments: Value,
    pub wish: Wish,
}

impl Ask {
    /// Any call.
    pub fn any(chance: &mut Chance) -> Self {
        let tool = *chance.one_of(&TOOLS);
        let mut ask = match chance.below(10) {
            0 => Self::of("drop_tables", json!({ "target": "home" }), Wish::Fails),
            1 => Self::of(tool, json!({ "nonsense": 1 }), Wish::Fails),
            2 if tool != "describe_context" => Self::astray(tool, chance),
            _ => Self::sensible(tool, chance),
        };
        if chance.is(15) {
            // No tool has such an argument, so the call fails; but its row has the whole of it.
            ask.arguments["note"] = junk(chance);
            ask.wish = Wish::Fails;
        }
        ask
    }

    /// Calls by an agent that has `home`: denied, redacted and truncated ones among them.
    pub fn of_every_kind() -> [Self; 5] {
        let long = "x".repeat(5_000);
        [
            json!({ "target": "finance.accounts" }),
            json!({ "target": "public.audit_log" }),
            json!({ "target": "Home" }),
            json!({ "target": "home", "apiToken": "x" }),
            json!({ "target": "home", "note": long }),
        ]
        .map(|arguments| Self::of("list_actions", arguments, Wish::Fails))
    }

    /// A call that needs no database, whoever makes it.
    pub fn without_database(chance: &mut Chance) -> Self {
        loop {
            let ask = Self::any(chance);
            let everything = SECTORS.map(str::to_owned);
            if !ask.reads(&BTreeSet::from(everything)) {
                return ask;
            }
        }
    }

    /// A live fetch, which the operator may make too.
    pub fn fetch(chance: &mut Chance) -> Self {
        match chance.below(4) {
            0 => Self::astray("fetch_live", chance),
            _ => Self::sensible("fetch_live", chance),
        }
    }

    fn of(tool: &'static str, arguments: Value, wish: Wish) -> Self {
        Self {
            tool,
            arguments,
            wish,
        }
    }

    fn astray(tool: &'static str, chance: &mut Chance) -> Self {
        let aimed = aiming(tool);
        Self::of(tool, json!({ aimed: chance.one_of(&WORDS) }), Wish::Fails)
    }

    fn sensible(tool: &'static str, chance: &mut Chance) -> Self {
        let sector = *chance.one_of(&SECTORS);
        let target = *chance.one_of(&TARGETS);
        let limit = chance.is(50).then(|| 1 + chance.index(8));
        let mut rows = json!({ "target": target, "select": ["id"] });
        if let Some(limit) = limit {
            rows["limit"] = json!(limit);
        }
        let (arguments, wish) = match tool {
            "describe_context" => (json!({}), Wish::Context),
            "get_schema" => match chance.below(3) {
                0 => (json!({ "target": sector }), Wish::Schema),
                1 => (json!({ "target": target }), Wish::Counted(1)),
                _ => (json!({}), Wish::Schema),
            },
            "query" => match chance.below(6) {
                0 => (
                    json!({ "target": format!("{sector}.nothing") }),
                    Wish::Fails,
                ),
                1 => (
                    json!({ "target": target, "where": { "id": { "gt": [] } } }),
                    Wish::Fails,
                ),
                _ => (rows, Wish::Rows(target, limit)),
            },
            "get_record" => match chance.below(3) {
                0 => (json!({ "target": target, "id": "x" }), Wish::Fails),
                _ => (json!({ "target": target, "id": NO_ID }), Wish::Counted(0)),
            },
            "fetch_live" => match chance.below(4) {
                0 => (json!({ "target": sector, "timeout_s": 61 }), Wish::Fails),
                1 => (json!({ "target": sector }), Wish::Fetched),
                _ => (rows, Wish::FetchedRows(target, limit)),
            },
            "list_actions" => match chance.below(2) {
                0 => (json!({}), Wish::Counted(0)),
                _ => (json!({ "target": sector }), Wish::Counted(0)),
            },
            _ => {
                let action = format!("{sector}.light.turn_on");
                (json!({ "action": action, "params": {} }), Wish::Fails)
            }
        };
        Self::of(tool, arguments, wish)
    }

    /// The argument whose first component names the sector.
    pub fn aim(&self) -> Option<&str> {
        let is_tool = TOOLS.contains(&self.tool) && self.tool != "describe_context";
        let aim = is_tool.then(|| self.arguments.get(aiming(self.tool)))?;
        aim?.as_str()
    }

    /// The call's verb in the audit log.
    pub fn verb(&self) -> &'static str {
        let is_tool = TOOLS.contains(&self.tool);
        if is_tool { self.tool } else { "tools/call" }
    }

    pub fn is_mirrored(&self) -> bool {
        TOOLS[..5].contains(&self.tool)
    }

    /// Whether an agent with this grant gets an answer from the database.
    pub fn reads(&self, granted: &BTreeSet<String>) -> bool {
        match self.wish {
            Wish::Fails => false,
            Wish::Context | Wish::Schema => !granted.is_empty(),
            Wish::Counted(_) => self.tool != "list_actions",
            Wish::Rows(..) | Wish::Fetched | Wish::FetchedRows(..) => true,
        }
    }
}

fn aiming(tool: &str) -> &'static str {
    match tool {
        "invoke_action" => "action",
        _ => "target",
    }
}
