//! Sign-ins leave in an export without what opens them, and come back.

use serde_json::{Value, json};

use super::{act, column, entered, secrets, sign_in, signed_in, until_health};
use crate::import::{Entries, export, import};
use crate::support::TestApp;
use crate::support::dav_server::{PASSWORD, Peer};

#[actix_web::test]
async fn r129_an_import_keeps_ids_and_waits_for_the_credential() {
    let name = "r129_an_import_keeps_ids_and_waits_for_the_credential";
    let Some((app, server, id)) = signed_in(name).await else {
        return;
    };
    let ids = column(&app, "id").await;
    until_health(&app, ["ok", "ok"]).await;
    app.pause(ids[1].as_str().unwrap()).await.expect(200);
    let client = app.database.connect().await;
    let fetched = "INSERT INTO sync_cursors (user_id, connection_id, scope, cursor, doubted_at)
            SELECT user_id, id, 'a', '{\"token\": \"7\"}', '2026-03-01T00:00:00Z' FROM connections;
        INSERT INTO source_items (user_id, connection_id, scope, key, version, at, holds, records, seen_at)
            SELECT user_id, id, 'a', 'b', '1', now(), 'c', '[[\"calendar.series\", \"d\"]]', now() FROM connections";
    client.batch_execute(fetched).await.unwrap();
    let bundle = export(&app).await;
    let entries = Entries::of(&bundle);
    for (name, bytes) in &entries.0 {
        let text = String::from_utf8_lossy(bytes);
        assert!(
            !text.contains(PASSWORD) && !text.contains("sealed"),
            "{name}"
        );
    }

    let other = TestApp::start().await;
    let told = import(&other, bundle.clone()).await.expect(200);
    let notes = told["notes"].to_string();
    assert!(notes.contains("/api/signins/<id>/credentials"), "{notes}");
    assert_eq!(column(&other, "id").await, ids);
    assert_eq!(column(&other, "state").await, ["active", "paused"]);
    assert_eq!(column(&other, "health").await, ["needs_credentials"; 2]);
    assert_eq!(column(&other, "signInId").await, [id.as_str(); 2]);
    assert_eq!(secrets(&other).await, 0);
    for table in ["sync_cursors", "source_items"] {
        let all = format!(
            "SELECT to_jsonb({table})::text AS line FROM {table} WHERE scope = 'a' ORDER BY connection_id"
        );
        let (was, is) = (
            app.database.rows(&all).await,
            other.database.rows(&all).await,
        );
        assert_eq!(was, is, "{table}");
        assert_eq!(is.len(), 2);
    }

    let credentials = json!({ "credentials": entered(&server, PASSWORD) });
    act(&other, &id, "credentials", credentials)
        .await
        .expect(200);
    until_health(&other, ["ok", "waiting"]).await;
    assert_eq!(column(&other, "state").await, ["active", "paused"]);
    assert_eq!(
        sign_in(&other, &id).await["connections"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[actix_web::test]
async fn an_export_from_before_there_were_sources_comes_back() {
    let app = TestApp::start().await;
    app.push_connection("mail.messages").await;
    let mut entries = Entries::of(&export(&app).await);
    let later = ["sign_ins", "source_items", "evidence.account_pairs"];
    let is_later = |name: &str| later.iter().any(|own| name == format!("{own}.jsonl"));
    entries.0.retain(|(name, _)| !is_later(name));
    entries.edit("connections", |lines| {
        for line in lines {
            let mut connection: Value = serde_json::from_str(line).unwrap();
            let connection = connection.as_object_mut().unwrap();
            connection.remove("sign_in_id");
            connection.remove("expires_at");
            *line = json!(connection).to_string();
        }
    });
    let mut manifest = entries.manifest();
    manifest["version"] = json!(2);
    for table in later {
        manifest["tables"].as_object_mut().unwrap().remove(table);
    }
    entries.set_manifest(&manifest);
    let other = TestApp::start().await;
    let told = import(&other, entries.packed()).await.expect(200);
    assert_eq!(told["connections"], 1);
    assert_eq!(column(&other, "health").await, ["waiting"]);
    manifest["version"] = json!(3);
    entries.set_manifest(&manifest);
    let refused = import(&TestApp::start().await, entries.packed()).await;
    assert!(refused.text.contains("sign_ins"), "{refused:?}");
}

#[actix_web::test]
async fn what_decides_whose_a_sign_in_is_comes_back_and_was_the_account_in_earlier_exports() {
    let name = "what_decides_whose_a_sign_in_is_comes_back_and_was_the_account_in_earlier_exports";
    let Some((app, _, _)) = signed_in(name).await else {
        return;
    };
    let bundle = export(&app).await;
    for (exported, kept) in [(Some("in-1"), "in-1"), (None, "Microsoft account")] {
        let mut entries = Entries::of(&bundle);
        entries.edit("sign_ins", |lines| {
            for line in lines {
                let mut own: Value = serde_json::from_str(line).unwrap();
                assert_eq!(own["identity"], own["account"]);
                own["account"] = json!("Microsoft account");
                match exported {
                    Some(identity) => own["identity"] = json!(identity),
                    None => drop(own.as_object_mut().unwrap().remove("identity")),
                }
                *line = own.to_string();
            }
        });
        let other = TestApp::start().await;
        import(&other, entries.packed()).await.expect(200);
        let identities = "SELECT identity AS line FROM sign_ins";
        let identities = other.database.rows(identities).await;
        assert_eq!(identities, [json!({ "line": kept })]);
        let accounts = column(&other, "account").await;
        assert_eq!(accounts, ["Microsoft account"; 2]);
    }
}

#[actix_web::test]
async fn an_account_that_is_here_already_stays_as_it_is() {
    let name = "an_account_that_is_here_already_stays_as_it_is";
    let Some((app, server, _)) = signed_in(name).await else {
        return;
    };
    let bundle = export(&app).await;
    assert_eq!(server.peer, Peer::Radicale);
    // The same store: its connections and its sign-in stay, with the secret.
    let all = json!({ "scope": "all" });
    app.post("/api/erase", all).await.expect(200);
    import(&app, bundle).await.expect(200);
    assert_eq!(secrets(&app).await, 1);
    for id in column(&app, "id").await {
        let resume = format!("/api/connections/{}/resume", id.as_str().unwrap());
        app.post(&resume, json!({})).await.expect(200);
    }
    until_health(&app, ["ok", "ok"]).await;
}
