use serde_json::json;

use super::*;

#[test]
fn a_holding_needs_no_more_than_a_name() {
    let day = NaiveDate::from_ymd_opt(2024, 10, 4).unwrap();
    let sent = json!({"id": "a", "name": "A", "currency": "EUR"});
    let account = SentAccount::read(sent, &[]).unwrap();
    let fields = |sent: Value| {
        let item = holding(sent, ("a", &account), day).unwrap();
        item.records[0].fields.clone()
    };
    let dashed = fields(json!({"id": "h", "market-value": "5", "cost-basis": "4"}));
    assert_eq!(
        (
            &dashed["name"],
            &dashed["market_value"],
            &dashed["cost_basis"]
        ),
        (&json!("h"), &json!("5"), &json!("4"))
    );
    assert_eq!(
        (&dashed["day"], &dashed["currency"]),
        (&json!("2024-10-04"), &json!("EUR"))
    );
    let symbol = fields(json!({"symbol": "ABC", "shares": "2"}));
    assert_eq!(
        (symbol.get("name"), &symbol["symbol"]),
        (None, &json!("ABC"))
    );
    assert!(holding(json!({}), ("a", &account), day).is_err());
}
