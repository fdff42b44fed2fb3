//! A bridge to banks: its token is pasted once, a bank that needs the person is told, and a bridge that fails at first is tried again.

use chrono::Duration;
use reqwest::Method;
use serde_json::json;
use sextant_actors::clock::{Clock as _, SystemClock};

use crate::at_providers;
use crate::dav::{holds, id_of, stands};
use crate::harness::{Browser, Console, axe, in_browser_beside};
use crate::support::eventually::eventually;
use crate::support::service::log_in;
use crate::support::stand_ins::simplefin::{Bridge, PASSWORD};

/// Fills the form with the one token that there is.
async fn paste_token(page: &Browser) {
    page.open("/connections/new").await;
    page.link("Banks by SimpleFIN").click().await;
    page.is_at("/connections/new/simplefin").await;
    page.field("Setup token")
        .type_text(&Bridge::setup_token())
        .await;
    page.button("Connect").click().await;
}

/// The id of the one connection of banks, once they were read.
pub async fn until_read(console: &Console) -> String {
    let id = id_of(console, "finance").await;
    eventually("the banks were read", async || {
        let shown = console.get(&format!("/api/connections/{id}")).await;
        shown["health"] == "ok" && shown["lastSyncAt"].is_string()
    })
    .await;
    id
}

/// Overview is at its place from then on.
async fn pass_first_steps(console: &Console) {
    let done = console
        .service
        .request(Method::POST, "/api/onboarding/complete");
    assert_eq!(done.json(&json!({})).send().await.unwrap().status(), 204);
}

#[test]
fn r123_r130_a_token_connects_all_banks_and_one_that_needs_the_person_is_told() {
    let test = "banks::token";
    in_browser_beside(
        test,
        async |home, setup| at_providers::bridge(test, home, setup).await,
        async |console, bridge| {
            let now = SystemClock.now();
            {
                let mut state = bridge.account.state();
                let account = state.open("a", "giro", "Checking 1234");
                account.book("1", "-33.29", now - Duration::days(1));
                account.hold("p", "-4.50", now - Duration::hours(1));
                state.open("b", "save", "Savings 5678");
                let says = ("con.auth", "You must sign in at Bank save again.");
                state.banks.get_mut("save").unwrap().trouble = Some(says);
            }
            let page = &console.browser;
            paste_token(page).await;
            page.shows("Finance connected.").await;
            axe::everywhere(page, "banks connected").await;
            assert!(!holds(page, &[&Bridge::setup_token(), PASSWORD]).await);
            let id = until_read(console).await;
            page.open(&format!("/connections/{id}")).await;
            stands(page, "Active, with a warning").await;
            page.shows("You must sign in at Bank save again").await;
            axe::everywhere(page, "a bank that needs the person").await;
            pass_first_steps(console).await;
            page.open("/").await;
            page.shows("You must sign in at Bank save again").await;
            page.open("/data/finance/accounts").await;
            page.shows("Checking 1234").await;
            page.shows("needs_sign_in").await;
            page.open("/data/finance/transactions").await;
            page.shows("Payment -4.50").await;
            let log = log_in(console.service.home());
            assert!(!log.contains(PASSWORD) && !log.contains(&Bridge::setup_token()));
        },
    );
}

#[test]
fn a_bridge_that_fails_after_the_token_was_claimed_is_tried_again() {
    let test = "banks::again";
    in_browser_beside(
        test,
        async |home, setup| at_providers::bridge(test, home, setup).await,
        async |console, bridge| {
            console.browser.expect("502 (Bad Gateway)");
            bridge.account.state().has_lapsed = true;
            bridge.account.state().open("a", "giro", "Checking 1234");
            let page = &console.browser;
            paste_token(page).await;
            page.shows("What was claimed is kept").await;
            pass_first_steps(console).await;
            page.open("/").await;
            page.shows("nothing is connected yet").await;
            page.open("/connections").await;
            page.shows("What was entered is kept").await;
            axe::everywhere(page, "a sign-in that nothing answered to").await;
            page.button("Try again: Banks by SimpleFIN").click().await;
            page.shows("subscription at the bridge has lapsed").await;
            bridge.account.state().has_lapsed = false;
            page.button("Try again: Banks by SimpleFIN").click().await;
            page.shows("Active").await;
            until_read(console).await;
            page.open("/data/finance/accounts").await;
            page.shows("Checking 1234").await;
        },
    );
}
