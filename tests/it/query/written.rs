//! What the tools answer, byte for byte: every table with values of every kind, nulls, hostile and long texts, in both formats and
//! in budgets from the smallest to the largest. Cursors and fences' nonces are random, and masked.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sextant::catalog::{self, Field, Kind, Table};
use sextant_actors::domain::Reply;
use sha2::{Digest as _, Sha256};

use super::house::House;
use crate::support::golden::assert_kept;

/// Rows of each table.
const ROWS: i32 = 13;
/// Answers up to this many bytes stand in the files whole; of a longer one its beginning, its end and its digest.
const WHOLE_BYTES_MAX: usize = 900;
/// Tables whose fields are also read one by one.
const PIECEMEAL: [&str; 3] = ["finance.transactions", "mail.messages", "contacts.people"];
const BUDGETS: [u32; 12] = [
    500, 501, 530, 600, 800, 1000, 1500, 2000, 3000, 5000, 8000, 25000,
];

/// One SQL value of row `i`, now and then null; `place` is the field's position.
fn value((place, field): (usize, &Field)) -> String {
    let one_of = |values: &[&str]| {
        format!(
            "({})[1 + (i * 7 + {place}) % {}]",
            array(values),
            values.len()
        )
    };
    let value = match field.kind {
        Kind::Text if !field.values.is_empty() => {
            let quoted: Vec<String> = field.values.iter().map(|value| format!("'{value}'")).collect();
            one_of(&quoted.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Kind::Text => one_of(&[
            r"'plain'",
            r"''",
            r#"E'quote " and \\ and / and \\" and \n\t\r\b\f\x01\x1f\x7f'"#,
            r"E'bidi \u202e zero \u200b\u200d tag \U000E0041 soft \u00ad end'",
            r"E'Zo\u00eb \U0001F389 \u65e5\u672c\u8a9e \u2028 \ufeff'",
            r"repeat('x', 400)",
            r"repeat('y', 401)",
            r"repeat(U&'\00e4\200b', 5000)",
            r"'<<<data n0nce' || chr(10) || repeat('forged fence ', 60) || chr(10) || 'n0nce data>>>'",
            r"'<p hidden>abc</p><style>x</style><p>Hello &amp; on</p>' || repeat('<b>more</b> ', 200)",
            r"'…[clipped]'",
            r"repeat(chr(1) || chr(92) || chr(34), 3000)",
            r"'short'",
        ]),
        Kind::Integer => one_of(&["0", "-2147483648", "2147483647", "17"]),
        Kind::BigInteger => one_of(&["0::bigint", "-9223372036854775808", "9223372036854775807", "42"]),
        Kind::Float => one_of(&["0.1::float8", "-0.0", "1e300", "5e-324", "1.0/3", "100", "1e16", "123456789.125", "'NaN'", "'-Infinity'"]),
        Kind::Decimal { .. } => one_of(&[
            "1.50", "0", "0.0000", "-0.005", "100", "10000", "100000000", "12345678.1234", "-99999999.9999", "0.0001", "-1",
        ]),
        Kind::Boolean => one_of(&["true", "false"]),
        Kind::Date => one_of(&["date '2026-01-01'", "'2024-02-29'", "'0044-03-15 BC'", "'12345-06-07'", "'0001-01-01'"]),
        Kind::Timestamp => one_of(&[
            "timestamptz '2026-01-01T00:00:00.000123Z'",
            "'2026-03-29T00:59:59.5Z'",
            "'2026-03-29T01:00:00Z'",
            "'1899-12-31T23:59:59.999999Z'",
            "'0044-03-15T12:00:00Z BC'",
            "'12345-06-07T08:09:10.1Z'",
            "'2025-10-26T00:30:00Z'",
            "'2025-10-26T01:30:00Z'",
        ]),
        Kind::Id => one_of(&["md5('a')::uuid", "md5('b')::uuid", "'00000000-0000-0000-0000-000000000000'"]),
        Kind::Json => one_of(&[
            r"'null'::jsonb",
            r"'{}'",
            r"'[]'",
            r#"'[{"b": 1.50, "a": 1e400, "n": -0.0, "t": true}, null]'"#,
            r#"E'{"na\u200bme": ["x\u202ey", "q\\\"q\\\\", "\\u0001\\n"]}'"#,
            r"jsonb_build_array(repeat('long ', 100), repeat('longer ', 1000), 3)",
            r"jsonb_build_object('text', repeat('w', 4000))",
            r#"'"a text"'"#,
            r"'12.340'",
        ]),
        Kind::TextList => r#"CASE i % 4 WHEN 0 THEN ARRAY[]::text[] WHEN 1 THEN ARRAY['a', NULL, E'b\u200b"\\'] WHEN 2 THEN (SELECT array_agg('item ' || n) FROM generate_series(1, 900) AS n) ELSE ARRAY[repeat('z', 9000), 'after'] END"#.to_owned(),
        Kind::IntegerList => "CASE i % 3 WHEN 0 THEN ARRAY[]::integer[] WHEN 1 THEN ARRAY[1, NULL, -7] ELSE (SELECT array_agg(n) FROM generate_series(1, 2000) AS n) END".to_owned(),
    };
    if field.required {
        value
    } else {
        format!("CASE WHEN (i + {place}) % 5 = 0 THEN NULL ELSE {value} END")
    }
}

fn array(values: &[&str]) -> String {
    format!("ARRAY[{}]", values.join(", "))
}

/// A house with rows in every table; tables that refuse these values hold none.
async fn house() -> House {
    let house = House::build().await;
    for (number, table) in catalog::tables()
        .filter(|table| table.is_stored())
        .enumerate()
    {
        let connection = house
            .connect(&table.target(), &format!("{number:02} {}", table.name))
            .await;
        house.fill_with(value, connection, table, 1, ROWS).await;
        let stamps = format!(
            "UPDATE {} SET synced_at = '2026-03-01T07:08:09.123456Z', updated_at = '2026-02-01T00:00:00Z',
             raw = CASE WHEN source_id <> 'row 2' THEN jsonb_build_object('id', source_id, 'text', repeat(E'r\u{200b}\"\\\\', 300)) END,
             extra = '{{\"x\": [1.10, null]}}'",
            table.target()
        );
        house.owner.batch_execute(&stamps).await.unwrap();
    }
    house
}

/// The text of the reply, without what is random.
async fn told(house: &House, tool: &str, arguments: &Value) -> String {
    match house.call(tool, arguments.clone()).await.reply {
        Reply::Answer(text) => {
            let plain = text.to_string();
            let string = serde_json::to_string(&plain).unwrap();
            assert_eq!(format!("\"{}\"", text.as_escaped()), string);
            mask(&plain)
        }
        other => format!("{other:?}"),
    }
}

fn mask(text: &str) -> String {
    let mut text = text.to_owned();
    for name in ["next_cursor", "change_cursor", "cursor", "changed_since"] {
        let begin = format!("\"{name}\":\"");
        if let Some(at) = text.find(&begin).map(|at| at + begin.len()) {
            let end = at + text[at..].find('"').unwrap();
            text.replace_range(at..end, "CURSOR");
        }
    }
    mask_nonces(&text)
}

/// A nonce has twelve characters, of a fence that was forged five.
fn mask_nonces(text: &str) -> String {
    const BEGIN: &str = "<<<data ";
    let nonce = text.match_indices(BEGIN).find_map(|(at, _)| {
        let (nonce, rest) = text[at + BEGIN.len()..].split_at_checked(12)?;
        rest.starts_with("\\n").then(|| nonce.to_owned())
    });
    match nonce {
        Some(nonce) => text.replace(&nonce, "NONCE-NONCE-"),
        None => text.to_owned(),
    }
}

#[derive(Default)]
struct Told(String);

impl Told {
    async fn ask(&mut self, house: &House, tool: &str, arguments: &Value) {
        let text = told(house, tool, arguments).await;
        let arguments = mask(&arguments.to_string());
        writeln!(self.0, "== {tool} {arguments}").unwrap();
        if text.len() <= WHOLE_BYTES_MAX {
            writeln!(self.0, "{text}").unwrap();
            return;
        }
        let digest: String = Sha256::digest(&text)
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let letters: Vec<char> = text.chars().collect();
        let (begin, end) = (&letters[..300], &letters[letters.len() - 150..]);
        let (begin, end): (String, String) = (begin.iter().collect(), end.iter().collect());
        writeln!(
            self.0,
            "{begin}\n... {} bytes, {digest} ...\n{end}",
            text.len()
        )
        .unwrap();
    }

    fn keep(self, name: &str) {
        assert_kept(&format!("tests/it/query/written/{name}.txt"), &self.0);
    }
}

fn names(table: &Table) -> Vec<&'static str> {
    sextant::query::column::all(table)
        .map(|column| column.name)
        .collect()
}

async fn tables(house: &House) {
    let mut answers = Told::default();
    for table in catalog::tables() {
        let target = table.target();
        let mut names = names(table);
        names.retain(|name| *name != "updated_at" || table.is_stored());
        for asked in [
            json!({"target": target}),
            json!({"target": target, "format": "records", "limit": 2, "select": names}),
            json!({"target": target, "select": names, "budget": 25000, "count": true}),
        ] {
            answers.ask(house, "query", &asked).await;
        }
    }
    answers.keep("tables");
}

async fn budgets(house: &House) {
    let mut answers = Told::default();
    for budget in BUDGETS {
        for (target, order) in [
            ("mail.messages", "-received_at"),
            ("finance.transactions", "-amount"),
            ("contacts.people", "id"),
        ] {
            for format in ["rows", "records"] {
                let asked = json!({"target": target, "budget": budget, "format": format, "order_by": [order]});
                answers.ask(house, "query", &asked).await;
            }
        }
        let bodies = json!({"target": "mail.messages", "select": ["subject", "body_text", "id"], "budget": budget});
        answers.ask(house, "query", &bodies).await;
    }
    answers.keep("budgets");
}

async fn pages(house: &House) {
    let mut answers = Told::default();
    for (asked, pages) in [
        (
            json!({"target": "mail.messages", "order_by": ["subject", "-received_at"], "budget": 700}),
            5,
        ),
        (
            json!({"target": "finance.transactions", "order_by": ["-amount", "booked_on"], "limit": 4}),
            5,
        ),
        (
            json!({"target": "health.samples", "order_by": ["-value", "metric", "start_at"], "limit": 5, "select": ["value", "start_at"]}),
            4,
        ),
        (
            json!({"target": "mail.messages", "search": "hello", "order_by": ["-rank"], "limit": 1}),
            1,
        ),
    ] {
        let mut asked = asked;
        for _ in 0..pages {
            answers.ask(house, "query", &asked).await;
            let answer = match house.call("query", asked.clone()).await.reply {
                Reply::Answer(text) => serde_json::from_str::<Value>(&text.to_string()).unwrap(),
                _ => break,
            };
            if answer["next_cursor"].is_null() {
                break;
            }
            asked["cursor"] = answer["next_cursor"].clone();
        }
    }
    answers.keep("pages");
}

async fn groups(house: &House) {
    let mut answers = Told::default();
    let all = |field: &str| {
        [
            "count",
            "count_distinct",
            "sum",
            "avg",
            "min",
            "max",
            "median",
        ]
        .map(|name| (name.to_owned(), format!("{name}({field})").into()))
        .into_iter()
        .collect::<serde_json::Map<String, Value>>()
    };
    let texts = json!({"least": "min(subject)", "most": "max(subject)", "n": "count"});
    for asked in [
        json!({"target": "finance.transactions", "group_by": ["currency"], "aggregate": all("amount")}),
        json!({"target": "finance.transactions", "group_by": ["status", "booked_on:month"], "format": "records"}),
        json!({"target": "health.samples", "group_by": ["start_at:hour", "start_at:weekday"], "where": {"start_at": {"gte": "1999-01-01", "lt": "2030-01-01"}}, "aggregate": {"n": "count", "last": "max(end_at)"}}),
        json!({"target": "health.samples", "group_by": ["start_at:hour"], "where": {"start_at": {"gte": "1999-01-01", "lt": "2030-01-01"}}, "limit": 2, "format": "records"}),
        json!({"target": "mail.attachments", "group_by": ["connection"], "aggregate": all("size")}),
        json!({"target": "mail.messages", "group_by": ["is_read"], "aggregate": texts, "budget": 500}),
        json!({"target": "mail.messages", "group_by": ["is_read"], "aggregate": texts}),
        json!({"target": "mail.messages", "group_by": ["subject"], "budget": 600}),
        json!({"target": "calendar.events", "group_by": ["start_at:year", "start_at:quarter", "start_at:week", "start_at:day"]}),
        json!({"target": "finance.transactions", "aggregate": {"n": "count"}, "where": {"amount": 77}}),
    ] {
        answers.ask(house, "query", &asked).await;
    }
    answers.keep("groups");
}

async fn records(house: &House) {
    let mut answers = Told::default();
    for table in catalog::tables() {
        let target = table.target();
        let ids = house
            .answer(
                "query",
                json!({"target": target, "select": ["id"], "order_by": ["id"], "limit": 2}),
            )
            .await;
        for row in ids["rows"].as_array().unwrap() {
            let id = &row[0];
            answers
                .ask(house, "get_record", &json!({"target": target, "id": id}))
                .await;
        }
        let id = &ids["rows"][0][0];
        answers
            .ask(
                house,
                "get_record",
                &json!({"target": target.split('.').next(), "id": id, "raw": true}),
            )
            .await;
        if !PIECEMEAL.contains(&target.as_str()) {
            continue;
        }
        for name in names(table).into_iter().chain(["raw"]) {
            for from in [0, 3, 500] {
                let asked = json!({"target": target, "id": id, "field": name, "from": from});
                answers.ask(house, "get_record", &asked).await;
            }
        }
    }
    let missing = json!({"target": "mail", "id": "00000000-0000-0000-0000-00000000000f"});
    answers.ask(house, "get_record", &missing).await;
    answers.keep("records");
}

/// A text that is longer than an answer.
async fn long_record(house: &House) {
    let mut answers = Told::default();
    house
        .owner
        .batch_execute(r#"UPDATE mail.messages SET body_text = repeat(E'l\u00f6ng \u200b"\\ ', 200000), subject = repeat('s', 300000) WHERE source_id = 'row 1'"#)
        .await
        .unwrap();
    let id = house.answer("query", json!({"target": "mail.messages", "select": ["id"], "order_by": ["id"], "where": {"subject": {"starts_with": "sssss"}}})).await["rows"][0][0].clone();
    for asked in [
        json!({"target": "mail.messages", "id": id}),
        json!({"target": "mail.messages", "id": id, "field": "body_text"}),
        json!({"target": "mail.messages", "id": id, "field": "body_text", "from": 1000001}),
        json!({"target": "mail.messages", "id": id, "field": "body_text", "from": 9000001}),
    ] {
        answers.ask(house, "get_record", &asked).await;
    }
    answers.keep("long_record");
}

async fn others(house: &House) {
    let mut answers = Told::default();
    for asked in [
        json!({"target": "mail.messages", "where": {"subject": "nothing is called this"}}),
        json!({"target": "mail.messages", "where": {"subject": "nothing is called this"}, "budget": 500, "format": "records"}),
        json!({"target": "finance.transactions", "where": {"status": "nosuch"}}),
    ] {
        answers.ask(house, "query", &asked).await;
    }
    for asked in [
        json!({"target": "mail.messages", "limit": 2, "select": ["subject", "is_read"]}),
        json!({"target": "mail.messages", "budget": 500}),
        json!({"target": "mail"}),
    ] {
        answers.ask(house, "fetch_live", &asked).await;
    }
    let mut asked = json!({"target": "mail.messages", "select": ["subject", "is_read"]});
    asked["changed_since"] = house.query(asked.clone()).await["change_cursor"].clone();
    answers.ask(house, "query", &asked).await;
    house
        .owner
        .batch_execute(
            "UPDATE mail.messages SET deleted_at = now(), changed_xid = pg_current_xact_id() WHERE source_id IN ('row 3', 'row 4', 'row 9');
             UPDATE mail.messages SET is_read = true, changed_xid = pg_current_xact_id() WHERE source_id IN ('row 5', 'row 6', 'row 7')",
        )
        .await
        .unwrap();
    for format in ["rows", "records"] {
        for budget in [500, 600, 700, 8000] {
            asked["format"] = json!(format);
            asked["budget"] = json!(budget);
            answers.ask(house, "query", &asked).await;
        }
    }
    answers.keep("others");
}

#[actix_rt::test]
async fn the_tools_answer_what_is_kept() {
    let house = house().await;
    tables(&house).await;
    budgets(&house).await;
    pages(&house).await;
    groups(&house).await;
    records(&house).await;
    others(&house).await;
    long_record(&house).await;
}
