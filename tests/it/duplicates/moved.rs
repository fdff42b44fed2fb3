//! An export of accounts that are one, taken back: the same is served, and the answers are there.

use serde_json::json;

use super::world::{World, now};
use crate::import::{Entries, export, import};
use crate::support::TestApp;
use crate::support::stand_ins::simplefin::Bridge;

#[actix_web::test]
async fn r124_a_store_comes_back_with_what_is_served_and_what_was_answered() {
    let test = "r124_a_store_comes_back_with_what_is_served";
    let fill = |[first, second]: [&mut Bridge; 2]| {
        for (bridge, id) in [(first, "a"), (second, "x")] {
            bridge
                .open(id, "giro", "Checking 1234")
                .book("1", "-5", now());
            bridge
                .open(&format!("{id}2"), "giro", "Savings")
                .book("2", "-6", now());
        }
    };
    let Some(world) = World::connected(test, fill).await else {
        return;
    };
    let open = world.pairs("open").await;
    let savings = open
        .iter()
        .find(|pair| pair["a"]["name"] == pair["b"]["name"]);
    world
        .answer(savings.unwrap(), "unconfirm")
        .await
        .expect(200);
    let bundle = export(&world.app).await;
    let new = TestApp::start().await;
    import(&new, bundle.clone()).await.expect(200);
    let again = export(&new).await;
    let (was, is) = (Entries::of(&bundle), Entries::of(&again));
    for name in ["accounts", "transactions", "holdings", "balances"] {
        let entry = format!("finance.{name}.jsonl");
        let texts =
            [&was, &is].map(|bundle| String::from_utf8_lossy(bundle.named()[&*entry]).into_owned());
        assert_eq!(texts[0], texts[1], "{name}");
        assert!(name == "holdings" || !texts[0].is_empty(), "{name}");
    }
    for entry in ["evidence.account_pairs.jsonl", "transactions.csv"] {
        assert_eq!(was.named()[entry], is.named()[entry], "{entry}");
    }
    let asked = json!({"target": "accounts", "select": ["name"], "order_by": ["name"]});
    let served = new.post("/api/data/finance", asked).await.expect(200);
    let expected = json!([["Checking 1234"], ["Savings"], ["Savings"]]);
    assert_eq!(served["rows"], expected);
}
