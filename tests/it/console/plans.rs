//! How a connection reads its source: interval, window, and the runs there were.

use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::random;

use crate::support::TestApp;
use crate::support::app::Answer;
use crate::support::pulled::PulledSource;

async fn amend(app: &TestApp, id: &str, body: Value) -> Answer {
    let request = app.request(Method::PATCH, &format!("/api/connections/{id}"));
    app.send(request.json(&body)).await
}

#[actix_web::test]
async fn r128_a_new_interval_leaves_a_row_and_a_new_window_none() {
    let app = TestApp::start().await;
    let client = app.database.connect().await;
    let source = PulledSource::sign_in(&client, "icloud").await;
    let id = source.connection("mail.messages", "Mail").await.to_string();
    app.publish_connections().await;

    let shown = amend(&app, &id, json!({ "syncWindowDays": 90 })).await;
    let shown = shown.expect(200);
    assert_eq!(
        (&shown["syncWindowDays"], &shown["syncIntervalMinutes"]),
        (&json!(90), &json!(15))
    );
    let shown = amend(&app, &id, json!({ "syncIntervalMinutes": 60 }))
        .await
        .expect(200);
    assert_eq!(
        (&shown["syncWindowDays"], &shown["syncIntervalMinutes"]),
        (&json!(90), &json!(60))
    );
    // iCloud does not want to be asked so often (providers rule 24).
    let often = amend(&app, &id, json!({ "syncIntervalMinutes": 14 })).await;
    assert!(often.text.contains("every 15 minutes"), "{often:?}");
    often.expect_problem(400, "invalid", Some("syncIntervalMinutes"));
    let interval = app.published(&id).unwrap().interval.unwrap();
    assert_eq!(interval.as_secs(), 3600);
    let shown = amend(&app, &id, json!({ "syncWindowDays": null }))
        .await
        .expect(200);
    assert_eq!(shown["syncWindowDays"], Value::Null);

    let unknown = random::identifier().unwrap().to_string();
    for body in [
        json!({ "syncWindowDays": 9 }),
        json!({ "syncIntervalMinutes": 9 }),
    ] {
        amend(&app, &unknown, body)
            .await
            .expect_problem(404, "not_found", None);
    }
    let rows = app.audit_rows(2).await;
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0]["tool"], "set_sync_interval");
    assert_eq!(
        rows[0]["args"],
        json!({ "connectionId": id, "minutes": 60 })
    );
    assert_eq!(
        (&rows[0]["sector"], &rows[0]["outcome"]),
        (&json!("mail"), &json!("ok"))
    );
    assert_eq!(
        (&rows[1]["tool"], &rows[1]["outcome"]),
        (&json!("set_sync_interval"), &json!("error"))
    );
}

#[actix_web::test]
async fn a_connection_for_pushes_has_no_interval_and_no_window() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("health.samples").await;
    for (body, field) in [
        (
            json!({ "syncIntervalMinutes": 60 }),
            Some("syncIntervalMinutes"),
        ),
        (json!({ "syncWindowDays": null }), Some("syncWindowDays")),
        (json!({}), None),
    ] {
        amend(&app, &id, body)
            .await
            .expect_problem(400, "invalid", field);
    }
    app.pause(&id).await.expect(200);
    assert_eq!(app.audit_rows(1).await[0]["tool"], "pause");
}

#[actix_web::test]
async fn a_source_shows_its_account_its_next_round_and_its_rows() {
    let app = TestApp::start().await;
    let client = app.database.connect().await;
    let source = PulledSource::sign_in(&client, "icloud").await;
    let id = source.connection("mail.messages", "Mail").await;
    let shown = async || app.connection(&id.to_string()).await.expect(200);
    let first = shown().await;
    assert_eq!(
        (&first["account"], &first["nextSyncAt"]),
        (&json!("ada@example.org"), &Value::Null)
    );
    assert_eq!(first["signInId"], json!(source.sign_in.to_string()));
    assert_eq!(
        (&first["rows"], &first["consentExpiresAt"]),
        (&json!(0), &Value::Null)
    );

    let minutes_ahead = |shown: &Value| {
        let at: chrono::DateTime<chrono::Utc> = shown["nextSyncAt"].as_str()?.parse().ok()?;
        let last: chrono::DateTime<chrono::Utc> = shown["lastSyncAt"].as_str()?.parse().ok()?;
        Some((at - last).num_minutes())
    };
    source.fares(id, "ok", Value::Null, None).await;
    assert_eq!(minutes_ahead(&shown().await), Some(15));
    source
        .fares(
            id,
            "backing_off",
            json!({ "code": "failed", "message": "No answer." }),
            Some(60),
        )
        .await;
    assert_eq!(minutes_ahead(&shown().await), Some(63));
    source.fares(id, "ok", Value::Null, Some(-60)).await;
    assert_eq!(minutes_ahead(&shown().await), Some(15));
    source.fares(id, "needs_sign_in", Value::Null, None).await;
    assert_eq!(shown().await["nextSyncAt"], Value::Null);
    source.fares(id, "ok", Value::Null, None).await;
    app.pause(&id.to_string()).await.expect(200);
    assert_eq!(shown().await["nextSyncAt"], Value::Null);
}

#[actix_web::test]
async fn runs_are_listed_newest_first() {
    let app = TestApp::start().await;
    let client = app.database.connect().await;
    let source = PulledSource::sign_in(&client, "icloud").await;
    let id = source.connection("mail.messages", "Mail").await;
    source.run(id, 30, Some("ok"), 7).await;
    source.run(id, 15, Some("failed"), 0).await;
    source.run(id, 0, None, 3).await;
    let runs = async |query: &str| {
        let path = format!("/api/connections/{id}/runs{query}");
        app.get(&path).await.expect(200)["rows"].clone()
    };
    let all = runs("").await;
    let outcomes: Vec<&Value> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["outcome"])
        .collect();
    assert_eq!(outcomes, [&Value::Null, &json!("failed"), &json!("ok")]);
    assert_eq!(all[0]["endedAt"], Value::Null);
    assert_eq!(all[1]["message"], "The server did not answer within 30 s.");
    assert_eq!(
        (&all[2]["upserted"], &all[2]["skipped"]),
        (&json!(7), &json!(0))
    );
    assert_eq!(runs("?limit=1").await, json!([all[0]]));
    let unknown = format!("/api/connections/{}/runs", random::identifier().unwrap());
    app.get(&unknown)
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn the_list_has_the_last_runs_of_each_when_they_are_asked_for() {
    let app = TestApp::start().await;
    let client = app.database.connect().await;
    let source = PulledSource::sign_in(&client, "icloud").await;
    let mail = source.connection("mail.messages", "Mail").await;
    let people = source.connection("contacts.people", "People").await;
    for minutes in 1..=3 {
        source.run(mail, 10 * minutes, Some("ok"), minutes).await;
    }
    source.run(people, 5, Some("failed"), 0).await;
    let listed = app.get("/api/connections?runs=2").await.expect(200);
    let told = |at: usize| {
        let runs = listed["connections"][at]["lastRuns"].as_array().unwrap();
        let told = runs
            .iter()
            .map(|run| json!([run["outcome"], run["changed"]]));
        told.collect::<Vec<_>>()
    };
    assert_eq!(told(0), [json!(["failed", 0])], "{listed}");
    assert_eq!(told(1), [json!(["ok", 1]), json!(["ok", 2])]);
    let bare = app.get("/api/connections").await.expect(200);
    assert_eq!(bare["connections"][0].get("lastRuns"), None);
    app.get("/api/connections?runs=31")
        .await
        .expect_problem(400, "invalid", Some("runs"));
}
