//! `order_by`, and a ranking in its place.

use serde_json::{Value, json};

use super::{checked, said, sql};

#[test]
fn a_ranking_needs_a_search_and_stands_alone() {
    let searched = |order_by: Value| json!({"target": "mail.messages", "search": "invoice", "order_by": order_by});
    assert!(checked(&searched(json!(["-rank"]))).unwrap().is_ranked);
    for order in [json!("rank"), json!(["-rank", "sent_at"])] {
        let said = said(searched(order));
        assert!(
            said.ends_with(&format!("Try: {}", searched(json!(["-rank"])))),
            "{said}"
        );
    }
    let without = said(json!({"target": "mail.messages", "order_by": ["-rank", "sent_at"]}));
    assert!(without.contains("there is none: add one"), "{without}");
    assert!(
        without.ends_with(r#"{"order_by":["sent_at"],"target":"mail.messages"}"#),
        "{without}"
    );
}

#[test]
fn nothing_stands_behind_an_id_in_an_order() {
    let sql = sql(
        json!({"target": "finance.transactions", "select": ["id"], "order_by": ["-id", "amount"]}),
    );
    assert!(sql.contains("ORDER BY t.\"id\" DESC\nLIMIT"), "{sql}");
}
