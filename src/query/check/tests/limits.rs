//! How much may be asked at once.

use serde_json::{Value, json};

use super::checked;

#[test]
fn nesting_and_length_have_bounds() {
    let mut filter = json!({"amount": 1});
    for _ in 0..20 {
        filter = json!({"not": filter});
    }
    assert!(checked(&json!({"target": "finance.transactions", "where": filter})).is_err());
    let many: Vec<Value> = (0..200).map(|number| json!({"amount": number})).collect();
    assert!(checked(&json!({"target": "finance.transactions", "where": {"or": many}})).is_err());
    let long: Vec<i32> = (0..2000).collect();
    assert!(
        checked(&json!({"target": "finance.transactions", "where": {"amount": long}})).is_err()
    );
}

#[test]
fn limits_hold_to_the_last() {
    let asked = |arguments: Value| checked(&arguments).is_ok();
    let target = "finance.transactions";
    let nested = |depth: usize| {
        let innermost = json!({"amount": 1});
        (0..depth).fold(innermost, |inner, _| json!({"not": inner}))
    };
    let ordered = ["amount", "booked_on", "value_on", "currency", "status"];
    for (is_within, depth, conditions, values, keys) in
        [(true, 8, 100, 500, 4), (false, 9, 101, 501, 5)]
    {
        let many = vec![json!({"amount": 1}); conditions];
        let list = vec![1; values];
        assert_eq!(
            asked(json!({"target": target, "where": nested(depth)})),
            is_within
        );
        assert_eq!(
            asked(json!({"target": target, "where": {"and": many}})),
            is_within
        );
        assert_eq!(
            asked(json!({"target": target, "where": {"amount": list}})),
            is_within
        );
        assert_eq!(
            asked(json!({"target": target, "order_by": ordered[..keys]})),
            is_within
        );
    }
}
