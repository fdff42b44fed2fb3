//! Another time zone, and a database from before there were derived rows.

use serde_json::json;

use super::{Device, agent, days, rows, sample, with};
use crate::support::TestApp;
use crate::support::app::settings;

#[actix_web::test]
async fn another_zone_makes_the_days_anew() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let key = client.key.clone();
    let phone = Device::of(&app, "health.samples").await;
    let bank = Device::of(&app, "finance.accounts").await;
    phone
        .push(
            &app,
            json!([
                sample("1", "steps", 10.0, "2026-03-01T23:30:00Z"),
                with(
                    sample("2", "steps", 7.0, "2026-03-05T23:30:00Z"),
                    json!({ "zone_offset": "+01:00" })
                ),
            ]),
        )
        .await;
    bank.push(&app, json!([{ "id": "giro", "name": "Giro", "balance_current": 5, "balance_as_of": "2026-03-01T23:30:00Z" }])).await;
    let told = async |client: &crate::mcp::support::Client| {
        let named = |rows: Vec<serde_json::Value>, field: &str| {
            rows.iter()
                .map(|row| row[field].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let balances = rows(client, "finance.balances", &["day"], "day").await;
        (
            named(days(client, &["steps"]).await, "day"),
            named(balances, "day"),
        )
    };
    let expect = |days: [&str; 2], balance: &str| {
        (days.map(str::to_owned).to_vec(), vec![balance.to_owned()])
    };
    assert_eq!(
        told(&client).await,
        expect(["2026-03-02", "2026-03-06"], "2026-03-02")
    );
    let mut moved = settings();
    moved.zone = chrono_tz::America::New_York;
    let app = app.restart_with(moved.clone()).await;
    let client = crate::mcp::support::Client::new(&format!("http://{}/mcp", app.agents), key);
    assert_eq!(
        told(&client).await,
        expect(["2026-03-01", "2026-03-06"], "2026-03-01")
    );
    let changed = "SELECT max(changed_xid::text) FROM health.days";
    let database = app.database.connect().await;
    let before: String = database.query_one(changed, &[]).await.unwrap().get(0);
    let app = app.restart_with(moved).await;
    let after: String = database.query_one(changed, &[]).await.unwrap().get(0);
    assert_eq!(before, after, "the same zone again changes nothing");
    drop(app);
}

#[actix_web::test]
async fn what_a_rebuild_left_undone_is_done_at_the_next_start() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let key = client.key.clone();
    let phone = Device::of(&app, "health.samples").await;
    phone
        .push(
            &app,
            json!([sample("1", "steps", 10.0, "2026-03-01T23:30:00Z")]),
        )
        .await;
    // The state before a first build: after an upgrade, or after a rebuild that was killed, since it is one
    // transaction.
    let database = app.database.connect().await;
    database
        .batch_execute("DELETE FROM evidence.built; DELETE FROM health.days")
        .await
        .unwrap();
    phone
        .push(
            &app,
            json!([sample("2", "steps", 10.0, "2026-03-08T12:00:00Z")]),
        )
        .await;
    assert!(days(&client, &[]).await.is_empty(), "marked, not made");
    let app = app.restart().await;
    let client = crate::mcp::support::Client::new(&format!("http://{}/mcp", app.agents), key);
    assert_eq!(days(&client, &[]).await.len(), 2);
}
