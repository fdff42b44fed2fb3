//! What is pending, what becomes of it, and what happens when a bank cannot say.

use chrono::Duration;
use serde_json::{Value, json};
use sextant_connectors::round::{Page, RoundRequest};

use super::{World, date};
use crate::support::stand_ins::enable_banking::answers::refusal;
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

#[tokio::test]
async fn a_pending_payment_becomes_the_booked_one_in_one_page() {
    let Some(mut world) = World::start("enable_banking_settled").await else {
        return;
    };
    world.hold("p1", "-42.00");
    world.hold("p2", "-43.00");
    world.sync().await;
    world.assert_equal();
    let records = world.store.records("finance.transactions");
    assert_eq!(records["a/p1"].fields["value_on"], json!(date(0)));
    assert!(!records["a/p1"].fields.contains_key("booked_on"));

    world.wait(Duration::days(1));
    world.aggregator().account("a").settle("p1", "b1", date(1));
    let pages = world.pages().await;
    let with = |key: &'static str| pages.iter().position(|page| page.keys().contains(key));
    assert!(with("b1").is_some() && with("b1") == with("p1"));
    assert!(
        with("r1") < with("b1"),
        "what is booked is told before what is pending is asked for"
    );
    world.sync().await;
    world.assert_equal();
    let replaced = world.field("finance.transactions", "replaces_id");
    assert_eq!(replaced["a/b1"], "a/p1");
    assert_eq!(replaced["a/r1"], json!(null));
    // Exactly once, and it stays so.
    world.wait(Duration::days(1));
    world.sync().await;
    let replaced = world.field("finance.transactions", "replaces_id");
    assert_eq!(replaced.values().filter(|own| own.is_string()).count(), 1);
    assert_eq!(replaced["a/b1"], "a/p1");
}

impl World {
    /// The pages of a round, of which nothing is stored.
    async fn pages(&self) -> Vec<Page> {
        let request = RoundRequest {
            positions: self.store.positions.clone(),
            since: None,
            now: self.now(),
            zone: chrono_tz::Tz::UTC,
        };
        let mut round = self.feed().begin(request).await.unwrap();
        let mut pages = Vec::new();
        while let Some(page) = round.next_page(&self.store).await.unwrap() {
            pages.push(page);
        }
        pages
    }
}

#[tokio::test]
async fn a_payment_that_keeps_its_reference_is_booked_in_place() {
    let Some(mut world) = World::start("enable_banking_in_place").await else {
        return;
    };
    world.hold("p1", "-42.00");
    world.sync().await;
    world.wait(Duration::days(1));
    world.aggregator().account("a").settle("p1", "p1", date(1));
    world.sync().await;
    world.assert_equal();
    let replaced = world.field("finance.transactions", "replaces_id");
    assert_eq!(replaced["a/p1"], json!(null));
}

#[tokio::test]
async fn a_bank_that_cannot_tell_what_is_pending_loses_nothing_that_is_booked() {
    let Some(mut world) = World::start("enable_banking_pending_fails").await else {
        return;
    };
    world.hold("p1", "-42.00");
    world.sync().await;
    world.aggregator().fails_pending = true;
    world
        .aggregator()
        .account("a")
        .book("new", "-42.00", date(0));
    world.wait(Duration::hours(6));
    world.sync().await;
    world.assert_equal();
    assert_eq!(world.store.warnings.len(), 2);
    assert!(world.store.warnings[0].contains("pending could not be read"));
    // The bank books the pending one while it could not say so: the booked one that came is taken for it then.
    world.aggregator().fails_pending = false;
    world.aggregator().account("a").remove("p1");
    world.wait(Duration::hours(6));
    world.sync().await;
    world.assert_equal();
    let replaced = world.field("finance.transactions", "replaces_id");
    assert_eq!(replaced["a/new"], "a/p1");
}

#[tokio::test]
async fn a_consent_that_ends_between_both_lists_is_told_after_what_is_booked() {
    let Some(mut world) = World::start("enable_banking_ends_between").await else {
        return;
    };
    let over = |_: &str| refusal(401, "REVOKED_SESSION", &Value::Null);
    world.aggregator().faults.once("PDNG", Law::Kept, over);
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert!(failure.message.contains("link the bank again"), "{failure}");
    assert_eq!(world.stored().len(), 6);
    assert!(
        !failure
            .message
            .contains(keys().private.get(40..80).unwrap())
    );
}

#[tokio::test]
async fn what_is_called_off_goes_and_what_is_held_is_pending() {
    let Some(mut world) = World::start("enable_banking_called_off").await else {
        return;
    };
    world.hold("p1", "-42.00");
    world
        .aggregator()
        .account("a")
        .payments
        .last_mut()
        .unwrap()
        .status = "HOLD";
    world.sync().await;
    world.assert_equal();
    world.aggregator().faults.always("PDNG", Law::Kept, |_| {
        let called_off = json!({
            "entry_reference": "p1", "status": "CNCL", "credit_debit_indicator": "DBIT",
            "transaction_amount": {"currency": "EUR", "amount": "42.00"},
        });
        wire::json(200, "", &json!({"transactions": [called_off]}))
    });
    world.sync().await;
    assert_eq!(world.stored().len(), 6);
}

#[tokio::test]
async fn a_bank_that_lists_both_together_has_each_payment_once() {
    let Some(mut world) = World::start("enable_banking_both_together").await else {
        return;
    };
    world.aggregator().mixes_statuses = true;
    {
        let mut aggregator = world.aggregator();
        let account = aggregator.account("a");
        for _ in 0..2 {
            account.hold("", "-7.00", date(0));
        }
        account.hold("p1", "-42.00", date(0));
    }
    world.sync().await;
    world.assert_equal();
    // For a while it lists the booked payment beside the pending one, under one reference.
    world
        .aggregator()
        .account("a")
        .book("p1", "-42.00", date(0));
    world.sync().await;
    let of_both = world.stored().into_iter().filter(|own| own.contains("42"));
    assert_eq!(of_both.collect::<Vec<_>>(), ["a -42.00 posted"]);
}
