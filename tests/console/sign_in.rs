//! One credential and its connections: ended and entered anew, in part, and nowhere to be read (r128, r129).

use fantoccini::key::Key;
use reqwest::Method;
use serde_json::json;

use crate::dav::{TITLE, acts_of_operator, connect, enter, event, holds_password, stands};
use crate::harness::element::Role;
use crate::harness::in_browser;
use crate::support::dav_server::{PASSWORD, Peer};
use crate::support::ports;

#[test]
fn r128_a_revoked_credential_needs_the_person_and_a_new_one_goes_on() {
    in_browser("sign_in::renewed", async |console| {
        let Some(server) = Peer::Radicale.start("sign_in::renewed").await else {
            return;
        };
        console.browser.expect("400 (Bad Request)");
        let [calendar, contacts] = connect(console, &server).await;
        let page = &console.browser;
        page.open(&format!("/connections/{contacts}")).await;
        page.button("Revoke credential").click().await;
        page.shows("2 connections stop at once").await;
        page.the(Role::Button, "Revoke credential").click().await;
        stands(page, "Sign in again").await;

        let done = "/api/onboarding/complete";
        let left = console.service.request(Method::POST, done).json(&json!({}));
        assert!(left.send().await.unwrap().status().is_success());
        page.open("/").await;
        page.shows("Sign in again.").await;
        page.link("Show").click().await;
        page.is_at(&format!("/connections/{calendar}")).await;
        stands(page, "Sign in again").await;
        page.shows("Sign in again to go on; rows stay.").await;
        server.put("/op/cal/b.ics", &event("b@x")).await;

        page.button("Sign in again for").click().await;
        page.the(Role::Dialog, "Sign in to").found().await;
        enter(page, &server).await;
        page.field("Password").type_text("of-somebody-else").await;
        page.press(&[Key::Enter]).await;
        let refused = "const field = document.querySelector('dialog [name=password]'); \
            return field.getAttribute('aria-invalid') === 'true' && document.activeElement === field";
        page.eventually("the password is at fault and has the focus", refused)
            .await;
        page.field("Password").fill(PASSWORD).await;
        page.press(&[Key::Enter]).await;
        page.shows("took the credential. Its connections go on.")
            .await;
        page.the(Role::Dialog, "").is_gone().await;
        assert!(!holds_password(page).await);
        stands(page, "Active").await;
        page.shows("Last 2 syncs: 2 ok").await;
        page.open(&format!("/connections/{contacts}")).await;
        stands(page, "Active").await;
        page.open("/data/calendar/series").await;
        page.shows(TITLE).await;
        page.open("/").await;
        page.hides("Sign in again.").await;
        let acts = acts_of_operator(console, 1).await;
        let verbs: Vec<_> = acts.iter().map(|row| &row["tool"]).collect();
        assert_eq!(verbs, ["revoke"], "a new credential leaves no row");
    });
}

#[test]
fn r129_of_the_sectors_that_were_ticked_those_that_answer_are_connected_and_the_rest_is_named() {
    in_browser("sign_in::partial", async |console| {
        let Some(server) = Peer::Radicale.start("sign_in::partial").await else {
            return;
        };
        let page = &console.browser;
        page.open("/connections/new/own_server").await;
        enter(page, &server).await;
        // Nobody listens there.
        let closed = format!("127.0.0.1:{}", ports::unused());
        page.field("Mail server").type_text(&closed).await;
        page.field("Password").type_text(PASSWORD).await;
        page.the(Role::Checkbox, "contacts").click().await;
        page.button("Connect").click().await;
        page.shows("Calendar connected; mail not.").await;
        page.shows("mail: ").await;
        assert!(!holds_password(page).await);

        page.button("Sign in again to add it").click().await;
        let kept = "const of = (name) => document.querySelector(`[name=${name}]`)?.value; \
            return of('user') === 'op' && of('dav')?.startsWith('https://') && of('password') === ''";
        page.eventually("all but the secret is there still", kept)
            .await;
        page.field("Password").type_text(PASSWORD).await;
        page.the(Role::Checkbox, "mail").click().await;
        page.button("Connect").click().await;
        page.shows("Calendar and contacts connected.").await;
        let listed = console.get("/api/connections").await;
        let listed = listed["connections"].as_array().unwrap();
        let sectors: Vec<_> = listed.iter().map(|one| &one["sector"]).collect();
        assert_eq!(sectors, ["calendar", "contacts"], "none is there twice");
        assert_eq!(listed[0]["signInId"], listed[1]["signInId"]);
    });
}

#[test]
fn r128_no_page_has_the_credential_of_a_connection() {
    in_browser("sign_in::secret", async |console| {
        let Some(server) = Peer::Radicale.start("sign_in::secret").await else {
            return;
        };
        server.put("/op/cal/a.ics", &event("a@x")).await;
        let [calendar, contacts] = connect(console, &server).await;
        let page = &console.browser;
        for address in [
            "/".to_owned(),
            "/connections".to_owned(),
            format!("/connections/{calendar}"),
            format!("/connections/{contacts}"),
            "/connections/new".to_owned(),
            "/connections/new/own_server".to_owned(),
            "/data/calendar/series".to_owned(),
            "/activity".to_owned(),
            "/settings/system".to_owned(),
        ] {
            page.open(&address).await;
            assert!(!holds_password(page).await, "{address}");
        }
        page.open(&format!("/connections/{calendar}")).await;
        page.button("Change credential").click().await;
        page.the(Role::Dialog, "Sign in to").found().await;
        page.field("Password").found().await;
        assert!(!holds_password(page).await, "the dialog");
        let signed_in =
            console.get(&format!("/api/connections/{calendar}")).await["signInId"].clone();
        let told = console
            .get(&format!("/api/signins/{}", signed_in.as_str().unwrap()))
            .await;
        assert!(!told.to_string().contains(PASSWORD));
        assert_eq!(told["connections"][0]["id"], json!(calendar));
    });
}
