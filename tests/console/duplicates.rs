//! An account that two sources may both have: asked about, one, two again, and kept so (journey 18).

use chrono::Duration;
use reqwest::Method;
use serde_json::json;
use sextant_actors::clock::{Clock as _, SystemClock};

use crate::at_providers::{self, AtBridge};
use crate::banks::until_read;
use crate::harness::{Console, axe, in_browser_beside};
use crate::support::stand_ins::simplefin::Bridge;

const PAGE: &str = "/data/finance/duplicates";

/// A bridge has an account with two payments, and a statement of the same account was pushed with one of them.
async fn asked(console: &Console, bridge: &AtBridge) {
    let now = SystemClock.now();
    {
        let mut state = bridge.account.state();
        let account = state.open("a", "giro", "Checking 1234");
        account.book("1", "-33.29", now - Duration::days(1));
        account.book("2", "-4.50", now - Duration::days(2));
    }
    let source = json!({"provider": "simplefin", "credentials": {"token": Bridge::setup_token()}});
    let service = &console.service;
    service
        .call(Method::POST, "/api/connections", Some(source), 201)
        .await;
    until_read(console).await;
    let push = json!({"provider": "push", "sector": "finance", "table": "finance.transactions", "label": "Statements"});
    let made = service
        .call(Method::POST, "/api/connections", Some(push), 201)
        .await;
    let path = format!(
        "/api/ingest/{}",
        made["connections"][0]["id"].as_str().unwrap()
    );
    let day = (now - Duration::days(1)).date_naive();
    let account = json!({"id": "giro", "name": "Giro", "institution_name": "Bank giro", "institution_domain": "giro.test", "mask": "1234", "currency": "EUR"});
    let record = json!([{"id": "s1", "booked_on": day, "amount": "-33.29", "currency": "EUR", "description": "Supermarket", "account": account}]);
    let pushed = service
        .request(Method::POST, &path)
        .bearer_auth(made["secret"].as_str().unwrap())
        .json(&record);
    assert_eq!(pushed.send().await.unwrap().status(), 200);
}

/// How many rows of a table are served.
async fn served(console: &Console, table: &str) -> usize {
    let asked = json!({"target": table, "select": ["id"]});
    let answer = console
        .service
        .call(Method::POST, "/api/data/finance", Some(asked), 200)
        .await;
    answer["rows"].as_array().unwrap().len()
}

/// The id of the payment that both have.
async fn of_both(console: &Console) -> String {
    let asked = json!({"target": "transactions", "select": ["id"], "where": {"amount": -33.29}});
    let answer = console
        .service
        .call(Method::POST, "/api/data/finance", Some(asked), 200)
        .await;
    answer["rows"][0][0].as_str().unwrap().to_owned()
}

/// Presses a button of the one pair; which account stands first is by their ids.
async fn act(console: &Console, word: &str) {
    let pairs = console.get("/api/finance/duplicates").await;
    let named = |side: &str| {
        let of = &pairs["rows"][0][side];
        let texts = [&of["name"], &of["connection"]].map(|text| text.as_str().unwrap());
        texts.join(" of ")
    };
    let name = format!("{word}: {} and {}", named("a"), named("b"));
    console.browser.button(&name).click().await;
}

#[test]
fn r124_r039_an_account_of_two_sources_is_one_two_again_and_kept_separate() {
    let test = "duplicates::journey";
    in_browser_beside(
        test,
        async |home, setup| at_providers::bridge(test, home, setup).await,
        async |console, bridge| {
            asked(console, bridge).await;
            assert_eq!(served(console, "transactions").await, 3);
            let page = &console.browser;
            page.open(PAGE).await;
            page.shows("The institution's domain and the last four digits are the same.")
                .await;
            axe::everywhere(page, "two accounts that may be one").await;
            act(console, "Same account").await;
            page.shows("No two accounts wait for an answer.").await;
            assert_eq!(served(console, "transactions").await, 2);
            assert_eq!(served(console, "accounts").await, 1);
            axe::everywhere(page, "two accounts that are one").await;
            let row = console.row("tool=finance.dedup.confirm").await;
            assert_eq!(row["outcome"], "ok", "{row}");

            // The record says what stands behind it, and why it is the one.
            let id = of_both(console).await;
            page.open(&format!("/data/finance/transactions/{id}")).await;
            page.button("Show raw and extra").click().await;
            page.shows("Other sources have it too").await;
            page.shows("Not served beside this record:").await;
            axe::everywhere(page, "a record with a row behind it").await;

            page.open(PAGE).await;
            act(console, "Undo").await;
            page.shows("Kept separate").await;
            assert_eq!(served(console, "transactions").await, 3);
            assert_eq!(served(console, "accounts").await, 2);
            act(console, "Undo").await;
            page.shows("They are one account now").await;
            act(console, "Undo").await;
            page.shows("Kept separate").await;
            let row = console.row("tool=finance.dedup.unconfirm").await;
            assert_eq!(row["outcome"], "ok", "{row}");

            console.browser.expect("net::ERR");
            console.browser.expect("Failed to load resource");
            console.service = console.kill().await.start().await;
            let kept = console.get("/api/finance/duplicates?state=answered").await;
            assert_eq!(kept["rows"][0]["state"], "separate", "{kept}");
            assert_eq!(served(console, "transactions").await, 3);
        },
    );
}
