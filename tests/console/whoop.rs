//! Signing in at WHOOP, which sends the browser to where nothing answers: journey 4.

use chrono::Duration;
use serde_json::{Value, json};
use sextant_actors::clock::{Clock as _, SystemClock};

use crate::at_providers::{self, AtWhoop, enter_app};
use crate::dav::listed_as;
use crate::harness::element::Role;
use crate::harness::{Browser, axe, in_browser_beside};
use crate::support::eventually::eventually;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire::raw;

const NONE: [Value; 0] = [];
const PROFILE: &str = "/v2/user/profile/basic";
const HEALTH: &str = "offline read:profile read:cycles read:recovery read:sleep read:workout";

/// Signs in there in another tab, and returns the address at which it ended.
async fn come_back_with(page: &Browser) -> String {
    page.button("Sign in").click().await;
    page.shows("and come back with the address").await;
    let own = page.client.window().await.unwrap();
    page.link("Open WHOOP in another tab").click().await;
    let mut other = None;
    eventually("another tab is open", async || {
        let tabs = page.client.windows().await.unwrap();
        other = tabs.into_iter().find(|tab| *tab != own);
        other.is_some()
    })
    .await;
    page.client.switch_to_window(other.unwrap()).await.unwrap();
    let mut ended = String::new();
    eventually("it ended at the address of the return", async || {
        ended = page.client.current_url().await.unwrap().to_string();
        ended.contains("/oauth/whoop/callback?")
    })
    .await;
    page.client.close_window().await.unwrap();
    page.client.switch_to_window(own).await.unwrap();
    ended
}

async fn paste(page: &Browser, address: &str) {
    page.field("Address where").fill(address).await;
    page.button("Finish the sign-in").click().await;
}

#[test]
fn r122_without_a_health_scope_there_is_no_connection_and_with_one_there_is() {
    let test = "whoop::scopes";
    in_browser_beside(
        test,
        async |home, setup| at_providers::whoop(test, home, setup).await,
        async |console, whoop| {
            console.browser.expect("400 (Bad Request)");
            let night = SystemClock.now() - Duration::days(1);
            whoop.account.state().add_night(1, night);
            let page = &console.browser;
            page.open("/connections/new/whoop").await;
            enter_app(page).await;
            let narrow = json!({ "scope": "offline read:profile read:cycles" });
            whoop.sign_ins.tell(narrow).await;
            let address = come_back_with(page).await;
            paste(page, "https://somewhere.example.org/").await;
            let refused = "const field = document.querySelector('[name=address]'); \
                return field.getAttribute('aria-invalid') === 'true' && document.activeElement === field";
            page.eventually("the address is at fault and has the focus", refused)
                .await;
            axe::everywhere(page, "an address at fault").await;
            paste(page, &address).await;
            page.shows("The sign-in succeeded but granted no sectors.")
                .await;
            page.shows("health: “Recoveries”, “Sleeps”, and “Workouts” were not granted.")
                .await;
            axe::everywhere(page, "no sectors").await;
            assert_eq!(console.connections().await, NONE);

            whoop.sign_ins.tell(json!({ "scope": HEALTH })).await;
            page.button("Sign in again").click().await;
            page.is_at("/connections/new/whoop").await;
            let address = come_back_with(page).await;
            paste(page, &address).await;
            page.shows("Signed in. Health connected.").await;
            listed_as(page, "health", "Active").await;
            page.open("/data/health/sleeps").await;
            page.shows("1 row").await;
        },
    );
}

/// Signs in while WHOOP does not say whose account it is.
async fn sign_in_without_account(page: &Browser, whoop: &AtWhoop) {
    let away = |_: &str| raw(503, "", "");
    let profile = "/v2/user/profile/basic";
    whoop
        .account
        .state()
        .faults
        .always(profile, Law::Broken, away);
    whoop.sign_ins.tell(json!({ "scope": HEALTH })).await;
    page.open("/connections/new/whoop").await;
    enter_app(page).await;
    let address = come_back_with(page).await;
    paste(page, &address).await;
    page.shows("Signed in, but WHOOP could not be asked whose account it is")
        .await;
}

#[test]
fn a_sign_in_whose_account_could_not_be_asked_is_kept_and_tried_again() {
    let test = "whoop::unfinished";
    in_browser_beside(
        test,
        async |home, setup| at_providers::whoop(test, home, setup).await,
        async |console, whoop| {
            let page = &console.browser;
            sign_in_without_account(page, whoop).await;
            axe::everywhere(page, "a sign-in that is kept").await;
            page.button("Try again").click().await;
            eventually("it is asked once more", async || {
                let state = whoop.account.state();
                let asked = state.asked.iter().filter(|one| one.path == PROFILE);
                asked.count() == 2
            })
            .await;
            let is_told = "return document.querySelector('[aria-busy=true]') === null";
            page.eventually("what came of it is told", is_told).await;
            page.button("Close").click().await;
            page.button("Try again: WHOOP").found().await;
            axe::everywhere(page, "a sign-in without connections").await;
            assert_eq!(console.connections().await, NONE);

            whoop.account.state().faults.clear();
            page.button("Try again: WHOOP").click().await;
            page.shows("Signed in. Health connected.").await;
            page.button("Try again: WHOOP").is_gone().await;
            listed_as(page, "health", "Active").await;
            assert_eq!(console.connections().await.len(), 1);
        },
    );
}

#[test]
fn a_sign_in_that_is_kept_can_be_discarded() {
    let test = "whoop::discarded";
    in_browser_beside(
        test,
        async |home, setup| at_providers::whoop(test, home, setup).await,
        async |console, whoop| {
            let page = &console.browser;
            sign_in_without_account(page, whoop).await;
            page.button("Close").click().await;
            page.button("Discard the sign-in at WHOOP").click().await;
            page.shows("Where WHOOP takes it, the consent ends there too")
                .await;
            page.the(Role::Button, "Discard").click().await;
            page.shows("Discarded the sign-in at WHOOP. The consent was ended at WHOOP, too.")
                .await;
            page.button("Try again: WHOOP").is_gone().await;
            assert!(whoop.account.state().is_revoked);
            assert_eq!(console.get("/api/signins").await["signIns"], json!([]));
        },
    );
}
