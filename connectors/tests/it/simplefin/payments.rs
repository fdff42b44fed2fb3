//! Payments: signs and days, what is pending and what becomes of it.

use chrono::Duration;
use serde_json::{Value, json};

use super::{World, day};
use crate::support::stand_ins::simplefin::Version;

#[tokio::test]
async fn a_payment_has_the_columns_of_a_push() {
    for version in [Version::One, Version::Two] {
        let Some(mut world) = World::claimed("a_payment_has_the_columns").await else {
            return;
        };
        {
            let mut bridge = world.bridge();
            bridge.version = version;
            let account = bridge.open("a", "giro", "Checking 1234");
            account.book("1", "-33.293", day(-1));
            account.book("2", "1200", day(-2));
        }
        world.sync().await;
        world.assert_equal();
        let records = world.store.records("finance.transactions");
        let fields = &records["a/1"].fields;
        for (name, expected) in [
            ("account_id", json!("a")),
            ("amount", json!("-33.293")),
            ("currency", json!("EUR")),
            ("booked_on", json!(day(-1).date_naive().to_string())),
            ("status", json!("posted")),
            ("merchant_name", json!("Payee")),
            ("description", json!("Payment -33.293")),
        ] {
            assert_eq!(fields[name], expected, "{name}");
        }
        assert!(!fields.contains_key("memo"), "an empty one is none");
        assert_eq!(records["a/2"].fields["amount"], "1200");
        let accounts = world.store.records("finance.accounts");
        let fields = &accounts["a"].fields;
        for (name, expected) in [
            ("mask", "1234"),
            ("institution_name", "Bank giro"),
            ("institution_domain", "giro.test"),
            ("balance_current", "100.00"),
            ("status", "ok"),
        ] {
            assert_eq!(fields[name], expected, "{name} of {version:?}");
        }
        assert!(fields["raw"].get("transactions").is_none());
    }
}

#[tokio::test]
async fn a_pending_payment_is_replaced_by_the_booked_one_once() {
    let Some(mut world) = World::claimed("a_pending_payment_is_replaced").await else {
        return;
    };
    world
        .bridge()
        .open("a", "giro", "Checking 1234")
        .hold("p", "-4.50", day(0));
    world.sync().await;
    let pending = &world.store.records("finance.transactions")["a/p"].fields;
    assert_eq!(pending["status"], "pending");
    assert!(!pending.contains_key("booked_on"), "0 is no day of 1970");
    assert!(pending.contains_key("transacted_at"));

    world.wait(Duration::days(2));
    world.bridge().account("a").settle("p", "b", day(2));
    world.sync().await;
    world.assert_equal();
    let replaces =
        |world: &World| world.field("finance.transactions", "replaces_id")["a/b"].clone();
    assert_eq!(replaces(&world), "a/p");

    // Read anew, it still says so, and nothing changes.
    world.wait(Duration::hours(3));
    world.sync().await;
    assert_eq!(world.store.changed, ["a"; 1], "the balance is newer");
    assert_eq!(replaces(&world), "a/p");
}

#[tokio::test]
async fn a_pending_payment_that_never_comes_goes() {
    let Some(mut world) = World::claimed("a_pending_payment_that_never_comes").await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        let account = bridge.open("a", "giro", "Checking");
        account.hold("p", "-50", day(0));
        // One without a day.
        account.hold("q", "-60", day(0));
        account.payments.get_mut("q").unwrap().made_at = None;
    }
    world.sync().await;
    world.assert_equal();
    world.bridge().account("a").payments.clear();
    world.wait(Duration::hours(3));
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn what_a_bank_has_not_kept_or_cannot_tell_stays() {
    let Some(mut world) = World::claimed("what_a_bank_has_not_kept").await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        let account = bridge.open("a", "giro", "Checking");
        for number in 0..28 {
            account.book(&format!("{number}"), "-1", day(-number));
        }
        account.hold("p", "-7", day(0));
    }
    world.sync().await;
    let whole = world.stored();
    world.bridge().account("a").keeps = Some(Duration::days(5));
    world.sync().await;
    assert_eq!(world.stored(), whole, "it keeps five days only");
    // A correction within what it tells is followed.
    world.bridge().account("a").payments.remove("2");
    world.sync().await;
    assert_eq!(world.stored().len(), whole.len() - 1);
    // A bank that needs the person tells what it has.
    {
        let mut bridge = world.bridge();
        bridge.banks.get_mut("giro").unwrap().trouble = Some(("con.auth", "Sign in again."));
        bridge.account("a").payments.retain(|id, _| id == "0");
    }
    world.sync().await;
    assert_eq!(world.stored().len(), whole.len() - 1);
}

#[tokio::test]
async fn what_cannot_be_read_is_left_out_and_named() {
    let Some(mut world) = World::claimed("what_cannot_be_read_is_left_out").await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        let account = bridge.open("a", "giro", "Checking");
        account.book("1", "-1", day(-1));
        account.book("2", "many", day(-1));
        account.book("3", "", day(-1));
    }
    world.sync().await;
    assert_eq!(world.stored().len(), 1);
    let named: Vec<_> = world
        .store
        .skipped
        .iter()
        .map(|own| own.key.as_str())
        .collect();
    assert_eq!(named, ["payment:2", "payment:3"]);
    let raw: Value = world.field("finance.transactions", "raw")["a/1"].clone();
    assert_eq!(raw["id"], "1");
}
