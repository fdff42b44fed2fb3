//! What was granted becomes connections, one a sector, and the same account has each once.

use serde_json::{Value, json};

use super::world::{AtGoogle, AtMicrosoft, AtWhoop, World, now};
use crate::support::plain_http;
use crate::support::stand_ins::google::agenda::event;

pub const CALENDAR: &str = "https://www.googleapis.com/auth/calendar.readonly openid email";

/// The scopes of WHOOP that open health.
pub const HEALTH: &str = "read:recovery read:sleep read:workout read:cycles read:profile offline";

/// Signs in at WHOOP, where a person pastes the address at which the browser ended.
pub async fn sign_in_at_whoop(world: &AtWhoop, renews: Option<&str>, scopes: &str) -> Value {
    world.legs.tell(json!({ "scope": scopes })).await;
    let page = world.begin(renews).await;
    let ended = plain_http::get(&page).await.location().unwrap();
    assert_eq!(ended.scheme(), "https");
    let pasted = json!({ "address": ended.as_str() });
    let answer = world.browser.post("/api/oauth/whoop/paste", pasted).await;
    answer.expect(200)
}

pub fn sectors(outcome: &Value) -> Vec<&str> {
    let connections = outcome["connections"].as_array().unwrap().iter();
    connections
        .map(|one| one["sector"].as_str().unwrap())
        .collect()
}

pub async fn ids<A: crate::support::stand_ins::Account, L>(world: &World<A, L>) -> Vec<Value> {
    let connections = world.connections().await.into_iter();
    connections.map(|one| one["id"].clone()).collect()
}

#[actix_web::test]
async fn r120_r129_one_sign_in_at_google_makes_two_connections_that_are_read() {
    let test = "r120_r129_one_sign_in_at_google_makes_two_connections_that_are_read";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    {
        let mut google = world.account.state();
        google.agenda.calendar("op@x.test").put("a", event("Lunch"));
        google.book.put("c1", "Ada", &[]);
    }
    let outcome = world.sign_in(None).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    assert_eq!(
        outcome["message"],
        "Signed in. Calendar and contacts connected."
    );
    assert_eq!(sectors(&outcome), ["calendar", "contacts"]);
    for sector in ["calendar", "contacts"] {
        world.until_health(sector, "ok").await;
    }
    assert_eq!(world.column("calendar.series", "title").await, ["Lunch"]);
    assert_eq!(world.column("contacts.people", "full_name").await, ["Ada"]);
    let sign_in = &world.sign_ins().await[0];
    assert_eq!(sign_in["account"], "op@example.org");
    // What is shown holds nothing of what was issued.
    assert!(!sign_in.to_string().contains("token"), "{sign_in}");
    assert_eq!(world.violations(), [""; 0]);
}

#[actix_web::test]
async fn r129_what_was_not_granted_is_named_and_added_by_signing_in_again() {
    let test = "r129_what_was_not_granted_is_named_and_added_by_signing_in_again";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    let outcome = world.sign_in(Some(CALENDAR)).await;
    assert_eq!(outcome["outcome"], "partial", "{outcome}");
    let told = "Signed in. Calendar connected; contacts was not granted.";
    assert_eq!(outcome["message"], told);
    assert_eq!(outcome["missing"][0]["sector"], "contacts");
    assert_eq!(sectors(&outcome), ["calendar"]);
    let before = ids(&world).await;
    let sign_in = outcome["signInId"].as_str().unwrap().to_owned();

    let outcome = world.sign_in_again(Some(&sign_in), None).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    assert_eq!(outcome["signInId"], json!(sign_in));
    let after = ids(&world).await;
    assert_eq!(after.len(), 2);
    assert!(after.contains(&before[0]), "{before:?} {after:?}");
}

#[actix_web::test]
async fn the_same_account_again_renews_its_sign_in_and_doubles_nothing() {
    let test = "the_same_account_again_renews_its_sign_in_and_doubles_nothing";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    let calendar = "op@x.test";
    world
        .account
        .state()
        .agenda
        .calendar(calendar)
        .put("a", event("A"));
    let first = world.sign_in(None).await;
    world.until_health("calendar", "ok").await;
    let before = ids(&world).await;
    let again = world.sign_in(None).await;
    assert_eq!(again["signInId"], first["signInId"]);
    assert_eq!(ids(&world).await, before);
    world.fetch("calendar").await;
    assert_eq!(world.column("calendar.series", "title").await, ["A"]);
    assert_eq!(world.sign_ins().await.len(), 1);

    // Less than before: what is covered goes on, and what is not says so.
    let less = world.sign_in(Some(CALENDAR)).await;
    assert_eq!(less["outcome"], "partial", "{less}");
    assert_eq!(ids(&world).await, before);
    let contacts = world.until_health("contacts", "needs_sign_in").await;
    assert_eq!(contacts["error"]["code"], "not_granted", "{contacts}");
    assert_eq!(world.fetch("calendar").await["outcome"], "fetched");
}

#[actix_web::test]
async fn r121_exactly_four_scopes_are_asked_of_microsoft_and_what_comes_back_decides() {
    let test = "r121_exactly_four_scopes_are_asked_of_microsoft_and_what_comes_back_decides";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    let owner = json!({"id": "c", "owner": {"name": "Op", "address": "Op@Example.org"}});
    let inbox = json!({"id": "in-1"});
    {
        let mut graph = world.account.state();
        graph.singles.insert("calendar".to_owned(), owner);
        graph.singles.insert("mailFolders/inbox".to_owned(), inbox);
        graph.put("contacts", json!({"id": "c1", "displayName": "Ada"}));
    }
    let page = world.begin(None).await;
    let (_, asked) = page
        .query_pairs()
        .find(|(name, _)| name == "scope")
        .unwrap();
    let exactly = "Mail.Read Calendars.Read Contacts.Read offline_access";
    assert_eq!(asked, exactly);

    // In the long form, in another order, without `offline_access`: as Microsoft answers.
    let long = "https://graph.microsoft.com/Contacts.Read https://graph.microsoft.com/mail.read";
    world.account.state().scopes = vec!["Mail.Read", "Contacts.Read"];
    let outcome = world.sign_in(Some(long)).await;
    assert_eq!(outcome["outcome"], "partial", "{outcome}");
    assert_eq!(sectors(&outcome), ["contacts", "mail"]);
    // The id of a folder decides whose it is, and is shown to nobody.
    assert_eq!(world.sign_ins().await[0]["account"], "Microsoft account");
    let shown = world.connection("mail").await;
    assert_eq!(shown["account"], "Microsoft account");
    let before = ids(&world).await;

    // What names the account is another now; the sign-in that the state carries decides.
    world.account.state().scopes = vec!["Mail.Read", "Calendars.Read", "Contacts.Read"];
    let sign_in = outcome["signInId"].as_str().unwrap().to_owned();
    let outcome = world.sign_in_again(Some(&sign_in), None).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    assert_eq!(sectors(&outcome), ["calendar", "contacts", "mail"]);
    let after = ids(&world).await;
    assert_eq!(after.len(), 3);
    assert!(before.iter().all(|id| after.contains(id)));
    assert_eq!(world.sign_ins().await[0]["account"], "op@example.org");
    // So it does without a state, from now on.
    let outcome = world.sign_in(None).await;
    assert_eq!(outcome["signInId"], json!(sign_in));
    assert_eq!(world.fetch("contacts").await["outcome"], "fetched");
    assert_eq!(world.column("contacts.people", "full_name").await, ["Ada"]);
}

#[actix_web::test]
async fn an_account_that_is_known_by_a_folder_is_shown_by_the_address_of_its_mail() {
    let test = "an_account_that_is_known_by_a_folder_is_shown_by_the_address_of_its_mail";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    {
        let mut graph = world.account.state();
        let inbox = json!({"id": "in-1"});
        graph.singles.insert("mailFolders/inbox".to_owned(), inbox);
        graph.scopes = vec!["Mail.Read"];
    }
    let first = world.sign_in(Some("Mail.Read")).await;
    assert_eq!(world.sign_ins().await[0]["account"], "Microsoft account");
    // The same account, which has sent a mail meanwhile.
    let own = json!({"emailAddress": {"name": "Op", "address": "Op@Example.org"}});
    let sent = json!({"id": "m", "from": own, "sender": own});
    let folder = "mailFolders/sentitems/messages";
    world.account.state().put(folder, sent);
    let again = world.sign_in(Some("Mail.Read")).await;
    assert_eq!(again["signInId"], first["signInId"]);
    assert_eq!(world.sign_ins().await[0]["account"], "op@example.org");
    let shown = world.connection("mail").await;
    assert_eq!(shown["account"], "op@example.org");
}

#[actix_web::test]
async fn r122_a_sign_in_at_whoop_without_a_scope_of_health_connects_nothing() {
    let test = "r122_a_sign_in_at_whoop_without_a_scope_of_health_connects_nothing";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    let outcome = sign_in_at_whoop(&world, None, "read:cycles read:profile offline").await;
    assert_eq!(outcome["outcome"], "no_sectors", "{outcome}");
    let told = outcome["message"].as_str().unwrap();
    let fixed = "The sign-in succeeded but granted no sectors.";
    assert!(told.starts_with(fixed), "{told}");
    assert_eq!(world.connections().await, [Value::Null; 0]);
    assert_eq!(world.sign_ins().await, [Value::Null; 0]);

    // One of the three is enough, and the others are named.
    let outcome = sign_in_at_whoop(&world, None, "read:sleep read:profile offline").await;
    assert_eq!(outcome["outcome"], "partial", "{outcome}");
    assert_eq!(sectors(&outcome), ["health"]);
    let told = "Signed in. Health connected; Recoveries and Workouts were not granted.";
    assert_eq!(outcome["message"], told);
}

#[actix_web::test]
async fn r122_what_a_whoop_measured_arrives_by_a_pasted_address() {
    let test = "r122_what_a_whoop_measured_arrives_by_a_pasted_address";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    world
        .account
        .state()
        .add_night(7, now() - chrono::TimeDelta::hours(10));
    let outcome = sign_in_at_whoop(&world, None, HEALTH).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    world.until_health("health", "ok").await;
    let sleeps = world.column("health.sleeps", "start_at").await;
    assert_eq!(sleeps.len(), 1, "{sleeps:?}");
    assert_eq!(world.violations(), [""; 0]);
}
