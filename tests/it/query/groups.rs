//! Groups and what is computed of them, on rows whose answers can be worked out by hand.

use serde_json::{Value, json};
use sextant::catalog::{self, Kind};
use uuid::Uuid;

use super::house::{House, rows};

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Six bookings in two currencies, and samples around the hour that Berlin has twice.
async fn house_with_rows() -> House {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let watch = house.connect("health.samples", "Watch").await;
    let user = sextant_actors::domain::OPERATOR;
    let bookings = [
        ("-12.5", "'EUR'", "2026-01-31", "'food'"),
        ("-7.25", "'EUR'", "2026-01-01", "'food'"),
        ("-900", "'EUR'", "2026-02-01", "'rent'"),
        ("2000", "'EUR'", "2026-02-28", "NULL"),
        ("-30", "'USD'", "2026-02-10", "'food'"),
        ("-0.0001", "NULL", "2025-12-31", "'fee'"),
    ];
    for (number, (amount, currency, day, category)) in bookings.iter().enumerate() {
        let sql = format!(
            "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, currency, booked_on, category)
             VALUES ('{}', '{user}', '{bank}', '{number}', {amount}, {currency}, '{day}', {category})",
            id(number as u128 + 1)
        );
        house.owner.batch_execute(&sql).await.unwrap();
    }
    let samples = [
        ("steps", "'count'", 1.0, "2026-10-24T21:59:59Z"),
        ("steps", "'count'", 2.0, "2026-10-24T22:00:00Z"),
        ("steps", "'count'", 4.0, "2026-10-25T00:30:00Z"),
        ("steps", "'count'", 8.0, "2026-10-25T01:30:00Z"),
        ("steps", "'count'", 16.0, "2026-10-25T22:59:59Z"),
        ("weight", "'kg'", 80.5, "2026-10-25T05:00:00Z"),
        ("weight", "'lb'", 178.0, "2026-10-25T05:00:00Z"),
    ];
    for (number, (metric, unit, value, at)) in samples.iter().enumerate() {
        let sql = format!(
            "INSERT INTO health.samples (id, user_id, connection_id, source_id, metric, unit, value, start_at)
             VALUES ('{}', '{user}', '{watch}', '{number}', '{metric}', {unit}, {value}, '{at}')",
            id(number as u128 + 100)
        );
        house.owner.batch_execute(&sql).await.unwrap();
    }
    house
}

async fn groups(house: &House, arguments: Value) -> Value {
    json!(rows(&house.query(arguments).await))
}

#[actix_rt::test]
async fn unlike_currencies_are_never_added() {
    let house = house_with_rows().await;
    let spent = json!({"target": "finance.transactions", "where": {"amount": {"lt": 0}},
        "group_by": ["category"], "aggregate": {"spent": "sum(amount)", "n": "count"}, "order_by": ["spent"]});
    let answer = house.query(spent).await;
    assert_eq!(
        answer["columns"],
        json!(["category", "currency", "n", "spent"])
    );
    let expected = r#"[["rent","EUR",1,-900.0000],["food","USD",1,-30.0000],["food","EUR",2,-19.7500],["fee",null,1,-0.0001]]"#;
    assert_eq!(answer["rows"].to_string(), expected);
    assert_eq!(
        (&answer["matched"], &answer["next_cursor"]),
        (&json!(4), &Value::Null)
    );
    let note = answer["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("`currency` was added to the groups"),
        "{note}"
    );
}

#[actix_rt::test]
async fn each_function_computes_what_it_says() {
    let house = house_with_rows().await;
    let all = json!({"target": "finance.transactions", "where": {"currency": "EUR"}, "aggregate": {
        "a": "count", "b": "count(category)", "c": "count_distinct(category)", "d": "sum(amount)",
        "e": "avg(amount)", "f": "min(amount)", "g": "max(booked_on)", "h": "median(amount)", "i": "min(category)"}});
    let expected = r#"[[4,3,2,1080.2500,270.0625,-900.0000,"2026-02-28",-9.875,"food"]]"#;
    assert_eq!(groups(&house, all).await.to_string(), expected);
    let odd = json!({"target": "finance.transactions", "where": {"currency": "EUR", "category": {"is_null": false}},
        "aggregate": {"m": "median(amount)"}});
    assert_eq!(groups(&house, odd).await.to_string(), "[[-12.5]]");
    let floats = json!({"target": "health.samples", "where": {"metric": "steps", "unit": "count"},
        "aggregate": {"m": "median(value)", "mean": "avg(value)", "sum": "sum(value)"}});
    assert_eq!(groups(&house, floats).await, json!([[4.0, 6.2, 31.0]]));
}

/// PostgreSQL's own division would stop at sixteen digits in all.
#[actix_rt::test]
async fn means_and_medians_of_large_amounts_keep_their_digits() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let user = sextant_actors::domain::OPERATOR;
    let insert = format!(
        "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, currency, booked_on)
         SELECT md5(v::text)::uuid, '{user}', '{bank}', v::text, v, 'EUR', '2026-01-01'
         FROM unnest(ARRAY[100000000000000, 3456789012345.6789, 0.0001, -100000000000000.0001]) AS v"
    );
    house.owner.batch_execute(&insert).await.unwrap();
    let of = |least: f64| {
        json!({"target": "finance.transactions", "where": {"currency": "EUR", "amount": {"gte": least}},
            "aggregate": {"m": "median(amount)", "mean": "avg(amount)"}})
    };
    let two = groups(&house, of(1.0)).await.to_string();
    assert_eq!(two, "[[51728394506172.83945,51728394506172.83945]]");
    let three = groups(&house, of(0.0)).await.to_string();
    assert_eq!(three, "[[3456789012345.6789,34485596337448.55966667]]");
}

#[actix_rt::test]
async fn unlike_units_stay_apart() {
    let house = house_with_rows().await;
    let mean = json!({"target": "health.samples", "aggregate": {"mean": "avg(value)"}});
    let expected = json!([
        ["steps", "count", 6.2],
        ["weight", "kg", 80.5],
        ["weight", "lb", 178.0]
    ]);
    assert_eq!(groups(&house, mean).await, expected);
}

#[actix_rt::test]
async fn buckets_are_those_of_local_time_across_the_change_of_the_clock() {
    let house = house_with_rows().await;
    let steps = |bucket: &str| {
        json!({"target": "health.samples", "where": {"metric": "steps", "unit": "count"},
            "group_by": [format!("start_at:{bucket}")], "aggregate": {"sum": "sum(value)"}})
    };
    let cases = [
        ("day", json!([["2026-10-24", 1.0], ["2026-10-25", 30.0]])),
        ("week", json!([["2026-10-19", 31.0]])),
        ("month", json!([["2026-10-01", 31.0]])),
        ("quarter", json!([["2026-10-01", 31.0]])),
        ("year", json!([["2026-01-01", 31.0]])),
        ("weekday", json!([[6, 1.0], [7, 30.0]])),
        (
            "hour",
            json!([
                ["2026-10-24T23:00:00+02:00", 1.0],
                ["2026-10-25T00:00:00+02:00", 2.0],
                ["2026-10-25T02:00:00+02:00", 4.0],
                ["2026-10-25T02:00:00+01:00", 8.0],
                ["2026-10-25T23:00:00+01:00", 16.0]
            ]),
        ),
    ];
    for (bucket, expected) in cases {
        assert_eq!(groups(&house, steps(bucket)).await, expected, "{bucket}");
    }
    let months = json!({"target": "finance.transactions", "group_by": "booked_on:month"});
    let expected = json!([["2025-12-01", 1], ["2026-01-01", 2], ["2026-02-01", 3]]);
    assert_eq!(groups(&house, months).await, expected);
}

#[actix_rt::test]
async fn what_is_not_in_the_answer_is_said() {
    let house = house_with_rows().await;
    let two = json!({"target": "finance.transactions", "group_by": "booked_on", "order_by": "-booked_on", "limit": 2});
    let answer = house.query(two).await;
    assert_eq!(
        rows(&answer),
        [
            [json!("2026-02-28"), json!(1)],
            [json!("2026-02-10"), json!(1)]
        ]
    );
    assert_eq!(answer["matched"], 6);
    assert!(
        answer["notes"][0]
            .as_str()
            .unwrap()
            .contains("more groups than `limit`")
    );
    let none = json!({"target": "finance.transactions", "where": {"category": "yachts"}, "aggregate": {"n": "count"}});
    let answer = house.query(none).await;
    assert_eq!(answer["rows"], json!([[0]]));
    assert_eq!(answer["empty"]["reason"], "no_match");
}

#[actix_rt::test]
async fn groups_by_connection_leave_out_deleted_rows() {
    let house = house_with_rows().await;
    let user = sextant_actors::domain::OPERATOR;
    let sql = format!(
        "UPDATE finance.transactions SET removed_at = now() WHERE user_id = '{user}' AND currency = 'USD'"
    );
    house.owner.batch_execute(&sql).await.unwrap();
    let asked =
        json!({"target": "finance.transactions", "group_by": ["connection"], "format": "records"});
    assert_eq!(
        house.query(asked).await["rows"],
        json!([{"connection": "Bank", "count": 5}])
    );
}

/// Every function of every field, and every bucket of every time, is a statement that PostgreSQL accepts.
#[actix_rt::test]
async fn every_measure_and_key_of_every_table_is_accepted() {
    let house = House::build().await;
    for table in catalog::tables() {
        let connection = house.connect(&table.target(), &table.target()).await;
        if table.is_stored() {
            house.fill(connection, table, 1, 20).await;
        }
        for field in table.fields {
            for function in [
                "count",
                "count_distinct",
                "sum",
                "avg",
                "min",
                "max",
                "median",
            ] {
                let aggregate = json!({"x": format!("{function}({})", field.name)});
                accepted(
                    &house,
                    &json!({"target": table.target(), "aggregate": aggregate, "order_by": "-x"}),
                )
                .await;
            }
            let buckets: &[&str] = match field.kind {
                Kind::Date | Kind::Timestamp => &[
                    "", ":hour", ":day", ":week", ":month", ":quarter", ":year", ":weekday",
                ],
                _ => &[""],
            };
            for bucket in buckets {
                let key = format!("{}{bucket}", field.name);
                accepted(
                    &house,
                    &json!({"target": table.target(), "group_by": [key]}),
                )
                .await;
            }
        }
    }
}

/// Asserts that the query is answered, or refused for the field's kind with a suggestion that runs.
async fn accepted(house: &House, arguments: &Value) {
    use sextant_actors::domain::Reply;
    match house.call("query", arguments.clone()).await.reply {
        Reply::Answer(_) => {}
        Reply::Fault(text) if text.contains("does not take") || text.contains("has no hour") => {
            let (_, call) = text.split_once("Try: ").unwrap_or_else(|| panic!("{text}"));
            house.query(serde_json::from_str(call).unwrap()).await;
        }
        Reply::Fault(text) if text.contains("makes no groups") => {}
        other => panic!("{arguments}: {other:?}"),
    }
}
