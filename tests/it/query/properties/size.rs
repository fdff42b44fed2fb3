//! No answer exceeds its budget, with many and long rows in every table, in both forms: rows, changes and groups.

use serde_json::{Map, Value, json};
use sextant::catalog::{self, Field, Kind, Table};
use sextant::query::column;
use sextant_actors::domain::Reply;

use crate::query::chance::{Chance, seeds};
use crate::query::house::House;

/// Sets the number of rows of all tables together.
const ROWS_VARIABLE: &str = "SEXTANT_BUDGET_ROWS";
const ROWS: i32 = 20_000;
/// Queries of each table for each seed.
const QUESTIONS: u64 = 9;
/// Bytes that are counted as one token.
const TOKEN_BYTES: u64 = 4;
/// Connections of a sector, with long labels.
const CONNECTIONS: usize = 12;

#[expect(
    clippy::disallowed_methods,
    reason = "a test's own settings come from the environment"
)]
fn rows_asked() -> i32 {
    let asked = std::env::var(ROWS_VARIABLE).ok();
    asked.map_or(ROWS, |rows| rows.parse().unwrap())
}

/// A value of row `i`: sometimes long, and with characters that JSON escapes.
fn value((place, field): (usize, &Field)) -> String {
    let seed = format!("((i * 7 + {place} * 3) % 13)::int");
    let times = format!(
        "(CASE WHEN (i + {place}) % 97 = 0 THEN 1500 WHEN (i + {place}) % 11 = 0 THEN 60 ELSE {seed} END)::int"
    );
    let text = format!("{seed} || repeat(E' \"\\\\\\x01ö🎉 w' || {seed}, {times})");
    let value = match field.kind {
        Kind::Text if !field.values.is_empty() => format!("'{}'", field.values[0]),
        Kind::Text => text,
        Kind::Integer | Kind::BigInteger => format!("{seed} * -1234567"),
        Kind::Float => format!("{seed} / 7.0"),
        Kind::Decimal { .. } => format!("{seed}::numeric * 12345678.1234"),
        Kind::Boolean => format!("{seed} < 5"),
        Kind::Date => format!("date '2026-01-01' + {seed}"),
        Kind::Timestamp => {
            "timestamptz '2026-01-01T00:00:00.000123Z' + i * interval '7 hours'".to_owned()
        }
        Kind::Id => format!("md5('parent' || {seed})::uuid"),
        Kind::Json => format!("jsonb_build_array(jsonb_build_object('name', {text}), i, {text})"),
        Kind::TextList => format!("ARRAY[{text}, 'both', {text}]"),
        Kind::IntegerList => format!("ARRAY[{seed}, 100]::integer[]"),
    };
    if field.required {
        value
    } else {
        format!("CASE WHEN (i + {place}) % 9 = 0 THEN NULL ELSE {value} END")
    }
}

fn question(table: &Table, chance: &mut Chance, since: &Value) -> Value {
    let mut asked = Map::new();
    asked.insert("target".into(), json!(table.target()));
    let budgets = [500, 501, 700, 1000, 1999, 4000, 8000, 25_000];
    asked.insert("budget".into(), json!(chance.one_of(&budgets)));
    asked.insert("format".into(), json!(chance.one_of(&["rows", "records"])));
    let limit = *chance.one_of(&[1, 7, 60, 400, 1000]);
    asked.insert("limit".into(), json!(limit));
    let columns: Vec<column::Column> = column::all(table).collect();
    let orderable = columns.iter().filter(|column| column.is_orderable());
    let orderable: Vec<&str> = orderable.map(|column| column.name).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    match chance.below(4) {
        0 => {
            asked.insert("group_by".into(), json!(chance.some_of(&orderable, 4)));
            let texts = columns.iter().filter(|column| column.kind == Kind::Text);
            let texts: Vec<&str> = texts.map(|column| column.name).collect();
            let measures = (0..chance.below(12)).map(|number| {
                let measure = match chance.one_of(&["max", "min", "count"]) {
                    function if *function != "count" && !texts.is_empty() => {
                        format!("{function}({})", chance.one_of(&texts))
                    }
                    _ => "count".to_owned(),
                };
                (
                    format!("{number}{}", "n".repeat(chance.index(58))),
                    json!(measure),
                )
            });
            let measures: Map<String, Value> = measures.collect();
            asked.insert("aggregate".into(), Value::Object(measures));
        }
        1 if !since.is_null() => {
            asked.insert("changed_since".into(), since.clone());
        }
        2 => {
            asked.insert("order_by".into(), json!(chance.some_of(&orderable, 4)));
            asked.insert("count".into(), json!(true));
        }
        _ => {}
    }
    if !asked.contains_key("group_by") && chance.is(50) {
        asked.insert("select".into(), json!(chance.some_of(&names, 12)));
    }
    if !asked.contains_key("changed_since") && chance.is(25) {
        let nothing = json!({"id": "00000000-0000-0000-0000-000000000000"});
        asked.insert("where".into(), nothing);
    }
    Value::Object(asked)
}

#[actix_rt::test]
async fn no_answer_exceeds_its_budget() {
    let house = House::build().await;
    let stored = || catalog::tables().filter(|table| table.is_stored());
    let rows = rows_asked() / i32::try_from(stored().count()).unwrap();
    let mut since = std::collections::BTreeMap::new();
    for table in catalog::tables() {
        let first = house.query(json!({"target": table.target()})).await;
        since.insert(table.target(), first["change_cursor"].clone());
    }
    for table in stored() {
        let connection = house.connect(&table.target(), &table.target()).await;
        house.fill_with(value, connection, table, 1, rows).await;
    }
    for number in 0..CONNECTIONS {
        let label = format!("{number:02} \"connection\" {}", "🎉\\\"\u{7}".repeat(25));
        for sector in sextant_actors::domain::Sector::ALL {
            let target = catalog::push_default(sector).unwrap().target();
            let label = format!("{}{label}", &sector.name()[..3]);
            house.connect(&target, &label).await;
        }
    }
    let (mut answers, mut full) = (0, 0);
    for seed in seeds() {
        for (table, place) in catalog::tables().zip(0..) {
            for number in 0..QUESTIONS {
                let mut chance = Chance::of(seed).part(place * 1000 + number);
                let asked = question(table, &mut chance, &since[&table.target()]);
                let bytes = asked["budget"].as_u64().unwrap() * TOKEN_BYTES;
                match house.call("query", asked.clone()).await.reply {
                    Reply::Answer(text) => {
                        assert!(
                            text.text_bytes() as u64 <= bytes,
                            "seed {seed}: {} bytes for {asked}\n{text}",
                            text.text_bytes()
                        );
                        answers += 1;
                        full += u64::from(text.text_bytes() as u64 * 2 > bytes);
                    }
                    Reply::Fault(text) => is_too_wide(&house, asked, &text).await,
                    other => panic!("{asked}\n{other:?}"),
                }
            }
        }
    }
    println!("{answers} answers, {full} of them more than half as large as they may be");
    assert!(full > 50, "too few answers prove anything");
}

/// There may only be no row at all where not even one fits.
async fn is_too_wide(house: &House, mut asked: Value, said: &str) {
    assert!(said.contains("larger than the budget"), "{asked}\n{said}");
    asked["limit"] = json!(1);
    let said = house.fault("query", asked).await;
    assert!(said.contains("larger than the budget"), "{said}");
}

/// Twenty names of sixty characters are most of the smallest budget, and take twice as much where they are named as
/// untrusted too.
#[actix_rt::test]
async fn an_answer_without_rows_keeps_its_budget_too() {
    let house = House::build().await;
    let names = (10..30).map(|number| (format!("{number}{}", "n".repeat(58)), json!("max(name)")));
    let aggregate: Map<String, Value> = names.collect();
    let mut asked = json!({"target": "finance.holdings", "aggregate": aggregate, "budget": 500,
        "group_by": ["day:week", "day:month", "day:quarter", "day:year", "connection"]});
    let said = house.fault("query", asked.clone()).await;
    assert!(
        said.contains("larger than the budget of 500 tokens"),
        "{said}"
    );
    asked["budget"] = json!(2000);
    let answer = house.query(asked).await;
    assert_eq!(answer["rows"], json!([]));
    assert!(answer.to_string().len() <= 8000);
}
