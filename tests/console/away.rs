//! A service that goes away under the page and comes back; other languages and zones.

use serde_json::json;

use crate::harness::{Console, in_browser};

#[test]
fn a_page_whose_service_is_gone_says_so_and_recovers() {
    in_browser("away::gone", async |console| {
        console.browser.expect("net::ERR");
        console.browser.expect("Failed to load resource");
        console.browser.open("/agents").await;
        console.browser.shows("Live").await;
        let address = console.service.console.clone();
        let port = address.rsplit(':').next().unwrap();
        let again = console.kill().await.env("REST_PORT", port);
        console.browser.shows("Reconnecting…").await;
        console
            .browser
            .shows("The service cannot be reached.")
            .await;
        console.service = again.start().await;
        console.browser.shows("Live").await;
        console
            .browser
            .hides("The service cannot be reached.")
            .await;
        console.service.key("laptop", &["mail"]).await;
        console.browser.shows("laptop").await;
    });
}

/// The text of the one agent's deadline.
async fn deadline(console: &Console) -> String {
    let title = "return document.querySelector('.facts time').title";
    console
        .browser
        .eventually(
            "its deadline is told",
            "return Boolean(document.querySelector('.facts time'))",
        )
        .await;
    console
        .browser
        .run(title, vec![])
        .await
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn dates_are_written_in_the_browsers_language_and_the_services_zone() {
    in_browser("away::languages", async |console| {
        let body = json!({ "name": "laptop", "sectors": ["mail"], "expiresInDays": 30 });
        console
            .service
            .call(reqwest::Method::POST, "/api/agents", Some(body), 201)
            .await;
        console
            .browser
            .set_locale("de-DE", "America/New_York")
            .await;
        console.browser.open("/agents").await;
        let german = deadline(console).await;
        assert!(german.contains('.') && !german.contains('/'), "{german}");
        console
            .browser
            .shows("Times are in UTC, the service’s zone; this browser is in America/New_York.")
            .await;
        console.browser.set_locale("en-GB", "UTC").await;
        console.browser.open("/agents").await;
        let english = deadline(console).await;
        assert!(english.contains(':') && english != german, "{english}");
        console.browser.shows("Times are in UTC.").await;
        let stamp = console
            .browser
            .run(
                "return document.querySelector('.facts time').dateTime",
                vec![],
            )
            .await;
        assert!(stamp.as_str().unwrap().ends_with('Z'), "{stamp}");
    });
}
