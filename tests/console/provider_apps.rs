//! Settings › Provider apps: what providers know this service by.

use reqwest::Method;
use serde_json::{Value, json};

use crate::at_providers::holds;
use crate::harness::element::Role;
use crate::harness::{Console, axe, in_browser_with};
use crate::support::service::log_in;

const ID: &str = "1234567890-of-the-operator";
const SECRET: &str = "secret-of-the-operator";
const OTHER: &str = "another-secret-of-the-operator";

/// The app of a provider, as the service tells it.
async fn app(console: &Console, provider: &str) -> Value {
    let told = console.get("/api/oauth-apps").await;
    let mut apps = told["apps"].as_array().unwrap().iter();
    let own = apps.find(|app| app["provider"] == provider);
    own.unwrap().clone()
}

#[test]
fn an_app_is_entered_replaced_and_removed_and_its_secret_is_nowhere() {
    in_browser_with(
        "provider_apps::apps",
        |setup| setup.env("RUST_LOG", "trace"),
        async |console| {
            let page = &console.browser;
            page.open("/settings").await;
            page.link("Provider apps").click().await;
            page.is_at("/settings/providers").await;
            for name in ["Google", "Microsoft", "WHOOP"] {
                page.button(&format!("Enter app: {name}")).found().await;
            }
            axe::everywhere(page, "no app").await;
            let address = app(console, "google").await["redirectUri"].clone();
            page.shows(address.as_str().unwrap()).await;

            page.button("Enter app: Google").click().await;
            page.field("Client id").type_text(ID).await;
            page.button("Save app").click().await;
            page.shows("Client secret is needed.").await;
            axe::everywhere(page, "an app that is entered").await;
            page.field("Client secret").type_text(SECRET).await;
            page.button("Save app").click().await;
            page.shows("Saved the app at Google.").await;
            page.button("Replace app: Google").found().await;
            let entered = app(console, "google").await;
            assert_eq!(entered["configured"], json!(true));
            page.shows(entered["clientIdHint"].as_str().unwrap()).await;

            page.button("Replace app: Google").click().await;
            page.field("Client id").type_text(ID).await;
            page.field("Client secret").type_text(OTHER).await;
            page.button("Save app").click().await;
            page.the(Role::Dialog, "").is_gone().await;
            for secret in [SECRET, OTHER] {
                assert!(!holds(page, secret).await);
                assert!(!app(console, "google").await.to_string().contains(secret));
                assert!(!log_in(console.service.home()).contains(secret));
            }
            axe::everywhere(page, "an app").await;

            page.button("Remove app: Google").click().await;
            page.shows("Remove the app at Google?").await;
            axe::everywhere(page, "an app that is removed").await;
            page.button("Cancel").click().await;
            assert_eq!(app(console, "google").await["configured"], json!(true));
            page.button("Remove app: Google").click().await;
            page.the(Role::Button, "Remove app").click().await;
            page.shows("Removed the app at Google.").await;
            page.button("Enter app: Google").found().await;
            assert_eq!(app(console, "google").await["configured"], json!(false));
            let rows = console
                .service
                .call(Method::GET, "/api/audit?agent=operator", None, 200)
                .await;
            assert_eq!(rows["rows"], json!([]), "no act of the record");
        },
    );
}
