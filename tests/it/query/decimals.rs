//! Decimals in answers against PostgreSQL's own text of them: the same digits, whatever the scale.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use sextant::catalog;
use sextant_actors::domain::Reply;

use super::house::House;

const ROWS: i32 = 900;
/// Numbers of all magnitudes and signs that the column holds.
const NUMBERS: &str = "UPDATE finance.transactions AS t SET amount = n.sign * n.digits * power(10::numeric, n.magnitude)
    FROM (SELECT id, (random() * 17)::int - 16 AS magnitude, sign(random() - 0.4)::numeric AS sign,
        trunc(random()::numeric * 1e12, (random() * 6)::int) AS digits
    FROM finance.transactions) AS n WHERE n.id = t.id";

#[actix_rt::test]
async fn decimals_are_those_that_postgresql_writes() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let table = catalog::by_target("finance.transactions").unwrap();
    house.fill(bank, table, 1, ROWS).await;
    house
        .owner
        .batch_execute("SELECT setseed(0.25)")
        .await
        .unwrap();
    house.owner.batch_execute(NUMBERS).await.unwrap();
    let sql = "SELECT id::text, amount::text FROM finance.transactions ORDER BY id";
    let stored = house.owner.query(sql, &[]).await.unwrap();
    let asked = json!({"target": "finance.transactions", "select": ["id", "amount"], "order_by": ["id"], "limit": 1000, "budget": 25000});
    let Reply::Answer(text) = house.call("query", asked).await.reply else {
        panic!("no answer");
    };
    let text = text.to_string();
    let answer: Value = serde_json::from_str(&text).unwrap();
    let shown = answer["rows"].as_array().unwrap();
    assert!(shown.len() > 300, "{} rows", shown.len());
    for (row, stored) in shown.iter().zip(&stored) {
        let (id, amount): (String, Option<String>) = (stored.get(0), stored.get(1));
        assert_eq!(row[0], id);
        let digits: Option<Box<RawValue>> = serde_json::from_str(&row[1].to_string()).unwrap();
        assert_eq!(digits.map(|digits| digits.get().to_owned()), amount);
    }
}
