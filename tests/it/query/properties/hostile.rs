//! Whatever is in any place of a call, only the caller's own rows of granted sectors are returned, the database
//! refuses no statement, and nothing is changed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use sextant::catalog;
use sextant_actors::domain::{OPERATOR, Reply, Sector, SectorSet};
use uuid::Uuid;

use crate::query::chance::{Chance, seeds};
use crate::query::house::House;

const TARGET: &str = "finance.transactions";
/// In every row that the caller must not see.
const MARK: &str = "not for these eyes";
const STRANGER: Uuid = Uuid::from_u128(0x5717_a96e);
/// Calls with several of the words at once.
const MIXED: u64 = 250;

const WORDS: [&str; 40] = [
    "'; DROP TABLE finance.transactions; --",
    "' OR '1'='1",
    "\" OR 1=1 --",
    "amount\" IS NOT NULL OR \"amount",
    "1); DELETE FROM finance.transactions; --",
    "x' UNION SELECT subject FROM mail.messages --",
    "(SELECT subject FROM mail.messages LIMIT 1)",
    "amount) FROM mail.messages; --",
    "amount) FILTER (WHERE true",
    "count(*) FROM mail.messages",
    "day') FROM mail.messages; --",
    "day', (SELECT zone FROM public.agents)) --",
    "mail.messages",
    "mail.messages.subject",
    "finance.transactions AS t, mail.messages",
    "public.agents",
    "information_schema.tables",
    "sums.transactions_by_month",
    "sums.counts",
    "user_id",
    "t.user_id",
    "c.config",
    "connection_id",
    "source_id",
    "raw",
    "extra",
    "tsv",
    "ctid",
    "changed_xid",
    "deleted_at",
    "$1",
    "$99",
    "$$x$$",
    "E'\\047'",
    "\\",
    "%",
    "\u{0}",
    "pg_sleep(10)",
    "NULL",
    "a /* b",
];

/// A call with a word in one place.
type Place = fn(&str) -> Value;

const PLACES: [Place; 45] = [
    |word| json!({"target": word}),
    |word| json!({"target": format!("finance.{word}")}),
    |word| json!({"target": format!("{TARGET}{word}")}),
    |word| json!({"select": [word]}),
    |word| json!({"select": ["amount", format!("amount {word}")]}),
    |word| json!({"where": {word: 1}}),
    |word| json!({"where": {word: {"is_null": false}}}),
    |word| json!({"where": {"amount": {word: 1}}}),
    |word| json!({"where": {"or": [{word: 1}, {"amount": 1}]}}),
    |word| json!({"where": {"not": {"description": word}}}),
    |word| json!({"where": {"description": word}}),
    |word| json!({"where": {"description": [word, word]}}),
    |word| json!({"where": {"description": {"contains": word}}}),
    |word| json!({"where": {"description": {"starts_with": word}}}),
    |word| json!({"where": {"description": {"gte": word}}}),
    |word| json!({"where": {"description": {"not_in": [word]}}}),
    |word| json!({"where": {"connection": {"ne": word}}}),
    |word| json!({"where": {"fx": {"ne": word}}}),
    |word| json!({"where": {"amount": {"lt": word}}}),
    |word| json!({"where": {"booked_on": {"lt": word}}}),
    |word| json!({"where": {"transacted_at": word}}),
    |word| json!({"where": {"id": word}}),
    |word| json!({"where": {"source_id_is_synthetic": word}}),
    |word| json!({"search": word}),
    |word| json!({"search": format!("wörd {word}")}),
    |word| json!({"order_by": [word]}),
    |word| json!({"order_by": [format!("-{word}")]}),
    |word| json!({"order_by": [format!("amount {word}")]}),
    |word| json!({"group_by": [word]}),
    |word| json!({"group_by": [format!("booked_on:{word}")]}),
    |word| json!({"group_by": [format!("{word}:day")]}),
    |word| json!({"group_by": ["category"], "order_by": [word]}),
    |word| json!({"aggregate": {word: "count"}}),
    |word| json!({"aggregate": {"n": word}}),
    |word| json!({"aggregate": {"n": format!("max({word})")}}),
    |word| json!({"aggregate": {"n": format!("{word}(amount)")}}),
    |word| json!({"aggregate": {"n": format!("max(description) {word}")}}),
    |word| json!({"group_by": ["category"], "where": {"description": {"ne": word}}}),
    |word| json!({"aggregate": {"m": "max(description)"}, "where": {"category": {"ne": word}}}),
    |word| json!({"select": ["category", "description"], "where": {"not": {"category": word}}}),
    |word| json!({"cursor": word}),
    |word| json!({"changed_since": word}),
    |word| json!({"limit": word}),
    |word| json!({"format": word}),
    |word| json!({word: word}),
];

/// Rows of the caller in all sectors, and another user's; only finance is granted.
async fn house() -> House {
    let mut house = House::build().await;
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let connection = house.connect(&table.target(), &table.target()).await;
        house.fill(connection, table, 1, 8).await;
    }
    let mut sql = format!(
        "INSERT INTO users (id) VALUES ('{STRANGER}');
         INSERT INTO connections (id, user_id, provider, label, sector, target_table)
         VALUES ('{STRANGER}', '{STRANGER}', 'push', '{MARK}', 'finance', '{TARGET}');
         INSERT INTO {TARGET} (id, user_id, connection_id, source_id, amount, booked_on, description, category)
         VALUES ('{STRANGER}', '{STRANGER}', '{STRANGER}', 'a', 1, '2026-01-01', 'wörd {MARK}', '{MARK}');"
    );
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let texts = table
            .fields
            .iter()
            .filter(|field| field.kind == catalog::Kind::Text);
        let set: Vec<String> = texts
            .map(|field| format!("\"{}\" = '{MARK}'", field.name))
            .collect();
        if table.sector != Sector::Finance && !set.is_empty() {
            sql.push_str(&format!(
                "UPDATE {} SET {};",
                table.target(),
                set.join(", ")
            ));
        }
    }
    house.owner.batch_execute(&sql).await.unwrap();
    house.granted = SectorSet::EMPTY.with(Sector::Finance);
    house
}

/// A digest of all rows for every table.
async fn state_of(house: &House) -> Vec<String> {
    let mut state = Vec::new();
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let sql = format!(
            "SELECT md5(string_agg(t::text, '|' ORDER BY t.id)) FROM {} AS t",
            table.target()
        );
        let row = house.owner.query_one(&sql, &[]).await.unwrap();
        state.push(row.get(0));
    }
    state
}

async fn is_kept_in(house: &House, tool: &str, call: Value) {
    let reply = house.call(tool, call.clone()).await.reply;
    match &reply {
        Reply::Answer(text) => {
            let text = text.to_string();
            assert!(!text.contains(MARK), "{call}\n{text}");
            let answer: Value = serde_json::from_str(&text).unwrap();
            let target = answer["target"].as_str().unwrap();
            assert!(target.starts_with("finance."), "{call}\n{text}");
        }
        Reply::Fault(text) => {
            assert!(!text.contains(MARK), "{call}\n{text}");
            assert!(!text.contains("the database"), "{call}\n{text}");
        }
        other => panic!("{call}\n{other:?}"),
    }
}

fn with_target(mut call: Value) -> Value {
    let map = call.as_object_mut().unwrap();
    map.entry("target").or_insert(json!(TARGET));
    call
}

#[actix_rt::test]
async fn no_word_in_any_place_leaves_the_granted_sectors_or_the_user() {
    let house = house().await;
    let before = state_of(&house).await;
    for word in WORDS {
        for place in PLACES {
            let mut call = with_target(place(word));
            is_kept_in(&house, "query", call.clone()).await;
            // Without a column for which another table is joined.
            if call.get("select").is_none() {
                call["select"] = json!(["id", "description", "category"]);
                is_kept_in(&house, "query", call).await;
            }
        }
        for cursor in forged(&house, word).await {
            is_kept_in(&house, "query", cursor).await;
        }
        for target in [TARGET, "finance", word] {
            is_kept_in(&house, "get_record", json!({"target": target, "id": word})).await;
        }
    }
    let stranger = json!({"target": TARGET, "id": STRANGER});
    is_kept_in(&house, "get_record", stranger).await;
    for seed in seeds() {
        for number in 0..MIXED {
            let mut chance = Chance::of(seed).part(number);
            let mut call = Map::new();
            for _ in 0..4 {
                let word = *chance.one_of(&WORDS);
                let more = chance.one_of(&PLACES)(word);
                call.extend(more.as_object().unwrap().clone());
            }
            is_kept_in(&house, "query", with_target(Value::Object(call))).await;
        }
    }
    assert_eq!(state_of(&house).await, before);
    assert_ne!(OPERATOR, STRANGER);
    for more in [json!({}), json!({"select": ["description"]})] {
        let all = house.query(with_target(more)).await;
        assert_eq!(all["returned"], 8);
    }
}

/// Well-formed cursors, as the engine writes them, with the word in the place of a key's value.
async fn forged(house: &House, word: &str) -> Vec<Value> {
    let mut calls = Vec::new();
    for order in ["description", "-category", "booked_on", "amount", "id"] {
        let call = json!({"target": TARGET, "order_by": [order], "limit": 1});
        let mut call = with_target(call);
        let answer = house.query(call.clone()).await;
        let cursor = answer["next_cursor"].as_str().unwrap();
        let plain = URL_SAFE_NO_PAD.decode(cursor).unwrap();
        let mut parts: Value = serde_json::from_slice(&plain).unwrap();
        parts[2][0] = json!(word);
        call["cursor"] = json!(URL_SAFE_NO_PAD.encode(parts.to_string()));
        calls.push(call);
    }
    calls
}
