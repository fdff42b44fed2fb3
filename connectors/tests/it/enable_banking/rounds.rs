//! Rounds: accounts with their balances, payments page by page, windows, identities.

use chrono::Duration;
use serde_json::json;

use super::{World, consent_end, date, day};

#[tokio::test]
async fn accounts_and_payments_have_the_columns_of_a_push() {
    let Some(mut world) = World::start("enable_banking_columns").await else {
        return;
    };
    world.sync().await;
    world.assert_equal();
    let accounts = world.store.records("finance.accounts");
    let fields = &accounts["a"].fields;
    for (name, expected) in [
        ("name", json!("Everyday account")),
        ("official_name", json!("Everyday account")),
        ("institution_name", json!("Bank of Test")),
        ("institution_id", json!("TESTFIHH")),
        ("type", json!("depository")),
        ("subtype", json!("checking")),
        ("currency", json!("EUR")),
        ("iban", json!("FI2112345600001000")),
        ("mask", json!("1000")),
        ("balance_current", json!("100.00")),
        ("balance_available", json!("90.00")),
        ("balance_limit", json!("500.00")),
        ("balance_as_of", json!(day(0))),
        ("status", json!("ok")),
        ("consent_expires_at", json!(consent_end(0))),
    ] {
        assert_eq!(fields[name], expected, "{name}");
    }
    assert!(!fields.contains_key("institution_domain"));
    assert!(fields["raw"].get("uid").is_none());
    let payments = world.store.records("finance.transactions");
    let fields = &payments["a/r1"].fields;
    for (name, expected) in [
        ("account_id", json!("a")),
        ("status", json!("posted")),
        ("amount", json!("-1.50")),
        ("currency", json!("EUR")),
        ("booked_on", json!(date(-3))),
        ("value_on", json!(date(-3))),
        ("description", json!("Payment -1.50")),
        ("counterparty_name", json!("Shop")),
    ] {
        assert_eq!(fields[name], expected, "{name}");
    }
    // Nothing changed: nothing changes.
    world.sync().await;
    assert_eq!(world.store.changed, [""; 0]);
}

#[tokio::test]
async fn all_that_the_bank_tells_is_read_after_the_consent_and_the_last_weeks_then() {
    let Some(mut world) = World::start("enable_banking_windows").await else {
        return;
    };
    world
        .aggregator()
        .account("a")
        .book("old", "7", date(-1_000));
    world.aggregator().take_asked();
    world.sync().await;
    world.assert_equal();
    let pending = format!("transactions PDNG {}", date(-30));
    let of_one = [
        "balances",
        "transactions BOOK longest",
        "transactions BOOK longest",
        &pending,
    ];
    let of_other = ["balances", "transactions BOOK longest", &pending];
    let expected = [&of_one[..], &of_other].concat();
    assert_eq!(world.aggregator().take_asked(), expected);

    world.wait(Duration::hours(6));
    world.sync().await;
    world.assert_equal();
    let booked = format!("transactions BOOK {}", date(-30));
    let asked = world.aggregator().take_asked();
    assert!(asked.contains(&booked), "{asked:?}");
    assert!(
        !asked.iter().any(|own| own.contains("longest")),
        "{asked:?}"
    );

    world.wait(Duration::days(60));
    world.sync().await;
    let asked = world.aggregator().take_asked();
    let booked = format!("transactions BOOK {}", date(-8));
    assert!(asked.contains(&booked), "{asked:?}");
    world.assert_equal();
}

#[tokio::test]
async fn pages_are_read_to_the_last_also_through_empty_ones() {
    let Some(mut world) = World::start("enable_banking_pages").await else {
        return;
    };
    for (size, has_empty) in [(1, false), (1, true), (3, true), (100, true)] {
        {
            let mut aggregator = world.aggregator();
            (aggregator.page_size, aggregator.has_empty_pages) = (size, has_empty);
        }
        world.store = Default::default();
        world.sync().await;
        world.assert_equal();
    }
}

#[tokio::test]
async fn payments_without_a_reference_stay_themselves() {
    let Some(mut world) = World::start("enable_banking_unnamed").await else {
        return;
    };
    for amount in ["-3.00", "-3.00", "-4.00"] {
        world
            .aggregator()
            .account("b")
            .book_unnamed(amount, date(-2));
    }
    world.sync().await;
    world.assert_equal();
    let synthetic = world.field("finance.transactions", "source_id_is_synthetic");
    assert_eq!(synthetic.values().filter(|own| **own == true).count(), 3);
    world
        .aggregator()
        .account("b")
        .book_unnamed("-3.00", date(-2));
    world.wait(Duration::hours(6));
    world.sync().await;
    assert_eq!(world.store.changed.len(), 1, "{:?}", world.store.changed);
    world.assert_equal();
}

#[tokio::test]
async fn what_a_bank_takes_back_goes_and_what_it_keeps_no_more_stays() {
    let Some(mut world) = World::start("enable_banking_gone").await else {
        return;
    };
    world.sync().await;
    world.aggregator().account("a").remove("r2");
    world.wait(Duration::hours(6));
    world.sync().await;
    world.assert_equal();
    // Of a bank that forgets, what it has forgotten is no sign of anything: nor what it told of its earliest day.
    let before = world.stored();
    for gone in ["r6", "r5", "r4"] {
        world.aggregator().account("a").remove(gone);
    }
    world.aggregator().account("a").book("same", "2", date(-9));
    world.aggregator().account("a").remove("r3");
    world.sync().await;
    assert_eq!(world.stored().len(), before.len() + 1);
    // An empty list says nothing at all.
    world.aggregator().account("a").payments.clear();
    world.sync().await;
    assert_eq!(world.stored().len(), before.len() + 1);
}

#[tokio::test]
async fn what_lies_before_the_wanted_time_is_left_out() {
    let Some(mut world) = World::start("enable_banking_since").await else {
        return;
    };
    world.store.since = Some(day(-10));
    world.sync().await;
    assert_eq!(world.stored().len(), 3);
}

#[tokio::test]
async fn accounts_of_every_kind_have_a_type_and_four_digits() {
    let Some(mut world) = World::start("enable_banking_kinds").await else {
        return;
    };
    let kinds = ["CACC", "SVGS", "CARD", "LOAN", "CASH", "OTHR"];
    let names = ["k0", "k1", "k2", "k3", "k4", "k5"];
    for (name, kind) in names.into_iter().zip(kinds) {
        let mut aggregator = world.aggregator();
        let account = aggregator.open(name);
        (account.kind, account.product) = (kind, None);
        account.balances = vec![("XPCD", "-5.00".to_owned())];
    }
    world.credential = None;
    world.link(&names).await.unwrap();
    world.sync().await;
    let types = world.field("finance.accounts", "type");
    let types: Vec<_> = names
        .iter()
        .map(|name| types[*name].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "depository",
            "depository",
            "credit",
            "loan",
            "depository",
            "other"
        ]
    );
    let shown = world.field("finance.accounts", "name");
    assert_eq!(shown["k1"], "Bank of Test Savings account 1003");
    let balances = world.field("finance.accounts", "balance_current");
    assert_eq!(balances["k2"], "-5.00");
}
