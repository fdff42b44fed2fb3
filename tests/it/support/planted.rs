//! Unmistakable words in every text of every table, pushed as devices push them: fields, nested parents and parts,
//! fields that no column takes (`extra`), the source's own form (`raw`), ids, references to records that have not
//! arrived, tombstones.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Map, Value, json};
use sextant::catalog::{self, Field, Kind, Table};

use super::TestApp;

/// Fields whose texts must have a certain form.
const SHAPED: [(&str, &str); 6] = [
    ("time_zone", "Europe/Vienna"),
    ("zone_offset", "+02:00"),
    ("recurrence_id", "2026-03-28T08:00:00Z"),
    ("metric", "heart_rate"),
    ("unit", "bpm"),
    ("currency", "EUR"),
];
/// Suffixes that are hard to write correctly: each must come out as it went in, in whatever format it is written.
const HOSTILE: [&str; 8] = [
    "",
    " \"'\\\n\t,;",
    " \u{202e}\u{200b}e\u{301} 𝔘 👩‍👩‍👧",
    "\r\nEND:VCARD\r\nFrom nobody",
    " {\"a\": [null]} \\u0000",
    " \u{1}\u{7f}\u{fffe}",
    " =1+1 @cmd",
    "  ",
];
/// Fields that are only set on an exception to a series.
const OF_EXCEPTIONS: [&str; 2] = ["recurrence_id", "series_source_id"];

/// A connection, and the words that were pushed by it.
pub struct Planted {
    pub id: String,
    pub secret: String,
    pub table: &'static Table,
    pub words: BTreeSet<String>,
}

/// Two connections for each table that takes pushes, each with words of its own.
pub async fn plant_everywhere(app: &TestApp) -> Vec<Planted> {
    let mut planted = Vec::new();
    for table in catalog::tables().filter(|table| table.is_pushable()) {
        for twin in ["one", "two"] {
            planted.push(plant(app, table, twin).await);
        }
    }
    planted
}

/// One connection for each of these tables.
pub async fn plant_some(app: &TestApp, targets: &[&str]) {
    for target in targets {
        plant(app, catalog::by_target(target).unwrap(), "one").await;
    }
}

async fn plant(app: &TestApp, table: &'static Table, twin: &str) -> Planted {
    let (id, secret) = app.push_connection(&table.target()).await;
    let mut words = Words::of(table, twin);
    let record = words.record(table, Role::Root);
    let mut gone = words.record(table, Role::Root);
    // A day is named by its date, and one day is one row.
    if gone.contains_key("day") {
        gone.insert("day".to_owned(), json!("2026-03-27"));
    }
    let name = gone["id"].clone();
    let planted = Planted {
        id,
        secret,
        table,
        words: words.made,
    };
    let before: BTreeSet<String> = words_in(&json!(record));
    planted.push(app, &json!([record, gone])).await;
    planted.push(app, &json!({ "deleted": [name] })).await;
    // Of a deleted record only its name is kept.
    let kept = before.into_iter().chain(words_in(&name)).collect();
    Planted {
        words: kept,
        ..planted
    }
}

impl Planted {
    /// Pushes a body that must be stored.
    pub async fn push(&self, app: &TestApp, body: &Value) -> Value {
        app.push((&self.id, &self.secret), body).await
    }
}

/// Every planted word in a value.
fn words_in(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) if text.starts_with("zq") => {
            let word = text
                .split(|char: char| !char.is_ascii_alphanumeric())
                .next();
            BTreeSet::from([word.unwrap().to_owned()])
        }
        Value::Array(list) => list.iter().flat_map(words_in).collect(),
        Value::Object(members) => members.values().flat_map(words_in).collect(),
        _ => BTreeSet::new(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Root,
    Inside,
    Override,
}

struct Words {
    of: String,
    made: BTreeSet<String>,
}

impl Words {
    fn of(table: &Table, twin: &str) -> Self {
        Self {
            of: format!("zq{}{}{twin}", table.sector, table.name),
            made: BTreeSet::new(),
        }
    }

    /// A new word, as one lexeme, so that the full-text index would show it too.
    fn word(&mut self, place: &str) -> String {
        let place = place.replace(|char: char| !char.is_ascii_lowercase(), "");
        let word = format!("{}x{}{place}", self.of, self.made.len());
        self.made.insert(word.clone());
        word
    }

    /// A new word with a suffix that is hard to write correctly.
    fn text(&mut self, place: &str) -> String {
        let hostile = HOSTILE[self.made.len() % HOSTILE.len()];
        self.word(place) + hostile
    }

    fn record(&mut self, table: &Table, role: Role) -> Map<String, Value> {
        let mut record = Map::new();
        record.insert("id".to_owned(), json!(self.word("id")));
        record.insert("mood".to_owned(), json!([{ "note": self.text("extra") }]));
        record.insert("raw".to_owned(), json!({ "raw": self.text("raw") }));
        for field in table.fields {
            if let Some(value) = self.value(field, role) {
                record.insert(field.name.to_owned(), value);
            }
            self.nest(table, field, role, &mut record);
        }
        if role == Role::Root {
            for part in table.parts {
                let Some(inner) = catalog::table(table.sector, part.table) else {
                    continue;
                };
                let role = if inner.name == table.name {
                    Role::Override
                } else {
                    Role::Inside
                };
                let parts = [json!(self.record(inner, role))];
                record.insert(part.name.to_owned(), json!(parts));
            }
        }
        record
    }

    fn value(&mut self, field: &Field, role: Role) -> Option<Value> {
        if OF_EXCEPTIONS.contains(&field.name)
            && (role != Role::Override || field.name != "recurrence_id")
        {
            return None;
        }
        if let Some((_, shaped)) = SHAPED.iter().find(|(name, _)| *name == field.name) {
            return Some(json!(shaped));
        }
        match field.kind {
            Kind::Text => match field.values {
                [] => Some(json!(self.text(field.name))),
                [first, ..] => Some(json!(first)),
            },
            Kind::TextList if field.name == "rrule" => {
                (role == Role::Root).then(|| json!(["RRULE:FREQ=YEARLY"]))
            }
            Kind::TextList => Some(json!([self.text(field.name)])),
            Kind::Json => Some(json!([{ "note": self.text(field.name) }])),
            Kind::Date => {
                (!matches!(field.name, "start_date" | "end_date")).then(|| json!("2026-03-26"))
            }
            Kind::Timestamp if field.name.starts_with("end") => Some(json!("2026-03-27T09:00:00Z")),
            Kind::Timestamp => Some(json!("2026-03-27T08:00:00Z")),
            Kind::Float | Kind::Integer | Kind::BigInteger | Kind::Decimal { .. } => Some(json!(7)),
            Kind::Boolean => (field.name != "is_all_day").then_some(json!(true)),
            Kind::IntegerList => Some(json!([7])),
            Kind::Id => None,
        }
    }

    /// Adds a parent: nested in the record, or only referred to and not yet there.
    fn nest(&mut self, table: &Table, field: &Field, role: Role, record: &mut Map<String, Value>) {
        let Some(reference) = field.reference.filter(|_| role == Role::Root) else {
            return;
        };
        match reference
            .nested
            .and_then(|name| Some((name, catalog::table(table.sector, reference.table)?)))
        {
            Some((name, parent)) => {
                let parent = json!(self.record(parent, Role::Inside));
                record.insert(name.to_owned(), parent);
            }
            None => {
                record.insert(field.name.to_owned(), json!(self.word("awaited")));
            }
        }
    }
}

/// Pushes records with random texts into a random choice of tables; the same seed gives the same records.
pub async fn plant_random(app: &TestApp, seed: u64) {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for table in catalog::tables().filter(|table| table.is_pushable()) {
        let (id, secret) = app.push_connection(&table.target()).await;
        let records: Vec<Value> = (0..chance.below(6))
            .map(|number| {
                let mut words = Words::of(table, &number.to_string());
                let mut record = json!(words.record(table, Role::Root));
                chance.garble(&mut record);
                if record.get("day").is_some() {
                    record["day"] = json!(format!("2026-03-{}", 10 + number));
                }
                record
            })
            .collect();
        let request = app.request(Method::POST, &format!("/api/ingest/{id}?partial=true"));
        let pushed = app
            .send(request.bearer_auth(secret).json(&records))
            .await
            .expect(200);
        assert_eq!(pushed["rejected"], json!([]), "{}", table.target());
    }
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn text(&mut self) -> String {
        let chars = self.below(40);
        let any = (0..chars).map(|_| {
            let plane = [0x80, 0x800, 0x11_0000][self.below(3) as usize];
            char::from_u32(self.below(plane) as u32).unwrap_or('\u{fffd}')
        });
        any.collect()
    }

    /// Replaces planted texts with random ones, except in ids.
    fn garble(&mut self, value: &mut Value) {
        match value {
            Value::String(text) if text.starts_with("zq") => *text = self.text(),
            Value::Array(list) => list.iter_mut().for_each(|inner| self.garble(inner)),
            Value::Object(members) => members
                .iter_mut()
                .filter(|(name, _)| *name != "id" && !name.ends_with("_id"))
                .for_each(|(_, inner)| self.garble(inner)),
            _ => {}
        }
    }
}
