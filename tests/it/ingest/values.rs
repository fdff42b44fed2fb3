//! Every field of every pushable table with values it does not accept: each is refused with place, field and reason,
//! and no value causes an internal error.

use serde_json::Value;
use sextant::catalog::{self, Field, Kind, Table};
use sextant::ingest::limits::{NUMBER_CHARACTERS_MAX, PROBLEMS_MAX};

use super::records::full_record;
use super::{Device, rows};
use crate::support::TestApp;
use crate::support::app::settings;

/// Values that are not of this kind, as JSON texts: some are numbers that no type in memory can hold.
fn wrong(kind: Kind) -> Vec<&'static str> {
    let own: &[&str] = match kind {
        Kind::Text => &["[\"a\"]"],
        Kind::Integer | Kind::BigInteger => &[
            "\"seven\"",
            "\"\"",
            "\"NaN\"",
            "\"0x10\"",
            "\"١٢\"",
            "\"1_000\"",
            "1.5",
            "1e400",
            "-1e400",
            "1e-400",
            "9223372036854775808",
            "[7]",
            "true",
        ],
        Kind::Float => &[
            "\"7.25\"",
            "\"NaN\"",
            "\"Infinity\"",
            "1e400",
            "-1e400",
            "[7.25]",
            "true",
        ],
        Kind::Decimal { .. } => &[
            "\"$120\"",
            "\"12,50\"",
            "\"NaN\"",
            "\"-Infinity\"",
            "\"\"",
            "\" 1\"",
            "1e400",
            "1e28",
            "1.00000000001",
            "99999999999999999999999999999",
            "[7.25]",
            "true",
        ],
        Kind::Boolean => &["\"true\"", "0", "1", "[true]"],
        Kind::Date => &[
            "\"2023-02-29\"",
            "\"2026-13-01\"",
            "\"2026-04-31\"",
            "\"2026-03-29T00:00:00Z\"",
            "\"0000-01-01\"",
            "\"-0001-01-01\"",
            "\"10000-01-01\"",
            "\"today\"",
            "\"infinity\"",
            "\"\"",
            "20260329",
            "true",
            "[]",
        ],
        Kind::Timestamp => &[
            "\"2026-02-30T10:00:00Z\"",
            "\"2026-03-29T25:00:00Z\"",
            "\"2026-03-29T09:00:00+25:00\"",
            "\"2026-03-29\"",
            "\"0000-01-01T00:00:00Z\"",
            "\"9999-12-31T23:59:59-05:00\"",
            "\"now\"",
            "\"infinity\"",
            "\"\"",
            "1700000000",
            "true",
            "[]",
        ],
        Kind::Id => &["\"\"", "true", "[\"a\"]"],
        Kind::Json => &["1e400", "[{\"deep\": -1e400}]"],
        Kind::TextList => &["[[\"a\"]]", "[{}]", "[null]", "true"],
        Kind::IntegerList => &["[\"x\"]", "[1.5]", "[null]", "[1e400]", "\"x\"", "true"],
    };
    let object: &[&str] = if kind == Kind::Json {
        &[]
    } else {
        &["{\"a\":1}"]
    };
    [own, object].concat()
}

/// Edge cases: a field may accept or refuse each of them, and the service must not fail.
fn edges() -> Vec<String> {
    let texts = [
        "\\u0000",
        "\\ud800",
        "\\udc00\\ud800",
        "\u{feff}",
        "\u{10ffff}",
        "\u{202e}",
        "'; DROP TABLE users; --",
        "\\\\",
        "\\\\x00",
        "{1,2}",
        "NULL",
        "0001-01-01",
        "9999-12-31",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
        "2016-12-31T23:59:60Z",
        "2016-12-31T23:59:60.999999999Z",
        "2026-03-29T02:30:00",
        "FREQ=SECONDLY",
        "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "Etc/GMT+12",
        "00000000-0000-0000-0000-000000000000",
    ];
    let raw = [
        "-0",
        "-0.0",
        "0e5",
        "1e-400",
        "5e-324",
        "-1.7976931348623157e308",
        "2147483647",
        "-2147483648",
        "-9223372036854775808",
        "0.1234567890123456789012345678901234567890",
        "null",
        "[]",
        "{}",
        "{\"$serde_json::private::Number\":\"1\"}",
        "{\"a\":1,\"a\":[2]}",
        "{\"\":{\"\":\"\"}}",
    ];
    let quoted = texts.iter().map(|text| format!("\"{text}\""));
    quoted
        .chain(raw.map(str::to_owned))
        .chain([unlike(600), unlike(3_000), unlike(150_000)].map(|text| format!("\"{text}\"")))
        .chain([format!("1{}", "0".repeat(NUMBER_CHARACTERS_MAX))])
        .collect()
}

/// A text that hardly compresses.
fn unlike(length: usize) -> String {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'a' + u8::try_from(state % 26).unwrap())
    };
    (0..length).map(|_| next()).collect()
}

/// The JSON line of a valid record in which this field is `value`.
fn line(table: &Table, field: &Field, value: &str, ordinal: usize) -> String {
    let mut record = full_record(table);
    let members = record.as_object_mut().unwrap();
    members.remove(field.name);
    members.insert("id".to_owned(), format!("{}-{ordinal}", field.name).into());
    let record = record.to_string();
    format!("{{\"{}\":{value},{}\n", field.name, &record[1..])
}

fn pushable() -> impl Iterator<Item = &'static Table> {
    catalog::tables().filter(|table| table.is_pushable())
}

async fn app() -> TestApp {
    let mut settings = settings();
    settings.pushes.body_bytes_max = 64 * 1024 * 1024;
    TestApp::start_with(settings).await
}

#[actix_web::test]
async fn what_is_no_value_of_a_field_is_refused_by_name_and_nothing_is_stored() {
    let app = app().await;
    for table in pushable() {
        let device = Device::of(&app, &table.target()).await;
        let mut lines = String::new();
        let mut sent = Vec::new();
        for field in table.fields {
            let mut values = wrong(field.kind);
            values.extend(field.required.then_some("null"));
            values.extend((!field.values.is_empty()).then_some("\"no such value\""));
            for value in values {
                lines += &line(table, field, value, sent.len());
                sent.push((field.name, value));
            }
        }
        let refused = device.push_lines(&lines).await.expect(400);
        assert_eq!(
            refused["problems"].as_array().unwrap().len(),
            sent.len().min(PROBLEMS_MAX)
        );
        let listed = device
            .send(
                "?partial=true",
                &[("content-type", "application/x-ndjson")],
                lines.into_bytes(),
            )
            .await
            .expect(200);
        let target = table.target();
        let rejected = listed["rejected"].as_array().unwrap();
        for (index, (name, value)) in sent.iter().enumerate() {
            let problem = rejected.iter().find(|problem| problem["index"] == index);
            let problem = problem.unwrap_or_else(|| panic!("{target}.{name} takes {value}"));
            assert_eq!(problem["field"], *name, "{target} {value}: {problem}");
            let said = problem["message"].as_str().unwrap();
            assert!(
                said.contains("must") || said.contains("required") || said.contains("too large"),
                "{said}"
            );
        }
        assert!(
            rows(&app, &format!("SELECT id FROM {target}"))
                .await
                .is_empty()
        );
    }
}

#[actix_web::test]
async fn no_value_at_the_edge_of_anything_is_a_fault_of_the_service() {
    let app = app().await;
    let edges = edges();
    let mut faults = Vec::new();
    for table in pushable() {
        let device = Device::of(&app, &table.target()).await;
        for field in table.fields {
            let lines = |edges: &[String]| -> String {
                let numbered = edges.iter().enumerate();
                numbered
                    .map(|(ordinal, value)| line(table, field, value, ordinal))
                    .collect()
            };
            let push = async |lines: String| {
                let lines_type = [("content-type", "application/x-ndjson")];
                device
                    .send("?partial=true", &lines_type, lines.into_bytes())
                    .await
            };
            if push(lines(&edges)).await.status == 200 {
                continue;
            }
            for value in &edges {
                let answer = push(lines(std::slice::from_ref(value))).await;
                if answer.status != 200 {
                    let shown: Value = value.chars().take(60).collect::<String>().into();
                    faults.push(format!(
                        "{}.{} {shown} {}: {}",
                        table.target(),
                        field.name,
                        value.len(),
                        answer.text
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
