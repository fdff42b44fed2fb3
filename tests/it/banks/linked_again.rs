//! Links that are made in place of others, and links that are completed later.

use serde_json::json;

use super::world::World;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

/// A code serves once: what it gave is kept, though the bank does not answer then.
#[actix_web::test]
async fn a_link_that_the_bank_does_not_answer_to_is_kept_and_completed() {
    let test = "a_link_that_the_bank_does_not_answer_to_is_kept";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    world.aggregator().open("a");
    let away = |_: &str| wire::raw(503, "", "");
    world
        .aggregator()
        .faults
        .always("/sessions/", Law::Broken, away);
    let failed = world.link(&["a"], None).await;
    assert_eq!(failed["outcome"], "failed", "{failed}");
    assert!(failed["message"].as_str().unwrap().contains("is kept"));
    let listed = world.app.get("/api/signins").await.expect(200);
    let [kept] = listed["signIns"].as_array().unwrap().as_slice() else {
        panic!("{listed}");
    };
    assert_eq!(kept["connections"], json!([]));
    let id = kept["id"].as_str().unwrap();
    world.aggregator().faults.clear();
    let path = format!("/api/signins/{id}/complete");
    world.app.post(&path, json!({})).await.expect(200);
    world.until_health("ok").await;
    assert_eq!(world.connection().await["signInId"], id);
}

/// Nothing is left of a revoked link that tells which bank it was, and another account never takes its place.
#[actix_web::test]
async fn a_revoked_link_is_made_again_for_the_same_accounts_alone() {
    let test = "a_revoked_link_is_made_again";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    world.aggregator().open("a");
    world.aggregator().open("b");
    world.link(&["a"], None).await;
    let shown = world.until_health("ok").await;
    let id = shown["signInId"].as_str().unwrap();
    let revoke = format!("/api/signins/{id}/revoke");
    let revoked = world.app.post(&revoke, json!({})).await.expect(200);
    assert_eq!(revoked["consent"]["ended"], true, "{revoked}");
    let unnamed = json!({"signInId": id});
    let unnamed = world
        .browser
        .post("/api/aggregator-apps/bank_app/link", unnamed)
        .await;
    unnamed.expect_problem(400, "invalid", Some("bank"));
    let named = json!({"country": "FI", "bank": "Bank of Test", "signInId": id});
    let other = world.link_as(&["b"], named.clone()).await;
    assert_eq!(other["outcome"], "failed", "{other}");
    assert!(
        other["message"]
            .as_str()
            .unwrap()
            .contains("another account")
    );
    assert_eq!(world.connection().await["health"], "needs_sign_in");
    let again = world.link_as(&["a"], named).await;
    assert_eq!(again["outcome"], "connected", "{again}");
    world.until_health("ok").await;
    assert_eq!(world.rows("accounts", &["id"]).await.len(), 1);
}
