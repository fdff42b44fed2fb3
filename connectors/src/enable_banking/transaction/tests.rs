use serde_json::json;

use super::*;

fn sent(changes: &Value) -> Value {
    let mut sent = json!({
        "entry_reference": "r1", "status": "BOOK", "credit_debit_indicator": "DBIT",
        "transaction_amount": {"amount": "33.29", "currency": "EUR"},
        "booking_date": "2026-11-02", "value_date": "2026-11-03",
        "creditor": {"name": "Shop"}, "creditor_account": {"iban": "FI2112345600000785"},
        "debtor": {"name": "Me"}, "remittance_information": [" Card ", "", "1234"],
    });
    for (name, value) in changes.as_object().unwrap() {
        sent[name] = value.clone();
    }
    sent
}

fn read(changes: &Value, keys: &mut TransactionKeys) -> Option<ReadTransaction> {
    ReadTransaction::read(sent(changes), "a", keys).ok()
}

fn key(changes: &Value, keys: &mut TransactionKeys) -> Option<String> {
    read(changes, keys).map(|own| own.payment.key)
}

#[test]
fn the_sign_and_the_other_side_come_from_the_way_that_the_money_went() {
    for (way, amount, expected, other) in [
        ("DBIT", "33.29", "-33.29", "Shop"),
        ("DBIT", "-33.29", "-33.29", "Shop"),
        ("CRDT", "33.29", "33.29", "Me"),
    ] {
        let amount = json!({"amount": amount, "currency": "EUR"});
        let changes = json!({"credit_debit_indicator": way, "transaction_amount": amount});
        let own = read(&changes, &mut TransactionKeys::default()).unwrap();
        assert_eq!(own.fields["amount"], expected);
        assert_eq!(own.fields["counterparty_name"], other);
        assert_eq!(own.fields["description"], "Card 1234");
    }
}

#[test]
fn what_is_called_off_refused_or_planned_is_no_payment() {
    for (status, expected) in [
        ("BOOK", Some("posted")),
        ("PDNG", Some("pending")),
        ("HOLD", Some("pending")),
        ("CNCL", None),
        ("RJCT", None),
        ("SCHD", None),
        ("OTHR", None),
    ] {
        let own = read(&json!({"status": status}), &mut TransactionKeys::default());
        let told = own.map(|own| own.fields["status"].clone());
        assert_eq!(told, expected.map(Value::from), "{status}");
    }
}

#[test]
fn a_payment_without_a_reference_is_known_by_what_it_says_and_its_number() {
    let mut keys = TransactionKeys::default();
    let none = json!({"entry_reference": null});
    let first = key(&none, &mut keys).unwrap();
    assert_eq!(key(&none, &mut keys).unwrap(), format!("{first}#2"));
    let other = json!({"entry_reference": "", "booking_date": "2026-11-03"});
    assert!(!key(&other, &mut keys).unwrap().contains('#'));
    let again = key(&none, &mut TransactionKeys::default());
    assert_eq!(again.as_deref(), Some(first.as_str()));
}

#[test]
fn a_reference_is_one_payment_unless_the_bank_gives_it_to_two() {
    let mut keys = TransactionKeys::default();
    assert_eq!(key(&json!({}), &mut keys).as_deref(), Some("r1"));
    assert_eq!(key(&json!({}), &mut keys), None);
    let other = json!({"booking_date": "2026-11-04"});
    assert!(key(&other, &mut keys).unwrap().starts_with("r1 sha256:"));
    assert_eq!(key(&other, &mut keys), None);
}
