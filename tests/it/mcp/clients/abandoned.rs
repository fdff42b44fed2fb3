//! A call that is cancelled in the middle, in each client's own way: the database stops working on it.

use serde_json::json;

use super::{connected, url};
use crate::mcp::support::slow::SlowTable;
use crate::support::TestApp;
use crate::support::clients::{Peer, installed};

#[actix_web::test]
async fn every_client_gives_a_call_up_and_the_database_stops_working_for_it() {
    let app = TestApp::start().await;
    let slow = SlowTable::of(&app).await;
    let key = app.key_of("claude", &["finance"]).await;
    let mut peers = installed("every_client_gives_a_call_up");
    peers.retain(Peer::can_cancel);
    let mut abandoned = 0;
    for mut client in connected(peers, &url(&app), &key).await {
        client.begin("query", &SlowTable::query()).await;
        slow.is_at_work().await;
        client.cancel().await;
        slow.wait_until_left().await;
        abandoned += 1;
        // The client's connection can be used further.
        let told = client.call("list_actions", &json!({})).await;
        assert_eq!(told["error"], false, "{}: {told}", client.peer);
        let rows = app.audit_rows(2 * abandoned).await;
        let row = rows.iter().rfind(|row| row["tool"] == "query").unwrap();
        assert_eq!(
            (&row["decision"], &row["outcome"]),
            (&json!("allow"), &json!("error"))
        );
    }
}
