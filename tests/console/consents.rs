//! Signing in at a provider: journeys 2, 3 and 5.

use serde_json::{Value, json};
use sextant_actors::clock::{Clock as _, SystemClock};

use crate::at_providers::{self, AtGoogle, CLIENT_SECRET, consent, enter_app, holds};
use crate::dav::listed_as;
use crate::harness::element::Role;
use crate::harness::{Browser, axe, in_browser_beside};
use crate::support::eventually::eventually;
use crate::support::service::log_in;
use crate::support::stand_ins::google::agenda::event;

/// Whose calendar it is.
const CALENDAR: &str = "op@x.test";
const TITLE: &str = "An event of Ada";
const NONE: [Value; 0] = [];
const CALENDARS: &str = "https://www.googleapis.com/auth/calendar.readonly";
/// What the provider's page does for who cancels: it sends the browser back without a code.
const CANCEL: &str = "const field = (name) => document.querySelector(`input[name=${name}]`).value; \
    location.assign(`${field('redirect_uri')}?error=access_denied&state=${encodeURIComponent(field('state'))}`)";

/// Gives the person at Google an event and an acquaintance.
fn fill(google: &AtGoogle) {
    let mut account = google.account.state();
    account.agenda.calendar(CALENDAR).put("a", event(TITLE));
    account.book.put("c1", "Grace", &[]);
}

/// Goes to the page of a sign-in, and enters the app there.
async fn reach(page: &Browser, provider: &str) {
    page.open("/connections/new").await;
    page.link(provider).click().await;
    page.shows("This page moved here from 127.0.0.1").await;
    enter_app(page).await;
    page.shows("Settings › Provider apps").await;
    assert!(page.button("Sign in").has_focus().await);
}

async fn sign_in(page: &Browser, scopes: Option<&str>) {
    page.button("Sign in").click().await;
    consent(page, scopes).await;
}

/// An event, as Graph has it.
fn plan() -> Value {
    let at = |time: &str| json!({ "dateTime": format!("{}T{time}.0000000", SystemClock.now().date_naive()), "timeZone": "UTC" });
    json!({ "id": "e", "iCalUId": "e@x", "type": "singleInstance", "subject": TITLE, "start": at("09:00:00"), "end": at("10:00:00") })
}

#[test]
fn r120_a_full_grant_makes_two_connections_of_one_sign_in() {
    let test = "consents::full";
    in_browser_beside(
        test,
        // Whatever the service could write to its log, it writes.
        async |home, setup| at_providers::google(test, home, setup.env("RUST_LOG", "trace")).await,
        async |console, google| {
            fill(google);
            let page = &console.browser;
            page.open("/connections/new/google").await;
            page.shows("This page moved here from 127.0.0.1").await;
            axe::everywhere(page, "a sign-in before the app is entered").await;
            reach(page, "Google").await;
            axe::everywhere(page, "a sign-in").await;
            assert!(!holds(page, CLIENT_SECRET).await);
            sign_in(page, None).await;
            page.shows("Signed in. Calendar and contacts connected.")
                .await;
            listed_as(page, "calendar", "Active").await;
            listed_as(page, "contacts", "Active").await;
            axe::everywhere(page, "a whole sign-in").await;
            let made = console.connections().await;
            assert_eq!(made.len(), 2);
            assert_eq!(made[0]["signInId"], made[1]["signInId"]);
            page.button("Close").click().await;
            page.is_at("/connections").await;
            page.open("/data/calendar/series").await;
            page.shows(TITLE).await;
            page.open("/data/contacts/people").await;
            page.shows("Grace").await;
            let log = log_in(console.service.home());
            assert!(!log.contains(CLIENT_SECRET), "the log has the secret");
        },
    );
}

#[test]
fn r129_what_was_not_granted_is_named_and_added_by_signing_in_again() {
    let test = "consents::partial";
    in_browser_beside(
        test,
        async |home, setup| at_providers::google(test, home, setup).await,
        async |console, google| {
            fill(google);
            google.account.state().scopes = vec!["calendar.readonly"];
            let page = &console.browser;
            reach(page, "Google").await;
            sign_in(page, Some(&format!("openid email {CALENDARS}"))).await;
            page.shows("Signed in. Calendar connected; contacts was not granted.")
                .await;
            page.shows("contacts: “See your contacts” was not granted.")
                .await;
            axe::everywhere(page, "a partial sign-in").await;
            page.shows("leave every box ticked").await;
            listed_as(page, "calendar", "Active").await;
            page.link("Google").click().await;
            page.shows("Not granted").await;
            page.shows("See your contacts. Sign in again").await;
            page.client.back().await.unwrap();
            let first = console.connections().await;
            assert_eq!(first.len(), 1, "{first:?}");

            google.account.state().scopes.push("contacts.readonly");
            page.button("Sign in again to add it").click().await;
            consent(page, None).await;
            page.shows("Signed in. Calendar and contacts connected.")
                .await;
            listed_as(page, "calendar", "Active").await;
            listed_as(page, "contacts", "Active").await;
            let both = console.connections().await;
            assert_eq!(both.len(), 2, "{both:?}");
            assert!(both.iter().any(|one| one["id"] == first[0]["id"]));
            assert!(
                both.iter()
                    .all(|one| one["signInId"] == first[0]["signInId"])
            );
        },
    );
}

#[test]
fn r121_at_microsoft_each_scope_that_came_back_is_a_connection() {
    let test = "consents::microsoft";
    in_browser_beside(
        test,
        async |home, setup| at_providers::microsoft(test, home, setup).await,
        async |console, microsoft| {
            {
                let mut graph = microsoft.account.state();
                graph.put("mailFolders", json!({ "id": "in", "displayName": "Inbox" }));
                let inbox = ("mailFolders/inbox".to_owned(), json!({ "id": "in" }));
                graph.singles.extend([inbox]);
                graph.scopes = vec!["Mail.Read"];
            }
            let page = &console.browser;
            reach(page, "Microsoft").await;
            sign_in(page, Some("Mail.Read offline_access")).await;
            page.shows("Signed in. Mail connected; calendar and contacts were not granted.")
                .await;
            listed_as(page, "mail", "Active").await;
            page.shows("Microsoft account").await;
            let first = console.connections().await;

            // The sign-in is renewed, though what names the account is another thing now.
            {
                let mut graph = microsoft.account.state();
                let owner =
                    json!({ "id": "c", "owner": { "name": "Op", "address": "op@example.org" } });
                graph.singles.insert("calendar".to_owned(), owner);
                graph.put("calendars", json!({ "id": "cal", "name": "Calendar" }));
                graph.put("calendars/cal/calendarView", plan());
                graph.scopes = vec!["Mail.Read", "Calendars.Read", "Contacts.Read"];
            }
            // One that was cancelled on the way is renewed by the next try still.
            page.button("Sign in again to add them").click().await;
            page.shows(crate::support::emulate::PERSON).await;
            page.run(CANCEL, vec![]).await;
            page.shows("The sign-in was cancelled at Microsoft.").await;
            page.button("Sign in again").click().await;
            consent(page, None).await;
            page.shows("Signed in. Mail, calendar and contacts connected.")
                .await;
            for sector in ["mail", "calendar", "contacts"] {
                listed_as(page, sector, "Active").await;
            }
            page.shows("op@example.org").await;
            page.hides("Microsoft account").await;
            let all = console.connections().await;
            assert_eq!(all.len(), 3, "{all:?}");
            assert!(
                all.iter()
                    .all(|one| one["signInId"] == first[0]["signInId"])
            );
        },
    );
}

#[test]
fn a_sign_in_that_was_cancelled_or_forged_changes_nothing_and_says_so() {
    let test = "consents::cancelled";
    in_browser_beside(
        test,
        async |home, setup| at_providers::google(test, home, setup).await,
        async |console, _| {
            let page = &console.browser;
            reach(page, "Google").await;
            page.button("Sign in").click().await;
            page.shows(crate::support::emulate::PERSON).await;
            page.run(CANCEL, vec![]).await;
            page.shows("The sign-in was cancelled at Google. Nothing has changed.")
                .await;
            assert_eq!(console.connections().await, NONE);

            page.button("Sign in again").click().await;
            page.shows(crate::support::emulate::PERSON).await;
            let forge = "const field = (name) => document.querySelector(`input[name=${name}]`).value; \
                location.assign(`${field('redirect_uri')}?code=of-somebody-else&state=forged`)";
            page.run(forge, vec![]).await;
            let failed = "return document.querySelector('#outcome-head.note-bad') !== null";
            page.eventually("the sign-in has failed", failed).await;
            axe::everywhere(page, "a failed sign-in").await;
            assert_eq!(console.connections().await, NONE);
            page.button("Sign in again").found().await;
        },
    );
}

#[test]
fn a_consent_that_was_revoked_is_renewed_from_the_overview_and_ends_with_its_last_connection() {
    let test = "consents::revoked";
    in_browser_beside(
        test,
        async |home, setup| at_providers::google(test, home, setup).await,
        async |console, google| {
            fill(google);
            let page = &console.browser;
            reach(page, "Google").await;
            sign_in(page, None).await;
            listed_as(page, "contacts", "Active").await;
            let made = console.connections().await;
            let id = made[0]["id"].as_str().unwrap();

            page.run(
                "location.assign(arguments[0])",
                vec![json!(format!("/connections/{id}"))],
            )
            .await;
            page.button("Revoke credential").click().await;
            page.shows("2 connections stop at once").await;
            page.shows("myaccount.google.com").await;
            page.the(Role::Button, "Revoke credential").click().await;
            page.shows("Revoked the credential of op@example.org. 2 connections stopped.")
                .await;
            page.link("Overview").click().await;
            page.button("Skip to Overview").click().await;
            page.button("Sign in again for").found().await;
            axe::everywhere(page, "an Overview on which a sign-in waits").await;
            page.button("Sign in again for").click().await;
            consent(page, None).await;
            page.shows("Signed in. Calendar and contacts connected.")
                .await;
            listed_as(page, "calendar", "Active").await;
            listed_as(page, "contacts", "Active").await;
            assert_eq!(console.connections().await.len(), 2);

            for left in [1, 0] {
                page.button("More acts").click().await;
                page.button("Disconnect").click().await;
                page.shows("the consent ends there too").await;
                page.the(Role::Button, "Disconnect").click().await;
                page.shows("Its rows stay.").await;
                eventually("it is gone", async || {
                    console.connections().await.len() == left
                })
                .await;
            }
        },
    );
}
