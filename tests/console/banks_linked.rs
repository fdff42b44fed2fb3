//! Banks that are linked with an application of one's own: entered, a bank chosen and consented at, linked again, and removed.

use chrono::Duration;
use sextant_actors::clock::{Clock as _, SystemClock};

use crate::at_providers::{self, AtAggregator};
use crate::banks::until_read;
use crate::dav::{holds, stands};
use crate::harness::{Browser, axe, in_browser_beside};
use crate::support::service::log_in;
use crate::support::stand_ins::enable_banking::APPLICATION;
use crate::support::stand_ins::enable_banking::keys::keys;

/// Gives the person's account three payments.
fn fill(bank: &AtAggregator) {
    let mut state = bank.account.state();
    let account = state.open("a");
    for number in 1..=3 {
        let on = (SystemClock.now() - Duration::days(number)).date_naive();
        account.book(&format!("r{number}"), &format!("-{number}.50"), on);
    }
}

/// Fills in the application where it is asked for.
async fn enter_application(page: &Browser) {
    page.field("Application id").type_text(APPLICATION).await;
    page.field("Private key").fill(&keys().private).await;
    page.button("Save app").click().await;
}

/// Chooses the bank, and comes back from it.
async fn link(page: &Browser) {
    page.field("Country").fill("fi").await;
    page.field("Name of the bank").type_text("test").await;
    axe::everywhere(page, "the banks of a country").await;
    page.button("Link Bank of Test").click().await;
    page.shows("Bank of Test is connected.").await;
}

#[test]
fn r039_r125_a_bank_is_linked_with_an_application_of_ones_own() {
    let test = "banks_linked::linked";
    in_browser_beside(
        test,
        // Whatever the service could write to its log, it writes.
        async |home, setup| {
            let setup = setup.env("RUST_LOG", "trace");
            at_providers::aggregator(test, home, setup).await
        },
        async |console, bank| {
            console.browser.expect("400 (Bad Request)");
            fill(bank);
            let page = &console.browser;
            page.open("/connections/new").await;
            page.link("Enable Banking").click().await;
            page.shows("This page moved here from 127.0.0.1").await;
            page.field("Application id").type_text(APPLICATION).await;
            page.field("Private key").fill("no key").await;
            page.button("Save app").click().await;
            axe::everywhere(page, "an application that is none").await;
            page.field("Private key").fill(&keys().private).await;
            page.button("Save app").click().await;
            page.shows("Settings › Provider apps").await;
            assert!(!holds(page, &["PRIVATE KEY-----\n"]).await);
            link(page).await;
            let id = until_read(console).await;
            page.open(&format!("/connections/{id}")).await;
            stands(page, "Active").await;
            axe::everywhere(page, "a bank that is linked").await;
            page.open("/data/finance/transactions").await;
            page.shows("-2.50").await;
            let row = console.row("tool=set_aggregator_app&outcome=ok").await;
            assert_eq!(row["args"]["provider"], "bank_app", "{row}");
            let log = log_in(console.service.home());
            assert!(!log.contains(&*keys().private) && !log.contains("PRIVATE"));
        },
    );
}

#[test]
fn r125_a_bank_whose_consent_has_ended_is_linked_again() {
    let test = "banks_linked::again";
    in_browser_beside(
        test,
        async |home, setup| at_providers::aggregator(test, home, setup).await,
        async |console, bank| {
            fill(bank);
            let page = &console.browser;
            page.open("/connections/new/bank_app").await;
            enter_application(page).await;
            link(page).await;
            let id = until_read(console).await;
            bank.account.state().end_sessions("EXPIRED");
            page.open(&format!("/connections/{id}")).await;
            page.button("Sync now").click().await;
            page.shows("link the bank again").await;
            axe::everywhere(page, "a bank whose consent has ended").await;
            page.button("Sign in again for Bank of Test").click().await;
            page.shows("Link the bank again").await;
            axe::everywhere(page, "a bank to be linked again").await;
            page.button("Go to Bank of Test").click().await;
            page.shows("Bank of Test is connected.").await;
            until_read(console).await;
            page.open("/data/finance/transactions").await;
            page.shows("-3.50").await;
        },
    );
}

#[test]
fn r039_an_application_is_replaced_and_removed_in_settings() {
    let test = "banks_linked::settings";
    in_browser_beside(
        test,
        async |home, setup| at_providers::aggregator(test, home, setup).await,
        async |console, _bank| {
            let page = &console.browser;
            page.open("/settings/providers").await;
            page.button("Enter app: Enable Banking").click().await;
            axe::everywhere(page, "the dialog of an application").await;
            enter_application(page).await;
            page.shows("6f3d…5e6f").await;
            axe::everywhere(page, "an application that is set").await;
            page.button("Remove app: Enable Banking").click().await;
            page.shows("No bank can be linked or read").await;
            page.button("Remove app").click().await;
            page.hides("6f3d…5e6f").await;
            let row = console.row("tool=delete_aggregator_app").await;
            assert_eq!(row["outcome"], "ok", "{row}");
        },
    );
}
