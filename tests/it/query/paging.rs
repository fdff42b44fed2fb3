//! The pages of an answer add up to the whole, in order, whatever the order and wherever the nulls, while rows are
//! added and deleted.

use serde_json::{Value, json};
use sextant::catalog::{self, Origin, Table};
use sextant::query::column;

use super::house::{House, rows};

const ROWS: i32 = 60;
const PAGE: usize = 9;

/// All pages of a query, one after the other.
async fn pages(house: &House, mut arguments: Value) -> Vec<Vec<Value>> {
    arguments["limit"] = json!(PAGE);
    let mut all = Vec::new();
    loop {
        let answer = house.query(arguments.clone()).await;
        let page = rows(&answer);
        assert!(page.len() == PAGE || answer["next_cursor"].is_null());
        all.extend(page);
        if answer["next_cursor"].is_null() {
            return all;
        }
        arguments["cursor"] = answer["next_cursor"].clone();
    }
}

async fn whole(house: &House, mut arguments: Value) -> Vec<Vec<Value>> {
    arguments["limit"] = json!(1000);
    arguments["budget"] = json!(25000);
    let answer = house.query(arguments).await;
    assert_eq!(answer["matched"], answer["returned"]);
    rows(&answer)
}

async fn fill(house: &House, table: &Table, from: i32, to: i32) {
    let connection = uuid::Uuid::from_u128(1);
    let sql = "INSERT INTO connections (id, user_id, provider, label, sector, target_table)
        VALUES ($1, $2, 'push', 'All', 'home', 'home.entities') ON CONFLICT DO NOTHING";
    house
        .owner
        .execute(sql, &[&connection, &sextant_actors::domain::OPERATOR])
        .await
        .unwrap();
    house.publish_connections().await;
    house.fill(connection, table, from, to).await;
}

#[actix_rt::test]
async fn every_table_in_every_order_pages_to_the_whole() {
    let house = House::build().await;
    for table in catalog::tables().filter(|table| table.origin != Origin::View) {
        fill(&house, table, 1, ROWS).await;
    }
    for table in catalog::tables() {
        let orderable = column::all(table).filter(|column| column.is_orderable());
        for name in orderable.map(|column| column.name) {
            for order in [json!([name]), json!([format!("-{name}")])] {
                let arguments =
                    json!({"target": table.target(), "select": ["id"], "order_by": order});
                let whole = whole(&house, arguments.clone()).await;
                assert!(table.origin == Origin::View || whole.len() == ROWS as usize);
                assert_eq!(pages(&house, arguments.clone()).await, whole, "{arguments}");
            }
        }
    }
}

#[actix_rt::test]
async fn mixed_directions_nulls_and_filters_page_to_the_whole() {
    let house = House::build().await;
    for target in ["finance.transactions", "home.entities"] {
        fill(&house, catalog::by_target(target).unwrap(), 1, ROWS).await;
    }
    for arguments in [
        json!({"target": "finance.transactions", "order_by": ["category", "-amount", "value_on"]}),
        json!({"target": "finance.transactions", "order_by": ["-category", "-status", "booked_on"]}),
        json!({"target": "finance.transactions", "order_by": ["source_id_is_synthetic", "-id"]}),
        json!({"target": "finance.transactions", "search": "wörd"}),
        json!({"target": "finance.transactions", "where": {"amount": {"gt": 0}}}),
        json!({"target": "home.entities", "order_by": ["-connection", "state_num"]}),
        json!({"target": "home.entities", "order_by": ["as_of", "-last_changed"]}),
    ] {
        let mut arguments = arguments;
        arguments["select"] = json!(["id"]);
        let whole = whole(&house, arguments.clone()).await;
        assert!(whole.len() > PAGE, "{arguments}");
        assert_eq!(pages(&house, arguments.clone()).await, whole, "{arguments}");
    }
}

#[actix_rt::test]
async fn nulls_come_last_in_either_direction() {
    let house = House::build().await;
    fill(
        &house,
        catalog::by_target("finance.transactions").unwrap(),
        1,
        ROWS,
    )
    .await;
    for order in ["category", "-category"] {
        let arguments =
            json!({"target": "finance.transactions", "select": ["category"], "order_by": [order]});
        let values = pages(&house, arguments).await;
        let first_null = values.iter().position(|row| row[0].is_null()).unwrap();
        assert!(first_null > 0 && values[first_null..].iter().all(|row| row[0].is_null()));
    }
}

/// Between pages, rows that were returned and rows that were not are deleted, and new ones are added on both sides.
#[actix_rt::test]
async fn a_row_that_stays_is_seen_exactly_once_while_others_come_and_go() {
    let house = House::build().await;
    let table = catalog::by_target("finance.transactions").unwrap();
    fill(&house, table, 1, ROWS).await;
    let mut arguments = json!({"target": table.target(), "select": ["id"], "order_by": ["category", "-amount"], "limit": PAGE});
    let everything = whole(&house, arguments.clone()).await;
    let mut seen = Vec::new();
    let mut round = 0;
    loop {
        let answer = house.query(arguments.clone()).await;
        seen.extend(rows(&answer).into_iter().map(|row| row[0].clone()));
        if answer["next_cursor"].is_null() {
            break;
        }
        arguments["cursor"] = answer["next_cursor"].clone();
        round += 1;
        let churn =
            format!(
            "DELETE FROM finance.transactions WHERE source_id = 'row {}' OR source_id = 'row {}';
             UPDATE finance.transactions SET removed_at = now() WHERE source_id = 'row {}'",
            round * 3, ROWS - round * 3, round * 5 + 1
        );
        house.owner.batch_execute(&churn).await.unwrap();
        fill(&house, table, 1000 * round, 1000 * round + 6).await;
        assert!(round < 50);
    }
    let left = whole(&house, json!({"target": table.target(), "select": ["id"]})).await;
    let stayed = everything.iter().filter(|row| left.contains(row));
    for row in stayed {
        let times = seen.iter().filter(|id| **id == row[0]).count();
        assert_eq!(times, 1, "{row:?}");
    }
    let mut distinct = seen.clone();
    distinct.sort_by_key(ToString::to_string);
    distinct.dedup();
    assert_eq!(distinct.len(), seen.len(), "no row twice");
}

#[actix_rt::test]
async fn a_cursor_serves_its_own_query_only_and_holds_no_right() {
    let mut house = House::build().await;
    fill(
        &house,
        catalog::by_target("finance.transactions").unwrap(),
        1,
        ROWS,
    )
    .await;
    let first = house
        .query(json!({"target": "finance.transactions", "limit": 5}))
        .await;
    let cursor = &first["next_cursor"];
    let other =
        json!({"target": "finance.transactions", "where": {"amount": {"lt": 0}}, "cursor": cursor});
    assert!(
        house
            .fault("query", other)
            .await
            .contains("belongs to another query")
    );
    let same =
        json!({"target": "finance.transactions", "limit": 7, "select": ["id"], "cursor": cursor});
    assert_eq!(house.query(same.clone()).await["returned"], 7);
    house.granted = sextant_actors::domain::SectorSet::EMPTY;
    assert_eq!(house.fault("query", same).await, "access denied: finance");
}
