//! How a sign-in at a provider is begun: the address to register there, the name to begin it under, and by keyboard alone.

use fantoccini::key::Key;
use serde_json::json;

use crate::at_providers::{self, AtGoogle, CLIENT_ID, CLIENT_SECRET, consent, enter_app};
use crate::dav::listed_as;
use crate::harness::browser::FOREIGN;
use crate::harness::{Browser, Console, in_browser, in_browser_beside};
use crate::support::emulate::PERSON;

/// The port of the Console.
fn port(console: &Console) -> &str {
    console.service.console.rsplit(':').next().unwrap()
}

/// The host and port that the page is open at.
async fn host(page: &Browser) -> String {
    let host = page.run("return location.host", vec![]).await;
    host.as_str().unwrap().to_owned()
}

/// Opens a page of the Console under another name of it.
async fn open_at(console: &Console, name: &str, path: &str) {
    let address = console.service.console.replace("127.0.0.1", name);
    let page = &console.browser;
    page.client.goto(&format!("{address}{path}")).await.unwrap();
    page.is_ready().await;
}

#[test]
fn the_address_to_register_is_shown_before_the_first_sign_in_and_copied_to_the_letter() {
    in_browser("consents_begun::address", async |console| {
        let page = &console.browser;
        for (provider, scheme) in [
            ("google", "http"),
            ("microsoft", "http"),
            ("whoop", "https"),
        ] {
            let port = port(console);
            let address = format!("{scheme}://localhost:{port}/oauth/{provider}/callback");
            page.open(&format!("/connections/new/{provider}")).await;
            page.shows("This page moved here from 127.0.0.1").await;
            page.shows("Redirect address, to be registered exactly so")
                .await;
            let shown = "return document.querySelector('.copy-line code').textContent";
            assert_eq!(page.run(shown, vec![]).await, json!(address));
            assert!(!page.button("Sign in").is_enabled().await);
            page.button("Copy redirect address").click().await;
            page.shows("Copied the redirect address.").await;
            assert_eq!(page.clipboard().await, address);
        }
    });
}

#[test]
fn a_sign_in_begins_at_localhost_whatever_name_the_console_is_open_under() {
    let test = "consents_begun::names";
    in_browser_beside(
        test,
        async |home, setup| {
            at_providers::google(test, home, setup.env("REST_ALLOWED_HOSTS", FOREIGN)).await
        },
        async |console, _: &AtGoogle| {
            console.browser.expect("Cross-Origin-Opener-Policy");
            let localhost = format!("localhost:{}", port(console));
            // It cannot be known whether localhost is the same computer for who came by another name, so they go there themselves.
            open_at(console, FOREIGN, "/connections/new/google").await;
            let page = &console.browser;
            page.shows("The sign-in goes on at localhost").await;
            assert!(!page.button("Save app").is_there().await);
            page.link(&format!("Go to {localhost}")).click().await;
            enter_app(page).await;
            page.shows("Settings › Provider apps").await;
            assert_eq!(host(page).await, localhost);
            page.button("Sign in").click().await;
            consent(page, None).await;
            page.shows("Signed in. Calendar and contacts connected.")
                .await;
            assert_eq!(host(page).await, localhost);
            let made = console.connections().await;
            let (connection, sign_in) = (&made[0]["id"], &made[0]["signInId"]);
            let path = format!("/connections/{}", connection.as_str().unwrap());

            // Over plain HTTP a browser trusts no other name with its clipboard; what Copy says it did is done all the same.
            open_at(console, FOREIGN, "/settings/providers").await;
            page.button("Copy redirect address").click().await;
            page.shows("Copied the redirect address.").await;
            open_at(console, "localhost", "/settings/providers").await;
            let address = format!("http://{localhost}/oauth/google/callback");
            assert_eq!(page.clipboard().await, address);

            // Nor is one renewed elsewhere: 127.0.0.1 moves by itself, and which one it is comes along.
            for name in ["127.0.0.1", FOREIGN] {
                open_at(console, name, &path).await;
                page.button("Sign in again").click().await;
                if name == FOREIGN {
                    page.shows("The sign-in goes on at localhost").await;
                    page.link(&format!("Go to {localhost}")).click().await;
                } else {
                    page.shows("This page moved here from 127.0.0.1").await;
                }
                page.shows("Sign in there with the same account, op@example.org")
                    .await;
                assert_eq!(host(page).await, localhost);
                page.button("Sign in").click().await;
                consent(page, None).await;
                page.shows("Signed in. Calendar and contacts connected.")
                    .await;
            }
            let after = console.connections().await;
            assert_eq!(after.len(), 2, "{after:?}");
            assert!(after.iter().all(|one| one["signInId"] == *sign_in));
        },
    );
}

#[test]
fn a_whole_sign_in_is_made_by_keyboard_alone() {
    let test = "consents_begun::keyboard";
    in_browser_beside(
        test,
        async |home, setup| at_providers::google(test, home, setup).await,
        async |console, _: &AtGoogle| {
            let page = &console.browser;
            page.open("/connections").await;
            page.tab_to("Connect a source").await;
            page.press(&[Key::Enter]).await;
            page.is_at("/connections/new").await;
            page.is_ready().await;
            page.focus_is_on("Connect a source").await;
            page.tab_to("Google").await;
            page.press(&[Key::Enter]).await;
            page.shows("This page moved here from 127.0.0.1").await;
            page.is_ready().await;
            page.tab_to("Client id").await;
            page.type_here(CLIENT_ID).await;
            // What is missing is where the focus goes.
            page.press(&[Key::Enter]).await;
            page.shows("Client secret is needed.").await;
            page.focus_is_on("Client secret").await;
            page.type_here(CLIENT_SECRET).await;
            page.tab_to("Save app").await;
            page.press(&[Key::Enter]).await;
            page.focus_is_on("Sign in").await;
            page.press(&[Key::Enter]).await;
            page.shows(PERSON).await;
            page.tab_to_elsewhere(PERSON).await;
            page.press(&[Key::Enter]).await;

            // The first thing that is said of it is where the focus is; what can be done follows it.
            let outcome = "Signed in. Calendar and contacts connected.";
            page.focus_is_on(outcome).await;
            listed_as(page, "calendar", "Active").await;
            page.focus_is_on(outcome).await;
            page.press(&[Key::Tab]).await;
            page.focus_is_on("Google").await;
            page.tab_to("Close").await;
            page.press(&[Key::Enter]).await;
            page.hides(outcome).await;
            page.focus_is_on("Connections").await;
            page.is_at("/connections").await;
            assert_eq!(console.connections().await.len(), 2);
        },
    );
}
