//! Each operator on each kind of field, on rows whose answers can be counted by hand.

use serde_json::{Value, json};

use super::house::House;

/// Three transactions, two people, a workout: small enough to work out by hand.
async fn house_with_rows() -> House {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let book = house.connect("contacts.people", "Book").await;
    let watch = house.connect("health.workouts", "Watch").await;
    let user = sextant_actors::domain::OPERATOR;
    let insert = format!(
        "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, description,
            category, transacted_at, source_id_is_synthetic, own_account_id, balance_after)
         VALUES ('{0}', '{user}', '{bank}', 'a', -12.5, '2026-03-16', 'Café 100% Müller', 'coffee',
            '2026-03-16T23:30:00Z', true, '{0}', 1000.0001),
            ('{1}', '{user}', '{bank}', 'b', 2000, '2026-03-01', 'Salary_march', NULL, '2026-03-01T08:00:00Z', false, NULL, NULL),
            ('{2}', '{user}', '{bank}', 'c', -0.01, '2026-02-28', NULL, 'fee', NULL, NULL, NULL, -5);
         INSERT INTO finance.transactions (id, user_id, connection_id, source_id, removed_at)
         VALUES ('{3}', '{user}', '{bank}', 'gone', now());
         INSERT INTO contacts.people (id, user_id, connection_id, source_id, full_name, emails, categories)
         VALUES ('{0}', '{user}', '{book}', 'a', 'Zoë Åström', '[{{\"address\": \"zoe@example.org\", \"label\": \"home\"}}]',
            ARRAY['friends', 'choir']), ('{1}', '{user}', '{book}', 'b', 'Bob', NULL, NULL);
         INSERT INTO health.workouts (id, user_id, connection_id, source_id, start_at, zone_ms, strain, sport_id)
         VALUES ('{0}', '{user}', '{watch}', 'a', '2026-03-29T00:30:00Z', ARRAY[1, 2], 7.25, 3),
            ('{1}', '{user}', '{watch}', 'b', '2026-03-29T22:30:00Z', NULL, NULL, 4);",
        id(1), id(2), id(3), id(4)
    );
    house.owner.batch_execute(&insert).await.unwrap();
    house
}

fn id(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(number)
}

/// The rows that match, by the last digit of their ids, in the table's own order.
async fn matching(house: &House, target: &str, filter: Value) -> String {
    let ids = house.column(target, "id", filter).await;
    ids.iter()
        .map(|id| id.as_str().unwrap().chars().last().unwrap())
        .collect()
}

#[actix_rt::test]
async fn each_operator_finds_what_it_should() {
    let house = house_with_rows().await;
    let transactions = [
        (json!({}), "123"),
        (json!({"amount": -12.5}), "1"),
        (json!({"amount": "-12.5000"}), "1"),
        (json!({"amount": {"lt": 0}}), "13"),
        (json!({"amount": {"lte": -0.01}}), "13"),
        (json!({"amount": {"gt": -0.01}}), "2"),
        (json!({"amount": {"gte": -0.01, "lt": 5000}}), "23"),
        (json!({"amount": [2000, -0.01]}), "23"),
        (json!({"amount": {"not_in": [2000]}}), "13"),
        (json!({"balance_after": {"ne": -5}}), "12"),
        (json!({"balance_after": {"not_in": [-5]}}), "12"),
        (json!({"balance_after": {"not_in": [-5, null]}}), "1"),
        (json!({"balance_after": {"in": [-5, null]}}), "23"),
        (json!({"category": null}), "2"),
        (json!({"category": {"is_null": false}}), "13"),
        (json!({"category": {"ne": "fee"}}), "12"),
        (json!({"category": ["fee", "coffee"]}), "13"),
        (json!({"category": []}), ""),
        (json!({"category": {"not_in": []}}), "123"),
        (json!({"description": {"contains": "müller"}}), "1"),
        (json!({"description": {"contains": "CAFÉ"}}), "1"),
        (json!({"description": {"contains": "0%"}}), "1"),
        (json!({"description": {"contains": "1%"}}), ""),
        (json!({"description": {"contains": "y_m"}}), "2"),
        (json!({"description": {"contains": "_afé"}}), ""),
        (json!({"description": {"starts_with": "sal"}}), "2"),
        (json!({"description": {"starts_with": "march"}}), ""),
        (json!({"description": "salary_march"}), ""),
        (json!({"description": {"gte": "D"}}), "2"),
        (json!({"booked_on": "2026-03-16"}), "1"),
        (json!({"booked_on": {"gte": "start_of_month"}}), "12"),
        (json!({"booked_on": {"lt": "today-1d"}}), "23"),
        (
            json!({"booked_on": {"in": ["2026-03-01", "today-1d"]}}),
            "12",
        ),
        (json!({"transacted_at": "today"}), "1"),
        (json!({"transacted_at": {"gte": "now-13h"}}), "1"),
        (json!({"transacted_at": {"ne": "today"}}), "23"),
        (
            json!({"transacted_at": {"in": ["2026-03-01", "2026-03-16T23:30:00Z"]}}),
            "12",
        ),
        (json!({"source_id_is_synthetic": true}), "1"),
        (json!({"source_id_is_synthetic": {"ne": true}}), "23"),
        (json!({"account_id": id(1)}), "1"),
        (json!({"id": [id(1), id(3), id(4)]}), "13"),
        (
            json!({"connection": "Bank", "as_of": {"is_null": false}}),
            "123",
        ),
        (json!({"connection": {"ne": "Bank"}}), ""),
        (
            json!({"or": [{"category": "fee"}, {"amount": {"gt": 0}}]}),
            "23",
        ),
        (
            json!({"or": [{"category": "fee"}, {"amount": {"gt": 0}}], "booked_on": {"gte": "2026-03-01"}}),
            "2",
        ),
        (json!({"not": {"category": "fee"}}), "12"),
        (
            json!({"not": {"or": [{"category": "fee"}, {"amount": {"gt": 0}}]}}),
            "1",
        ),
        (
            json!({"and": [{"amount": {"lt": 0}}, {"not": {"amount": {"lt": -1}}}]}),
            "3",
        ),
    ];
    for (filter, expected) in transactions {
        assert_eq!(
            matching(&house, "finance.transactions", filter.clone()).await,
            expected,
            "{filter}"
        );
    }
}

#[actix_rt::test]
async fn lists_and_json_match_by_their_elements() {
    let house = house_with_rows().await;
    let people = [
        (json!({"emails": {"contains": "@EXAMPLE"}}), "1"),
        (json!({"emails": {"starts_with": "zoe@"}}), "1"),
        (json!({"emails": "zoe@example.org"}), "1"),
        (json!({"emails": {"contains": "address"}}), ""),
        (json!({"emails": {"ne": "zoe@example.org"}}), "2"),
        (json!({"emails": null}), "2"),
        (json!({"categories": "choir"}), "1"),
        (json!({"categories": {"in": ["work", "friends"]}}), "1"),
        (json!({"categories": {"not_in": ["work"]}}), "21"),
        (json!({"categories": {"contains": "CHO"}}), "1"),
        (json!({"full_name": {"contains": "åström"}}), "1"),
        (json!({"full_name": {"contains": "ZOË"}}), "1"),
    ];
    for (filter, expected) in people {
        assert_eq!(
            matching(&house, "contacts.people", filter.clone()).await,
            expected,
            "{filter}"
        );
    }
    let workouts = [
        (json!({"zone_ms": 2}), "1"),
        (json!({"zone_ms": {"not_in": [2]}}), "2"),
        (json!({"strain": {"gte": 7.25}}), "1"),
        (json!({"sport_id": {"lt": 4}}), "1"),
        // In Berlin the 29th has 23 hours and ends at 22:00 UTC.
        (json!({"start_at": "2026-03-29"}), "1"),
        (json!({"start_at": {"gt": "2026-03-29"}}), "2"),
        (json!({"start_at": {"lte": "2026-03-29"}}), "1"),
    ];
    for (filter, expected) in workouts {
        assert_eq!(
            matching(&house, "health.workouts", filter.clone()).await,
            expected,
            "{filter}"
        );
    }
}

#[actix_rt::test]
async fn each_kind_of_field_leaves_as_it_should() {
    let house = house_with_rows().await;
    let arguments =
        json!({"target": "finance.transactions", "where": {"id": id(1)}, "format": "records"});
    let record = house.query(arguments).await["rows"][0].clone();
    assert_eq!(record["amount"].to_string(), "-12.5000");
    assert_eq!(record["balance_after"].to_string(), "1000.0001");
    assert_eq!(record["booked_on"], "2026-03-16");
    assert_eq!(record["transacted_at"], "2026-03-16T23:30:00Z");
    assert_eq!(record["source_id_is_synthetic"], true);
    assert_eq!(record["account_id"], json!(id(1)));
    assert_eq!(record["connection"], "Bank");
    assert_eq!(record["fx"], Value::Null);
    let person = house
        .query(json!({"target": "contacts.people", "where": {"id": id(1)}, "format": "records"}))
        .await;
    assert_eq!(person["rows"][0]["emails"][0]["address"], "zoe@example.org");
    assert_eq!(person["rows"][0]["categories"], json!(["friends", "choir"]));
    let workout = house
        .query(json!({"target": "health.workouts", "where": {"id": id(1)}, "format": "records"}))
        .await;
    assert_eq!(workout["rows"][0]["zone_ms"], json!([1, 2]));
    assert_eq!(workout["rows"][0]["strain"], 7.25);
}
