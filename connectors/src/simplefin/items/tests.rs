use serde_json::json;

use super::*;

fn account(currency: &str) -> SentAccount {
    let sent = json!({"id": "a", "name": "A", "currency": currency, "balance-date": 1_728_000_000});
    SentAccount::read(sent, &[]).unwrap()
}

fn read(sent: Value) -> Result<ReadPayment, (Option<String>, &'static str)> {
    ReadPayment::read(sent, ("a", &account("EUR")))
}

#[test]
fn a_payment_is_pending_by_its_word_or_for_want_of_a_day() {
    let booked = 1_728_043_200;
    for (sent, is_pending, day) in [
        (
            json!({"id": "1", "amount": "1", "posted": booked}),
            false,
            Some("2024-10-04"),
        ),
        (json!({"id": "1", "amount": "1", "posted": 0}), true, None),
        (json!({"id": "1", "amount": "1"}), true, None),
        (
            json!({"id": "1", "amount": "1", "posted": booked, "pending": true}),
            true,
            Some("2024-10-04"),
        ),
        (
            json!({"id": "1", "amount": "1", "posted": booked, "transacted_at": booked - 86_400}),
            false,
            Some("2024-10-04"),
        ),
    ] {
        let own = read(sent.clone()).unwrap();
        assert_eq!(own.is_pending, is_pending, "{sent}");
        assert_eq!(own.payment.day.map(day_text).as_deref(), day, "{sent}");
        let fields = own.into_item("a", None).records[0].fields.clone();
        let booked_on = (!is_pending).then_some(json!("2024-10-04"));
        assert_eq!(fields.get("booked_on"), booked_on.as_ref(), "{sent}");
    }
}

#[test]
fn amounts_keep_their_digits_and_sign() {
    for (sent, expected) in [
        (json!("-33.293"), "-33.293"),
        (json!(" 7 "), "7"),
        (json!(-1.5), "-1.5"),
    ] {
        let own = read(json!({"id": 7, "amount": sent, "posted": 1})).unwrap();
        assert_eq!(own.payment.amount.to_string(), expected);
        assert_eq!(own.payment.key, "payment:7");
    }
    for sent in [json!(""), json!(null), json!("1,50"), json!([])] {
        let refused = read(json!({"id": "7", "amount": sent, "posted": 1}));
        assert_eq!(
            refused.map(drop).unwrap_err().0.as_deref(),
            Some("payment:7")
        );
    }
    assert_eq!(
        read(json!({"amount": "1"})).map(drop).unwrap_err(),
        (None, "it has no id")
    );
}
