//! Valid calls, and the mistakes that agents make in them.

use serde_json::{Map, Value, json};
use sextant::catalog;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Field,
    Table,
    Operator,
    EnumValue,
    Time,
    Cursor,
    Type,
    Nesting,
    Argument,
    Bucket,
    Aggregate,
    Order,
}

pub const KINDS: [Kind; 12] = [
    Kind::Field,
    Kind::Table,
    Kind::Operator,
    Kind::EnumValue,
    Kind::Time,
    Kind::Cursor,
    Kind::Type,
    Kind::Nesting,
    Kind::Argument,
    Kind::Bucket,
    Kind::Aggregate,
    Kind::Order,
];

const OPERATORS: [&str; 11] = [
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
const OTHER_OPERATORS: [&str; 14] = [
    "$lt",
    "<",
    ">=",
    "=",
    "!=",
    "less_than",
    "greater_than",
    "equals",
    "like",
    "regex",
    "before",
    "after",
    "between",
    "within",
];
const OTHER_TIMES: [&str; 22] = [
    "yesterday",
    "last week",
    "last month",
    "30 days ago",
    "this year",
    "2026-02-30",
    "2026-13-01",
    "2026/01/31",
    "01/31/2026",
    "31.01.2026",
    "Jan 31, 2026",
    "2026-01-31T08:00:00",
    "2026-01",
    "today-30",
    "today - 7d",
    "now-15m",
    "now-1month",
    "-7d",
    "7d",
    "soon",
    "current_date",
    "1 week",
];
const OTHER_BUCKETS: [&str; 8] = [
    "monthly",
    "daily",
    "fortnight",
    "dow",
    "mnth",
    "minute",
    "weeks",
    "date",
];

/// Valid calls: every argument and every part of the language is in one of them.
pub fn right() -> Vec<Value> {
    vec![
        json!({"target": "finance.transactions", "select": ["booked_on", "amount", "merchant_name"],
            "where": {"amount": {"lt": 0}, "booked_on": {"gte": "today-90d"}},
            "order_by": ["-booked_on", "amount"], "limit": 20, "count": true}),
        json!({"target": "finance.transactions", "limit": 5, "budget": 2000,
            "where": {"status": "posted", "or": [{"category": "groceries"}, {"description": {"contains": "market"}}]}}),
        json!({"target": "finance.transactions", "group_by": ["category", "booked_on:month"], "order_by": ["-spent"],
            "where": {"amount": {"lt": 0}, "status": {"in": ["posted", "pending"]}},
            "aggregate": {"spent": "sum(amount)", "n": "count"}}),
        json!({"target": "finance.accounts", "select": ["name", "type", "balance_current"],
            "where": {"type": ["depository", "credit"], "balance_current": {"gt": 0}}, "order_by": ["-balance_current"]}),
        json!({"target": "mail.messages", "search": "dentist", "order_by": ["-rank"], "limit": 5,
            "select": ["subject", "from_name"]}),
        json!({"target": "mail.messages", "select": ["subject", "received_at"], "order_by": ["-received_at"],
            "where": {"received_at": {"gte": "now-720h"}, "is_read": false, "importance": {"ne": "high"}}}),
        json!({"target": "calendar.events", "order_by": ["start_at"], "format": "records",
            "where": {"start_at": {"gte": "today", "lt": "today+7d"}, "status": "confirmed", "not": {"is_all_day": true}}}),
        json!({"target": "health.days", "where": {"day": {"gte": "start_of_year"}}, "group_by": ["day:week"],
            "aggregate": {"walked": "avg(steps)", "asleep": "median(sleep_minutes)"}, "order_by": ["day:week"]}),
        json!({"target": "health.sleeps", "group_by": ["start_at:weekday"], "aggregate": {"deep": "avg(deep_ms)"},
            "where": {"start_at": {"gte": "2026-01-01"}, "score_state": "SCORED", "is_nap": false}}),
        json!({"target": "contacts.people", "order_by": ["full_name"], "limit": 10, "search": "choir or school",
            "where": {"kind": "individual", "and": [{"full_name": {"starts_with": "a"}}, {"emails": {"is_null": false}}]}}),
        json!({"target": "home.history", "group_by": ["changed_at:hour"], "order_by": ["-warmest"],
            "where": {"changed_at": {"gte": "today-2d"}, "state_num": {"gt": 1.5}},
            "aggregate": {"mean": "avg(state_num)", "warmest": "max(state_num)"}}),
    ]
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn any(&mut self, values: Value) -> Value {
        self.one_of(values.as_array().unwrap()).clone()
    }

    /// A word with a letter too many, too few, exchanged or moved.
    fn misspelt(&mut self, word: &str) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        let place = self.below(letters.len());
        match self.below(4) {
            0 => letters.insert(place, letters[place]),
            1 if letters.len() > 2 => drop(letters.remove(place)),
            2 if place > 0 => letters.swap(place - 1, place),
            _ => letters[place] = 'x',
        }
        letters.into_iter().collect()
    }
}

impl Kind {
    /// `right` with one mistake of this kind, if it has a place for it; `cursor` is another query's.
    pub fn spoil(self, right: &Value, cursor: &str, random: &mut Random) -> Option<Value> {
        let mut call = right.clone();
        match self {
            Self::Field => {
                let field = random.one_of(&fields(right)).clone();
                let wrong = random.misspelt(&field);
                return Some(renamed(right, &field, &wrong));
            }
            Self::Table => {
                let (sector, table) = right["target"].as_str()?.split_once('.')?;
                let wrong = match random.below(4) {
                    0 => sector.to_owned(),
                    1 => format!("{sector}.{}", table.trim_end_matches('s')),
                    2 => format!("{sector}.all_{table}"),
                    _ => format!("{sector}.{}", random.misspelt(table)),
                };
                call["target"] = json!(wrong);
            }
            Self::Operator => {
                let wrong = match random.below(2) {
                    0 => (*random.one_of(&OTHER_OPERATORS)).to_owned(),
                    _ => {
                        let word = random_operator(right, random)?;
                        random.misspelt(word)
                    }
                };
                let place = random_operator(right, random)?;
                return Some(rekeyed(right, place, &wrong));
            }
            Self::EnumValue => {
                let value = random.one_of(&enum_values(right)?).clone();
                let wrong = match random.below(3) {
                    0 => value.to_uppercase() + "S",
                    1 => random.misspelt(&value),
                    _ => format!("{value}_ok"),
                };
                call["where"] = revalued(&right["where"], &json!(value), &json!(wrong));
            }
            Self::Time => {
                let times = times(right);
                let time = (!times.is_empty()).then(|| random.one_of(&times).clone())?;
                let wrong = match random.below(3) {
                    0 => random.misspelt(&time),
                    _ => (*random.one_of(&OTHER_TIMES)).to_owned(),
                };
                call["where"] = revalued(&right["where"], &json!(time), &json!(wrong));
            }
            Self::Cursor => {
                let at = random.below(cursor.len());
                call["cursor"] = match random.below(4) {
                    0 => json!(cursor),
                    1 => json!(&cursor[..at]),
                    2 => json!(random.misspelt(cursor)),
                    _ => json!(["next", "2", "eyJwYWdlIjoyfQ", ""][random.below(4)]),
                };
            }
            Self::Type => return mistyped(call, random),
            Self::Nesting => return misnested(call, random),
            Self::Argument => return misnamed(call, random),
            Self::Bucket => {
                let list = call["group_by"].as_array_mut()?;
                let place = random.below(list.len());
                let key = list[place].as_str()?.to_owned();
                let (field, bucket) = key.split_once(':').unwrap_or((&key, "month"));
                let wrong = match random.below(3) {
                    0 => random.misspelt(bucket),
                    1 => (*random.one_of(&OTHER_BUCKETS)).to_owned(),
                    _ => bucket.to_owned(),
                };
                list[place] = json!(format!("{field}:{wrong}"));
            }
            Self::Aggregate => return misadded(call, random),
            Self::Order => return misordered(call, random),
        }
        Some(call)
    }
}

fn mistyped(mut call: Value, random: &mut Random) -> Option<Value> {
    match random.below(12) {
        0 => call["limit"] = random.any(json!([0, -5, 5000, 2.5])),
        1 => call["limit"] = json!(["20", "many", "all"][random.below(3)]),
        2 => call["count"] = json!(["yes", "true", "exact"][random.below(3)]),
        3 => call["budget"] = json!([10, 1_000_000, -1][random.below(3)]),
        4 => call["budget"] = json!("4k"),
        5 => call["format"] = json!(["table", "csv", "json", "record"][random.below(4)]),
        6 => call["search"] = json!(["dentist", "crown"]),
        7 if call.get("select").is_some() => call["select"] = comma(&call["select"]),
        8 if call.get("select").is_some() => {
            let names = call["select"].as_array()?.iter();
            call["select"] = names
                .map(|name| (name.as_str().unwrap().to_owned(), json!(true)))
                .collect::<Map<_, _>>()
                .into();
        }
        9 => call["where"]["is_read"] = random.any(json!(["false", 0, "nope"])),
        10 => {
            let field = ["amount", "balance_current", "state_num"][random.below(3)];
            call["where"].get(field)?;
            let wrong = random.any(json!(["-20 EUR", "1,000.50", "a lot", true, [1, 2]]));
            call["where"][field] = json!({"lt": wrong});
        }
        11 => call["where"] = json!({"id": {"eq": "the first"}}),
        _ => return None,
    }
    Some(call)
}

fn misnested(mut call: Value, random: &mut Random) -> Option<Value> {
    let filter = call.get("where")?.as_object()?.clone();
    let each = filter.iter().map(|(name, value)| json!({name: value}));
    let (name, tests) = filter.iter().find(|(_, tests)| tests.is_object())?;
    let test = tests
        .as_object()?
        .iter()
        .next()
        .map(|(word, value)| (word.clone(), value.clone()));
    call["where"] = match random.below(10) {
        0 => each.collect(),
        1 => json!({"and": filter}),
        2 => json!({"or": filter}),
        3 => json!({"not": [filter]}),
        4 => json!({"where": filter}),
        5 => Value::String(Value::Object(filter.clone()).to_string()),
        6 => {
            let (word, value) = test?;
            json!({"field": name, "op": word, "value": value})
        }
        7 => {
            let (word, value) = test?;
            json!({format!("{name}__{word}"): value})
        }
        8 => {
            let (word, value) = test?;
            json!({"and": [[name, word, value]]})
        }
        _ => {
            let (word, value) = test?;
            json!({word: {name: value}})
        }
    };
    Some(call)
}

fn misnamed(mut call: Value, random: &mut Random) -> Option<Value> {
    let names: Vec<String> = call
        .as_object()?
        .keys()
        .filter(|name| *name != "target")
        .cloned()
        .collect();
    let name = random.one_of(&names).clone();
    let wrong = match (random.below(2), name.as_str()) {
        (0, "where") => "filter".to_owned(),
        (0, "select") => "fields".to_owned(),
        (0, "order_by") => "sort".to_owned(),
        (0, "group_by") => "groupBy".to_owned(),
        (0, "search") => "q".to_owned(),
        (0, "limit") => "page_size".to_owned(),
        (0, _) => {
            call["offset"] = json!(20);
            return Some(call);
        }
        (_, name) => random.misspelt(name),
    };
    let value = call.as_object_mut()?.remove(&name)?;
    call[wrong] = value;
    Some(call)
}

fn misadded(mut call: Value, random: &mut Random) -> Option<Value> {
    let entries = call.get("aggregate")?.as_object()?.clone();
    let (name, said) = entries
        .iter()
        .find(|(_, said)| said.as_str().is_some_and(|said| said.contains('(')))?;
    let said = said.as_str()?;
    let (function, field) = said.trim_end_matches(')').split_once('(')?;
    let wrong = match random.below(10) {
        0 => json!(format!("{}({field})", random.misspelt(function))),
        1 => json!(format!(
            "{}({field})",
            ["average", "mean", "total", "SUM", "stddev"][random.below(5)]
        )),
        2 => json!(format!("{function}({})", random.misspelt(field))),
        3 => json!(format!("{function}(connection)")),
        4 => json!(format!("{function}({field}")),
        5 => json!(format!("{function} {field}")),
        6 => json!(field),
        7 => json!({function: field}),
        8 => json!(function),
        _ => {
            call["aggregate"] = json!([said]);
            return Some(call);
        }
    };
    call["aggregate"][name] = wrong;
    Some(call)
}

fn misordered(mut call: Value, random: &mut Random) -> Option<Value> {
    let names = call.get("order_by")?.as_array()?.clone();
    let name = names[0].as_str()?;
    let plain = name.trim_start_matches('-');
    call["order_by"] = match random.below(8) {
        0 => json!([random.misspelt(plain)]),
        1 => json!([format!("{plain} desc")]),
        2 => json!([{"field": plain, "direction": "desc"}]),
        3 => json!([{ plain: "desc" }]),
        4 => json!(format!("{plain} DESC, {plain}")),
        5 => json!([*random.one_of(&["as", "rank", "-rank", "relevance"])]),
        6 => json!({ plain: -1 }),
        _ => json!(["attendees", "emails", "attributes"][random.below(3)]),
    };
    Some(call)
}

fn comma(list: &Value) -> Value {
    let names: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    names.join(", ").into()
}

/// The fields of its table that a call names.
fn fields(call: &Value) -> Vec<String> {
    let table = catalog::by_target(call["target"].as_str().unwrap()).unwrap();
    let text = call.to_string();
    let is_named = |name: &str| !places(&text, name).is_empty();
    let names = table.fields.iter().map(|field| field.name);
    names
        .filter(|name| is_named(name))
        .map(str::to_owned)
        .collect()
}

/// Where a name occurs as a whole word in a call's text.
fn places(text: &str, name: &str) -> Vec<usize> {
    let is_edge = |letter: Option<char>| letter.is_some_and(|letter| "\"-(:)".contains(letter));
    let found = text.match_indices(name).map(|(at, _)| at);
    found
        .filter(|at| {
            is_edge(text[..*at].chars().next_back())
                && is_edge(text[at + name.len()..].chars().next())
        })
        .collect()
}

fn renamed(call: &Value, name: &str, wrong: &str) -> Value {
    let mut text = call.to_string();
    for at in places(&text, name).into_iter().rev() {
        text.replace_range(at..at + name.len(), wrong);
    }
    serde_json::from_str(&text).unwrap()
}

fn random_operator<'a>(call: &Value, random: &mut Random) -> Option<&'a str> {
    let text = call["where"].to_string();
    let used = OPERATORS
        .iter()
        .filter(|word| text.contains(&format!("{{\"{word}\":")));
    let used: Vec<&'a str> = used.copied().collect();
    (!used.is_empty()).then(|| used[random.below(used.len())])
}

/// The call with the operator under another name.
fn rekeyed(call: &Value, word: &str, wrong: &str) -> Value {
    let mut call = call.clone();
    let text = call["where"].to_string();
    let text = text.replace(&format!("{{\"{word}\":"), &format!("{{\"{wrong}\":"));
    call["where"] = serde_json::from_str(&text).unwrap();
    call
}

fn revalued(filter: &Value, value: &Value, wrong: &Value) -> Value {
    let text = filter.to_string();
    serde_json::from_str(&text.replacen(&value.to_string(), &wrong.to_string(), 1)).unwrap()
}

fn strings(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Value::Object(members) => members.values().for_each(|value| strings(value, into)),
        _ => {}
    }
}

fn enum_values(call: &Value) -> Option<Vec<String>> {
    let table = catalog::by_target(call["target"].as_str()?)?;
    let known: Vec<&str> = table
        .fields
        .iter()
        .flat_map(|field| field.values)
        .copied()
        .collect();
    let mut found = Vec::new();
    strings(&call["where"], &mut found);
    found.retain(|value| known.contains(&value.as_str()));
    (!found.is_empty()).then_some(found)
}

fn times(call: &Value) -> Vec<String> {
    let mut found = Vec::new();
    strings(&call["where"], &mut found);
    let begins = ["today", "now", "start_of", "2026-"];
    found.retain(|value| begins.iter().any(|begin| value.starts_with(begin)));
    found
}
