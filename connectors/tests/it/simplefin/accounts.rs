//! Accounts and their banks: those that come and go, those that fail, those that are linked anew.

use chrono::Duration;
use serde_json::json;
use sextant_connectors::failure::FailureKind;

use super::{World, day};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::simplefin::Version;
use crate::support::stand_ins::wire;

impl World {
    /// Two banks with an account each, read once.
    async fn with_two_banks(test: &str) -> Option<Self> {
        let mut world = Self::claimed(test).await?;
        {
            let mut bridge = world.bridge();
            let account = bridge.open("a", "giro", "Checking 1234");
            account.book("1", "-1", day(-1));
            let account = bridge.open("b", "save", "Savings 5678");
            account.book("1", "-2", day(-1));
        }
        world.sync().await;
        world.assert_equal();
        Some(world)
    }
}

#[tokio::test]
async fn r123_banks_appear_and_disappear_with_the_next_sync() {
    let Some(mut world) = World::with_two_banks("r123_banks_appear_and_disappear").await else {
        return;
    };
    world
        .bridge()
        .open("c", "card", "Card 9999")
        .book("1", "-3", day(0));
    world.wait(Duration::hours(3));
    world.bridge().take_asked();
    world.sync().await;
    world.assert_equal();
    world.bridge().unlink("save");
    world.wait(Duration::hours(3));
    world.sync().await;
    world.assert_equal();
    assert_eq!(world.store.keys("account:b"), [""; 0]);
    // One request was for all banks, whatever their number.
    let asked = world.bridge().take_asked();
    assert!(asked.iter().all(|one| !one.query.contains_key("account")));
}

#[tokio::test]
async fn an_account_that_is_missing_once_or_for_a_reason_stays() {
    for version in [Version::One, Version::Two] {
        let Some(mut world) = World::with_two_banks("an_account_that_is_missing_once").await else {
            return;
        };
        world.bridge().version = version;
        let whole = world.stored();
        // An empty answer is told once only.
        let empty = |_: &str| wire::json(200, "", &json!({"errors": [], "accounts": []}));
        world.bridge().faults.once("/accounts", Law::Kept, empty);
        world.sync().await;
        assert_eq!(world.stored(), whole);
        // The bank fails, and its account is not listed.
        {
            let mut bridge = world.bridge();
            bridge.accounts.remove("b");
            let says = ("con.auth", "sign in again");
            bridge.banks.get_mut("save").unwrap().trouble = Some(says);
        }
        world.sync().await;
        assert_eq!(world.stored(), whole, "{version:?}");
        // It is well again, and the account is gone.
        world.bridge().banks.get_mut("save").unwrap().trouble = None;
        world.sync().await;
        world.assert_equal();
    }
}

#[tokio::test]
async fn a_bank_that_fails_says_so_in_its_accounts_and_the_others_go_on() {
    for version in [Version::One, Version::Two] {
        let Some(mut world) = World::with_two_banks("a_bank_that_fails_says_so").await else {
            return;
        };
        {
            let mut bridge = world.bridge();
            bridge.version = version;
            let says = ("con.auth", "You must reauthenticate.");
            bridge.banks.get_mut("save").unwrap().trouble = Some(says);
            bridge.account("a").book("2", "-9", day(0));
        }
        world.sync().await;
        let status = world.field("finance.accounts", "status");
        assert_eq!(
            (&status["a"], &status["b"]),
            (&json!("ok"), &json!("needs_sign_in"))
        );
        let words = world.field("finance.accounts", "bank_error_message");
        assert!(
            words["b"].as_str().unwrap().contains("reauthenticate"),
            "{words:?}"
        );
        assert_eq!(world.store.warnings.len(), 1);
        assert_eq!(world.stored().len(), 3);
        world.bridge().banks.get_mut("save").unwrap().trouble = None;
        world.sync().await;
        assert_eq!(world.field("finance.accounts", "status")["b"], "ok");
        assert_eq!(world.store.warnings, [""; 0]);
    }
}

#[tokio::test]
async fn a_bank_that_is_linked_anew_keeps_its_rows() {
    let Some(mut world) = World::with_two_banks("a_bank_that_is_linked_anew").await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        let mut account = bridge.accounts.remove("a").unwrap();
        account.book("2", "-5", day(0));
        bridge.accounts.insert("a2".to_owned(), account);
    }
    world.wait(Duration::hours(3));
    world.sync().await;
    let keys: Vec<_> = world.stored().into_keys().collect();
    assert_eq!(keys, ["a/1", "a/2", "b/1"]);
    assert_eq!(world.store.keys(""), ["a", "b"]);
}

#[tokio::test]
async fn holdings_are_kept_day_by_day_and_go_with_their_account() {
    let Some(mut world) = World::claimed("holdings_are_kept_day_by_day").await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        let account = bridge.open("a", "depot", "Depot 1234");
        account.book("1", "-1", day(-1));
        account.holdings = vec![json!({
            "id": "h1", "symbol": "ABC", "shares": "3.5", "description": "ABC Fund", "currency": "USD",
            "cost_basis": "90.00", "market_value": "120.25", "purchase_price": "25", "created": 0
        })];
    }
    world.sync().await;
    world.wait(Duration::days(1));
    world.bridge().account("a").holdings[0]["market_value"] = json!("121.00");
    world.sync().await;
    world.wait(Duration::days(1));
    world.bridge().account("a").holdings.clear();
    world.sync().await;
    let values = world.field("finance.holdings", "market_value");
    let values: Vec<_> = values.into_values().collect();
    assert_eq!(values, ["120.25", "121.00"]);
    let days = world.field("finance.holdings", "day");
    let days: Vec<_> = days.into_values().collect();
    assert_eq!(
        days,
        [0, 1].map(|number| day(number).date_naive().to_string())
    );
    let record = world.store.records("finance.holdings");
    let fields = &record.values().next().unwrap().fields;
    assert_eq!(
        (&fields["quantity"], &fields["currency"]),
        (&json!("3.5"), &json!("USD"))
    );
    assert!(!fields.contains_key("price"), "what it cost is no price");
    world.bridge().unlink("depot");
    world.sync().await;
    assert!(
        world.store.items.is_empty(),
        "{:?}",
        world.store.items.keys()
    );
}

#[tokio::test]
async fn an_access_that_is_over_and_one_that_nobody_pays_for_are_told_apart() {
    let Some(mut world) = World::with_two_banks("an_access_that_is_over").await else {
        return;
    };
    world.bridge().has_lapsed = true;
    let lapsed = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(
        (lapsed.kind, lapsed.status),
        (FailureKind::Rejected, Some(402))
    );
    assert!(
        lapsed.retry_after.is_some() && lapsed.message.contains("renew"),
        "{lapsed}"
    );
    world.bridge().has_lapsed = false;
    world.bridge().is_disabled = true;
    let ended = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(ended.kind, FailureKind::SignInEnded);
    world.bridge().is_disabled = false;
    for body in ["", "{}", "<html>", r#"{"accounts":7}"#] {
        let answer = move |_: &str| wire::raw(200, "", body);
        world.bridge().faults.once("/accounts", Law::Broken, answer);
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{body}");
    }
    world.sync().await;
    world.assert_equal();
}
