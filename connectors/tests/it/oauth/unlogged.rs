//! At no level does anything log what was sent in secret, nor what a person has at a provider.

use serde_json::json;

use super::spent;
use super::stage::{STATE, refresh_token};
use crate::google::stage::Stage;
use crate::microsoft::stage::{Sector, World};
use crate::support::logged;
use crate::support::plain_http;
use crate::support::single_use::{CLIENT_SECRET, SingleUseServer};
use crate::support::stand_ins::google::agenda::event;

/// A title, a name, a text.
const WORDS: &str = "seeded words of a person";

#[tokio::test]
async fn no_log_at_any_level_holds_a_secret_of_a_sign_in() {
    logged::keep();
    let Some(server) = SingleUseServer::start_if_installed("no_log_of_a_sign_in").await else {
        return;
    };
    let client = spent::client_of(&server);
    let page = client.authorize(&["offline"]);
    let code = client.code(&plain_http::get(&page).await.location().unwrap());
    let issued = client
        .exchange(&code, Some(&client.verifier))
        .await
        .unwrap();
    let first = refresh_token(&issued);
    for state in ["telling", "lost", "garbage"] {
        server.tell(json!({"next": state, "status": 400})).await;
        client.refresh(&first).await.unwrap_err();
    }
    client.revoke(&first).await.unwrap();
    let [access, refresh] = server.issued().await;
    logged::assert_unlogged(&[
        first.reveal(),
        code.reveal(),
        &access,
        &refresh,
        issued.access_token.reveal(),
        CLIENT_SECRET,
        STATE,
    ]);
}

#[tokio::test]
async fn no_log_at_any_level_holds_a_token_or_what_a_person_has() {
    logged::keep();
    let test = "no_log_of_what_a_person_has";
    let Some(mut stage) = Stage::start(test).await else {
        return;
    };
    stage
        .google()
        .agenda
        .calendar("op@x.test")
        .put("a", event(WORDS));
    stage.google().book.put("a", WORDS, &[]);
    stage.sync_calendar().await.unwrap();
    stage.sync_contacts().await.unwrap();
    for sector in [Sector::Contacts, Sector::Mail, Sector::Calendar] {
        let Some(mut world) = World::start(test, sector).await else {
            return;
        };
        world
            .graph()
            .put("mailFolders", json!({"id": "in", "displayName": WORDS}));
        world.graph().put(
            "mailFolders/in/messages",
            crate::microsoft::message("a", WORDS),
        );
        world.graph().put(
            "contacts",
            json!({"id": "a", "displayName": WORDS, "emailAddresses": []}),
        );
        world
            .graph()
            .put("calendars", json!({"id": "cal", "name": WORDS}));
        world.sync().await.unwrap();
    }
    logged::assert_unlogged(&["Bearer token-1", WORDS]);
}
