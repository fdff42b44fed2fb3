//! What is read, through the whole service: after every trouble the store equals what the person has at the provider.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::granted::{HEALTH, sign_in_at_whoop};
use super::world::{AtGoogle, AtMicrosoft, AtWhoop, now};
use crate::support::TestApp;
use crate::support::eventually::eventually;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::google::agenda::{daily, event};
use crate::support::stand_ins::google::refusal;
use crate::support::stand_ins::whoop::records::Kind;

const OWN: &str = "op@x.test";

/// The titles of the person's events at Google, sorted as the store's are.
fn titles(world: &AtGoogle) -> Vec<Value> {
    let mut google = world.account.state();
    let expected = google.agenda.calendar(OWN).expected();
    let parts = expected.values().flat_map(|parts| parts.values());
    let mut titles: Vec<Value> = parts.map(|(title, _)| json!(title)).collect();
    titles.sort_by_key(Value::to_string);
    titles
}

async fn assert_equal(world: &AtGoogle) {
    let fetched = world.fetch("calendar").await;
    assert_eq!(fetched["outcome"], "fetched", "{fetched}");
    assert_eq!(
        world.column("calendar.series", "title").await,
        titles(world)
    );
}

#[actix_web::test]
async fn a_calendar_equals_that_of_google_after_changes_lost_tokens_and_limits() {
    let test = "a_calendar_equals_that_of_google_after_changes_lost_tokens_and_limits";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    {
        let mut google = world.account.state();
        google.agenda.page_max = 2;
        let own = google.agenda.calendar(OWN);
        own.put("a", event("A"));
        own.put("b", event("B"));
        own.put("c", event("C"));
        own.put("d", daily("D"));
        own.except("d", 3, "D moved");
        own.take("d", 4);
    }
    world.sign_in(None).await;
    world.until_health("calendar", "ok").await;
    world.until_health("contacts", "ok").await;
    assert_equal(&world).await;

    {
        let mut google = world.account.state();
        let own = google.agenda.calendar(OWN);
        own.put("a", event("A changed"));
        own.delete("b", true);
    }
    world.advance(TimeDelta::minutes(1));
    assert_equal(&world).await;

    {
        let mut google = world.account.state();
        let own = google.agenda.calendar(OWN);
        own.delete("c", true);
        own.forget();
    }
    world.advance(TimeDelta::minutes(1));
    assert_equal(&world).await;

    // A limit with a wish, which nobody shortens.
    let busy = refusal(429, "rateLimitExceeded", "Retry-After: 600\r\n");
    world
        .account
        .state()
        .faults
        .once("/events", Law::Kept, busy);
    world.advance(TimeDelta::minutes(1));
    assert_eq!(world.fetch("calendar").await["outcome"], "failed");
    world.advance(TimeDelta::minutes(5));
    assert_eq!(world.fetch("calendar").await["outcome"], "waiting");
    for sector in ["calendar", "contacts"] {
        let id = world.connection(sector).await["id"].clone();
        let path = format!("/api/connections/{}/sync-now", id.as_str().unwrap());
        // A connection that another's failure has told to rest learns of it a moment later; until then its round ends before it asks.
        eventually(&format!("{sector} rests"), async || {
            world.app.post(&path, json!({})).await.status == 409
        })
        .await;
    }
    world.advance(TimeDelta::minutes(6));
    assert_equal(&world).await;
    assert_eq!(world.violations(), [""; 0]);
}

/// The process is cut off between two pages; the next one goes on, and nothing is lost or doubled.
#[actix_web::test]
async fn a_first_sync_that_was_cut_off_goes_on_in_the_next_process() {
    let test = "a_first_sync_that_was_cut_off_goes_on_in_the_next_process";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    {
        let mut google = world.account.state();
        google.agenda.page_max = 1;
        let own = google.agenda.calendar(OWN);
        for name in ["a", "b", "c", "d", "e"] {
            own.put(name, event(name));
        }
        google.faults.cut_off("pageToken");
    }
    world.sign_in(None).await;
    world.until_health("calendar", "backing_off").await;
    let (clock, settings, account) = (
        world.clock.clone(),
        world.settings.clone(),
        world.account.clone(),
    );
    account.state().faults.clear();
    clock.advance(TimeDelta::days(1));
    let database = world.app.abandon();
    let settings = sextant::app::Settings {
        console_port: 0,
        ..settings
    };
    let app = TestApp::start_on(database, settings, Arc::new(clock)).await;
    let asked = json!({"target": "calendar", "timeout_s": 60});
    let fetched = app
        .post("/api/operator/fetch_live", asked)
        .await
        .expect(200);
    assert_eq!(fetched["fetched"][0]["outcome"], "fetched", "{fetched}");
    let asked = json!({"target": "series", "select": ["title"], "order_by": ["title"]});
    let rows = app.post("/api/data/calendar", asked).await.expect(200);
    assert_eq!(rows["rows"], json!([["a"], ["b"], ["c"], ["d"], ["e"]]));
}

#[actix_web::test]
async fn contacts_equal_those_of_graph_after_changes_and_forgotten_tokens() {
    let test = "contacts_equal_those_of_graph_after_changes_and_forgotten_tokens";
    let Some(world) = AtMicrosoft::start(test).await else {
        return;
    };
    let person = |id: &str, name: &str| json!({"id": id, "displayName": name});
    {
        let mut graph = world.account.state();
        let inbox = json!({"id": "in-1"});
        graph.singles.insert("mailFolders/inbox".to_owned(), inbox);
        for (id, name) in [("1", "Ada"), ("2", "Bo"), ("3", "Cy"), ("4", "Di")] {
            graph.put("contacts", person(id, name));
        }
    }
    world.sign_in(None).await;
    world.until_health("contacts", "ok").await;
    let names = async || world.column("contacts.people", "full_name").await;
    assert_eq!(names().await, ["Ada", "Bo", "Cy", "Di"]);
    {
        let mut graph = world.account.state();
        graph.put("contacts", person("1", "Ada changed"));
        graph.remove("contacts", "2");
    }
    world.advance(TimeDelta::minutes(1));
    world.fetch("contacts").await;
    assert_eq!(names().await, ["Ada changed", "Cy", "Di"]);
    {
        let mut graph = world.account.state();
        graph.age += 1;
        graph.remove("contacts", "3");
    }
    world.advance(TimeDelta::minutes(1));
    world.fetch("contacts").await;
    assert_eq!(names().await, ["Ada changed", "Di"]);
}

#[actix_web::test]
async fn what_a_whoop_measured_is_read_anew_when_it_is_scored_and_goes_when_it_is_removed() {
    let test = "what_a_whoop_measured_is_read_anew_when_it_is_scored_and_goes_when_it_is_removed";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    {
        let mut whoop = world.account.state();
        for night in 0..3_i64 {
            whoop.add_night(night, now() - TimeDelta::hours(10 + 24 * night));
        }
    }
    sign_in_at_whoop(&world, None, HEALTH).await;
    world.until_health("health", "ok").await;
    let sleeps = async || world.column("health.sleeps", "start_at").await.len();
    assert_eq!(sleeps().await, 3);
    let gone = crate::support::stand_ins::whoop::records::uuid(Kind::Sleep, 1);
    world.account.state().remove(Kind::Sleep, &gone);
    world.advance(TimeDelta::minutes(20));
    world.account.state().now = world.now();
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
    assert_eq!(sleeps().await, 2);
    assert_eq!(world.violations(), [""; 0]);
}
