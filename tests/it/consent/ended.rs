//! The end of a consent: by its last connection, by a revocation here, and what the provider is told of it.

use serde_json::{Value, json};

use super::granted::{HEALTH, sign_in_at_whoop};
use super::world::{AtGoogle, AtMicrosoft, AtWhoop};
use crate::support::stand_ins::bearers::Bearers;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire::raw;

#[actix_web::test]
async fn the_last_connection_ends_the_consent_at_the_provider_and_none_before_it() {
    let test = "the_last_connection_ends_the_consent_at_the_provider_and_none_before_it";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    world.sign_in(None).await;
    let contacts = world.until_health("contacts", "ok").await;
    let calendar = world.until_health("calendar", "ok").await;
    let id = contacts["id"].as_str().unwrap();
    let done = world.app.disconnect(id, json!({})).await.expect(200);
    assert_eq!(done["consent"], json!(null));
    assert_eq!(world.fetch("calendar").await["outcome"], "fetched");
    let id = calendar["id"].as_str().unwrap();
    let done = world.app.disconnect(id, json!({})).await.expect(200);
    assert_eq!(done["consent"]["ended"], true, "{done}");
    assert_eq!(world.sign_ins().await, [Value::Null; 0]);
}

#[actix_web::test]
async fn r128_a_revoked_credential_ends_the_consent_at_whoop_and_signing_in_again_goes_on() {
    let test = "r128_a_revoked_credential_ends_the_consent_at_whoop_and_signing_in_again_goes_on";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    let made = sign_in_at_whoop(&world, None, HEALTH).await;
    let before = world.until_health("health", "ok").await;
    let id = made["signInId"].as_str().unwrap();
    let path = format!("/api/signins/{id}/revoke");
    let done = world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(done["consent"]["ended"], true, "{done}");
    assert!(world.account.state().is_revoked);
    let stopped = world.connection("health").await;
    assert_eq!(stopped["health"], "needs_sign_in", "{stopped}");
    let told = stopped["error"]["message"].as_str().unwrap();
    assert!(told.ends_with("sign in again"), "{told}");
    let rows = world.app.audit_rows(1).await;
    assert_eq!(rows[0]["tool"], "revoke");

    {
        // A new consent.
        let mut whoop = world.account.state();
        whoop.is_revoked = false;
        whoop.bearers = Bearers::default();
    }
    let again = sign_in_at_whoop(&world, Some(id), HEALTH).await;
    assert_eq!(again["outcome"], "connected", "{again}");
    let after = world.until_health("health", "ok").await;
    assert_eq!(after["id"], before["id"]);
}

#[actix_web::test]
async fn a_provider_that_fails_does_not_keep_a_consent_from_being_ended_here() {
    let test = "a_provider_that_fails_does_not_keep_a_consent_from_being_ended_here";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    sign_in_at_whoop(&world, None, HEALTH).await;
    let connection = world.until_health("health", "ok").await;
    let broken = |_: &str| raw(500, "", "broken");
    let path = "/v2/user/access";
    world
        .account
        .state()
        .faults
        .always(path, Law::Broken, broken);
    let id = connection["id"].as_str().unwrap();
    let done = world
        .app
        .disconnect(id, json!({"rows": "delete"}))
        .await
        .expect(200);
    assert_eq!(done["consent"]["ended"], false, "{done}");
    let told = done["consent"]["message"].as_str().unwrap();
    assert!(
        told.contains("Disconnect the app in the WHOOP app"),
        "{told}"
    );
    assert_eq!(world.sign_ins().await, [Value::Null; 0]);
    assert_eq!(
        world.column("health.sleeps", "start_at").await,
        [Value::Null; 0]
    );
}

#[actix_web::test]
async fn where_a_provider_ends_no_consent_the_person_is_told_where_they_do() {
    let test = "where_a_provider_ends_no_consent_the_person_is_told_where_they_do";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    let inbox = json!({"id": "in-1"});
    world
        .account
        .state()
        .singles
        .insert("mailFolders/inbox".to_owned(), inbox);
    let made = world.sign_in(Some("Mail.Read")).await;
    let id = made["connections"][0]["id"].as_str().unwrap();
    let done = world.app.disconnect(id, json!({})).await.expect(200);
    assert_eq!(done["consent"]["ended"], false, "{done}");
    let told = done["consent"]["message"].as_str().unwrap();
    assert!(told.contains("myapps.microsoft.com"), "{told}");
}

#[actix_web::test]
async fn no_token_or_secret_stands_in_an_export_an_answer_or_the_database_in_plain() {
    let test = "no_token_or_secret_stands_in_an_export_an_answer_or_the_database_in_plain";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    sign_in_at_whoop(&world, None, HEALTH).await;
    world.until_health("health", "ok").await;
    let [access, refresh] = world.legs.issued().await;
    let secrets = [
        access,
        refresh,
        crate::support::emulate::CLIENT_SECRET.to_owned(),
    ];
    let paths = [
        "/api/signins",
        "/api/oauth-apps",
        "/api/providers",
        "/api/connections",
        "/metrics",
    ];
    for path in paths {
        let told = world.app.get(path).await.text;
        for secret in &secrets {
            assert!(!told.contains(secret), "{path}");
        }
    }
    let client = world.app.database.connect().await;
    for table in [
        "sign_ins",
        "provider_apps",
        "connections",
        "sync_runs",
        "sync_cursors",
    ] {
        let sql = format!("SELECT coalesce(string_agg(kept::text, ' '), '') FROM {table} AS kept");
        let told: String = client.query_one(&sql, &[]).await.unwrap().get(0);
        for secret in &secrets {
            assert!(!told.contains(secret), "{table}");
        }
    }
}
