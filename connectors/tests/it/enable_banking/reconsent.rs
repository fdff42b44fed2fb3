//! Another consent: other ids, the same rows.

use chrono::Duration;
use serde_json::json;
use sextant_connectors::failure::FailureKind;

use super::{World, consent_end, date};

#[tokio::test]
async fn r125_another_consent_keeps_every_row() {
    let Some(mut world) = World::start("r125_another_consent").await else {
        return;
    };
    world.hold("p1", "-42.00");
    world.sync().await;
    let (rows, identity) = (
        world.stored(),
        world.credential.as_ref().unwrap().identity.clone(),
    );
    world.wait(Duration::days(89));
    world.aggregator().account("a").settle("p1", "b1", date(1));
    world.link(&["a", "b"]).await.unwrap();
    assert_eq!(world.credential.as_ref().unwrap().identity, identity);
    world.aggregator().take_asked();
    world.sync().await;
    world.assert_equal();
    assert_eq!(world.stored().len(), rows.len());
    assert_eq!(world.store.keys(""), ["a", "b"]);
    let replaced = world.field("finance.transactions", "replaces_id");
    assert_eq!(replaced["a/b1"], "a/p1");
    // Just after a consent the bank tells most.
    let asked = world.aggregator().take_asked();
    assert!(
        asked.contains(&"transactions BOOK longest".to_owned()),
        "{asked:?}"
    );
    let ends = world.field("finance.accounts", "consent_expires_at");
    assert_eq!(ends["a"], json!(consent_end(89)));
}

#[tokio::test]
async fn an_account_that_is_not_ticked_again_keeps_its_rows_and_says_why() {
    let Some(mut world) = World::start("an_account_that_is_not_ticked").await else {
        return;
    };
    world.sync().await;
    world.link(&["b"]).await.unwrap();
    for _ in 0..2 {
        world.sync().await;
        world.assert_equal();
        let status = world.field("finance.accounts", "status");
        assert_eq!(
            (&status["a"], &status["b"]),
            (&json!("needs_sign_in"), &json!("ok"))
        );
    }
    assert_eq!(world.store.changed, [""; 0]);
    world.link(&["a", "b"]).await.unwrap();
    world.sync().await;
    assert_eq!(world.field("finance.accounts", "status")["a"], "ok");
    let words = world.field("finance.accounts", "bank_error_message");
    assert_eq!(words["a"], json!(null));
}

#[tokio::test]
async fn an_account_is_known_again_by_another_of_its_digests() {
    let Some(mut world) = World::start("known_again_by_another_digest").await else {
        return;
    };
    world.aggregator().account("a").hashes = vec!["iban".to_owned()];
    world.link(&["a", "b"]).await.unwrap();
    world.sync().await;
    {
        let mut aggregator = world.aggregator();
        let account = aggregator.accounts.remove("a").unwrap();
        aggregator.accounts.insert("c".to_owned(), account);
    }
    world.link(&["b", "c"]).await.unwrap();
    world.sync().await;
    assert_eq!(world.store.keys(""), ["a", "b"]);
    assert_eq!(world.stored().len(), 6);
}

#[tokio::test]
async fn a_link_in_place_of_another_has_an_account_of_it() {
    let Some(mut world) = World::start("in_place_of_another").await else {
        return;
    };
    world.aggregator().open("z");
    let earlier = world.credential.clone().unwrap();
    let refused = world.link(&["z"]).await.unwrap_err();
    assert_eq!(refused.kind, FailureKind::Rejected);
    // By itself it is another link of the same bank; and so is the same link made anew, which is that one.
    let code = world.consent(&["z"]).await;
    let other = world.finish(&code, None).await.unwrap();
    let code = world.consent(&["a", "b"]).await;
    let again = world.finish(&code, None).await.unwrap();
    assert_ne!(other.identity, earlier.identity);
    assert_eq!(again.identity, earlier.identity);
}
