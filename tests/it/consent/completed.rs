//! A sign-in whose account could not be asked is kept, and completed later; one that was to be renewed may be gone by then.

use serde_json::{Value, json};

use super::granted::{ids, sectors};
use super::world::{AtGoogle, AtMicrosoft};
use crate::support::emulate;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire::raw;

#[actix_web::test]
async fn what_was_issued_is_kept_when_the_account_cannot_be_asked_and_completed_later() {
    let test = "what_was_issued_is_kept_when_the_account_cannot_be_asked_and_completed_later";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    be_away(&world);
    let outcome = world.sign_in(None).await;
    assert_eq!(outcome["outcome"], "failed", "{outcome}");
    let id = outcome["signInId"].as_str().unwrap().to_owned();
    let kept = &world.sign_ins().await[0];
    assert_eq!(kept["id"], json!(id));
    assert_eq!(kept["account"], Value::Null);
    let status = world.app.get("/api/status").await.expect(200);
    let needs = status["attention"].as_array().unwrap().iter();
    let mut unfinished = needs.filter(|one| one["kind"] == "sign_in_unfinished");
    assert_eq!(unfinished.next().unwrap()["ref"], json!(id), "{status}");
    let path = format!("/api/signins/{id}/complete");
    let again = world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(again["outcome"], "failed", "{again}");

    let inbox = json!({"id": "in-1"});
    {
        let mut graph = world.account.state();
        graph.faults.clear();
        graph.singles.insert("mailFolders/inbox".to_owned(), inbox);
    }
    let done = world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(done["outcome"], "connected", "{done}");
    assert_eq!(world.sign_ins().await.len(), 1);
    assert_eq!(world.connections().await.len(), 3);
    world
        .app
        .post(&path, json!({}))
        .await
        .expect_problem(404, "not_found", None);
}

/// Graph answers nothing until its faults are cleared.
fn be_away(world: &AtMicrosoft) {
    let away = |_: &str| raw(503, "", "");
    let mut graph = world.account.state();
    graph.faults.always("/me/", Law::Broken, away);
}

/// A sign-in for mail alone, and another one that was to renew it and stays unfinished; their ids. What names the account is another
/// thing from then on.
async fn begin_a_renewal_that_stays_unfinished(world: &AtMicrosoft) -> [String; 2] {
    let id = |outcome: &Value| outcome["signInId"].as_str().unwrap().to_owned();
    {
        let mut graph = world.account.state();
        let inbox = json!({"id": "in-1"});
        graph.singles.insert("mailFolders/inbox".to_owned(), inbox);
        graph.scopes = vec!["Mail.Read"];
    }
    let first = world.sign_in(Some("Mail.Read")).await;
    assert_eq!(sectors(&first), ["mail"], "{first}");
    world.until_health("mail", "ok").await;
    be_away(world);
    let again = world.sign_in_again(Some(&id(&first)), None).await;
    assert_eq!(again["outcome"], "failed", "{again}");
    let mut graph = world.account.state();
    graph.faults.clear();
    let owner = json!({"id": "c", "owner": {"name": "Op", "address": "op@example.org"}});
    graph.singles.insert("calendar".to_owned(), owner);
    graph.scopes = vec!["Mail.Read", "Calendars.Read", "Contacts.Read"];
    [id(&first), id(&again)]
}

#[actix_web::test]
async fn a_renewal_that_is_completed_later_renews_what_it_was_to_renew() {
    let test = "a_renewal_that_is_completed_later_renews_what_it_was_to_renew";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    let [first, unfinished] = begin_a_renewal_that_stays_unfinished(&world).await;
    let mail = world.connection("mail").await["id"].clone();
    // What is unfinished is completed, and renewed by nothing.
    let asked = json!({"signInId": unfinished});
    let refused = world.browser.post("/api/oauth/microsoft/start", asked);
    refused.await.expect_problem(404, "not_found", None);

    let path = format!("/api/signins/{unfinished}/complete");
    let done = world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(done["outcome"], "connected", "{done}");
    assert_eq!(done["signInId"], json!(first));
    assert_eq!(sectors(&done), ["calendar", "contacts", "mail"]);
    assert_eq!(world.sign_ins().await.len(), 1);
    assert_eq!(world.connection("mail").await["id"], mail);
}

#[actix_web::test]
async fn a_renewal_whose_sign_in_is_removed_meanwhile_becomes_one_of_its_own() {
    let test = "a_renewal_whose_sign_in_is_removed_meanwhile_becomes_one_of_its_own";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    let [first, unfinished] = begin_a_renewal_that_stays_unfinished(&world).await;
    let mail = world.connection("mail").await["id"].clone();
    let removed = world.app.disconnect(mail.as_str().unwrap(), json!({}));
    removed.await.expect(200);
    let left = world.sign_ins().await;
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0]["id"], json!(unfinished));

    let path = format!("/api/signins/{unfinished}/complete");
    let done = world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(done["outcome"], "connected", "{done}");
    assert_ne!(done["signInId"], json!(first));
    assert_eq!(world.sign_ins().await.len(), 1);
    assert_ne!(world.connection("mail").await["id"], mail);
    assert_eq!(world.connections().await.len(), 3);
}

#[actix_web::test]
async fn a_sign_in_that_is_removed_while_its_browser_is_away_is_made_anew() {
    let test = "a_sign_in_that_is_removed_while_its_browser_is_away_is_made_anew";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    let first = world.sign_in(None).await;
    let page = world.begin(first["signInId"].as_str()).await;
    for connection in ids(&world).await {
        let removed = world
            .app
            .disconnect(connection.as_str().unwrap(), json!({}));
        removed.await.expect(200);
    }
    let back = emulate::consent(&page, None).await;
    let outcome = world.return_to(&back).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    assert_ne!(outcome["signInId"], first["signInId"]);
    assert_eq!(sectors(&outcome), ["calendar", "contacts"]);
}
