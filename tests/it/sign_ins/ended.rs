//! A credential is ended, entered again, and goes with its last connection.

use serde_json::{Value, json};

use super::{act, column, connect, entered, secrets, sign_in, signed_in, until_health};
use crate::support::dav_server::PASSWORD;

#[actix_web::test]
async fn r128_a_revocation_deletes_the_secret_and_leaves_one_row() {
    let name = "r128_a_revocation_deletes_the_secret_and_leaves_one_row";
    let Some((app, server, id)) = signed_in(name).await else {
        return;
    };
    let before = column(&app, "id").await;
    let revoked = act(&app, &id, "revoke", json!({})).await.expect(200);
    assert!(revoked["revokedAt"].is_string(), "{revoked}");
    assert_eq!(secrets(&app).await, 0);
    assert_eq!(column(&app, "id").await, before);
    assert_eq!(
        column(&app, "health").await,
        ["needs_sign_in", "needs_sign_in"]
    );
    let published = app.published(before[0].as_str().unwrap()).unwrap();
    assert_eq!(published.health, "needs_sign_in");
    let rows = app.audit_rows(1).await;
    let row = rows.last().unwrap();
    assert_eq!(
        (&row["tool"], &row["sector"]),
        (&json!("revoke"), &Value::Null)
    );
    assert_eq!(row["args"], json!({ "signInId": id }));

    act(&app, "none", "revoke", json!({}))
        .await
        .expect_problem(404, "not_found", None);
    let stranger = uuid::Uuid::nil().to_string();
    act(&app, &stranger, "revoke", json!({}))
        .await
        .expect_problem(404, "not_found", None);
    let failed = app.audit_rows(2).await;
    assert_eq!(failed.last().unwrap()["outcome"], "error");

    // Entered again: everything goes on where it was, and no further row is left.
    let credentials = json!({ "credentials": entered(&server, PASSWORD) });
    let renewed = act(&app, &id, "credentials", credentials).await.expect(200);
    assert_eq!(renewed["revokedAt"], Value::Null);
    until_health(&app, ["ok", "ok"]).await;
    assert_eq!(column(&app, "id").await, before);
    assert_eq!(secrets(&app).await, 1);
    assert_eq!(app.audit_rows(2).await.len(), 2);
}

#[actix_web::test]
async fn a_credential_that_is_none_of_the_account_changes_nothing() {
    let name = "a_credential_that_is_none_of_the_account_changes_nothing";
    let Some((app, server, id)) = signed_in(name).await else {
        return;
    };
    let sealed = app
        .database
        .rows("SELECT sealed::text AS sealed FROM sign_ins")
        .await;
    let enter = async |credentials: Value| {
        act(
            &app,
            &id,
            "credentials",
            json!({ "credentials": credentials }),
        )
        .await
    };
    let mut other = entered(&server, PASSWORD);
    other["user"] = json!("ann");
    enter(other).await.expect_problem(409, "conflict", None);
    let wrong = entered(&server, "hunter2-of-op");
    enter(wrong)
        .await
        .expect_problem(400, "invalid", Some("password"));
    enter(json!({}))
        .await
        .expect_problem(400, "invalid", Some("user"));
    enter(json!(7))
        .await
        .expect_problem(400, "invalid", Some("credentials"));
    let after = app
        .database
        .rows("SELECT sealed::text AS sealed FROM sign_ins")
        .await;
    assert_eq!(after, sealed);
    act(&app, "none", "credentials", json!({ "credentials": {} }))
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn what_waits_for_its_source_goes_on_waiting_when_the_credential_is_renewed() {
    let name = "what_waits_for_its_source_goes_on_waiting_when_the_credential_is_renewed";
    let Some((app, server, id)) = signed_in(name).await else {
        return;
    };
    until_health(&app, ["ok", "ok"]).await;
    let client = app.database.connect().await;
    let delay = "UPDATE connections SET health = CASE sector WHEN 'contacts' THEN 'backing_off' ELSE 'needs_credentials' END,
        retry_at = now() + interval '1 hour'";
    client.batch_execute(delay).await.unwrap();
    let credentials = json!({ "credentials": entered(&server, PASSWORD) });
    act(&app, &id, "credentials", credentials).await.expect(200);
    let health = column(&app, "health").await;
    assert_ne!(health[0], "needs_credentials");
    assert_eq!(health[1], "backing_off");
    assert!(column(&app, "nextSyncAt").await[1].is_string());
}

#[actix_web::test]
async fn r129_the_last_disconnect_deletes_the_secret() {
    let Some((app, server, id)) = signed_in("r129_the_last_disconnect_deletes_the_secret").await
    else {
        return;
    };
    let ids = column(&app, "id").await;
    app.disconnect(ids[0].as_str().unwrap(), json!({}))
        .await
        .expect(200);
    let left = sign_in(&app, &id).await;
    assert_eq!(left["connections"].as_array().unwrap().len(), 1);
    assert_eq!(secrets(&app).await, 1);
    app.disconnect(ids[1].as_str().unwrap(), json!({ "rows": "delete" }))
        .await
        .expect(200);
    app.get(&format!("/api/signins/{id}"))
        .await
        .expect_problem(404, "not_found", None);
    let kept = app.database.rows("SELECT id FROM sign_ins").await;
    assert!(kept.is_empty(), "{kept:?}");
    // The same account is another sign-in then.
    let made = connect(&app, &entered(&server, PASSWORD), json!({}))
        .await
        .expect(201);
    assert_ne!(made["signInId"], id.as_str());
}

/// A refused password is tried once more after a while; the one that is entered in its place need not wait for that.
#[actix_web::test]
async fn what_backed_off_from_a_refused_credential_goes_on_with_the_new_one() {
    let name = "what_backed_off_from_a_refused_credential_goes_on_with_the_new_one";
    let Some((app, server, id)) = signed_in(name).await else {
        return;
    };
    until_health(&app, ["ok", "ok"]).await;
    let client = app.database.connect().await;
    let refused = "UPDATE connections SET health = 'backing_off', retry_at = now() + interval '1 hour',
        problem = jsonb_build_object('code', 'credential_refused', 'message', 'refused', 'since', now(), 'at', now(), 'count', 1)";
    client.batch_execute(refused).await.unwrap();
    let credentials = json!({ "credentials": entered(&server, PASSWORD) });
    act(&app, &id, "credentials", credentials).await.expect(200);
    until_health(&app, ["ok", "ok"]).await;
    assert_eq!(column(&app, "error").await, [Value::Null, Value::Null]);
}
