//! Google's official client reads the stand-in as it is, and prism sees what is wrong.

use std::panic::{AssertUnwindSafe, catch_unwind};

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::stage::Stage;
use crate::support::stand_ins::contracts::Contract;
use crate::support::stand_ins::google::agenda::{at, daily, event};

const OP: &str = "op@x.test";

#[tokio::test]
async fn what_the_official_client_sees_of_calendars_is_stored() {
    let Some(mut stage) = Stage::start("the_official_client_and_calendars").await else {
        return;
    };
    {
        let mut google = stage.google();
        google.agenda.page_max = 2;
        google.agenda.add("other", "Other");
        google.agenda.calendar("other").put("x", event("X"));
        let calendar = google.agenda.calendar(OP);
        calendar.put("a", event("A"));
        calendar.put("s", daily("daily"));
        calendar.except("s", 3, "moved");
        calendar.take("s", 4);
    }
    let Some(seen) = stage.judge(&["calendar"]).await else {
        return;
    };
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("the same");
    for (calendar, told) in seen["told"].as_object().unwrap() {
        let series = stage.calendar.items.iter();
        let series = series.filter(|((scope, _), _)| scope == calendar);
        let stored: usize = series.map(|(_, item)| item.records.len()).sum();
        let there = told[0].as_array().unwrap().iter();
        let there = there.filter(|event| event["status"] != "cancelled");
        assert_eq!(stored, there.count(), "{calendar}");
    }
    let token = seen["told"][OP][1].as_str().unwrap().to_owned();
    stage.google().agenda.calendars.remove("other");
    stage.google().agenda.calendar(OP).delete("a", false);
    let seen = stage.judge(&["calendar", &token]).await.unwrap();
    assert_eq!(
        seen["told"][OP][0],
        json!([{"id": "a", "status": "cancelled"}])
    );
    stage.google().agenda.calendar(OP).forget();
    let seen = stage.judge(&["calendar", &token]).await.unwrap();
    assert_eq!(seen["status"], 410);
    assert_eq!(seen["details"][0]["reason"], "fullSyncRequired");
}

#[tokio::test]
async fn what_the_official_client_sees_of_contacts_is_stored() {
    let Some(mut stage) = Stage::start("the_official_client_and_contacts").await else {
        return;
    };
    let group = "contactGroups/1a";
    {
        let mut google = stage.google();
        google.book.page_max = 2;
        google
            .book
            .groups
            .insert(group.to_owned(), "Near".to_owned());
        for id in ["c1", "c2", "c3"] {
            google.book.put(id, id, &[group]);
        }
    }
    let Some(seen) = stage.judge(&["people"]).await else {
        return;
    };
    stage.sync_contacts().await.unwrap();
    stage.assert_contacts_equal("the same");
    let names = |people: &Value| {
        let people = people.as_array().unwrap().iter();
        let names = people.map(|person| person["resourceName"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    let stored = stage.contacts.records("contacts.people").into_keys();
    assert_eq!(names(&seen["told"][0]), stored.collect::<Vec<_>>());
    let groups = seen["told"][2].as_array().unwrap();
    let near = groups.iter().find(|own| own["name"] == "Near").unwrap();
    let members = stage.contacts.records("contacts.groups")[group].fields["member_uids"].clone();
    assert_eq!(near["memberResourceNames"], members);

    let token = seen["told"][1].as_str().unwrap().to_owned();
    stage.google().book.delete("c2");
    let seen = stage.judge(&["people", &token]).await.unwrap();
    assert_eq!(seen["told"][0][0]["metadata"]["deleted"], true);
    stage.google().clock += 8 * 86_400;
    let seen = stage.judge(&["people", &token]).await.unwrap();
    assert_eq!(seen["status"], 400);
    assert!(seen.to_string().contains("EXPIRED_SYNC_TOKEN"), "{seen}");
}

#[tokio::test]
async fn the_contracts_see_a_wrong_request_and_a_wrong_answer() {
    let Some(stage) = Stage::start("the_contracts_see").await else {
        return;
    };
    if !Contract::GooglePeople.is_here() {
        return;
    }
    let client = stage.client(None);
    let calendar = "https://www.googleapis.com/calendar/v3/calendars/op@x.test/events";
    let people = "https://people.googleapis.com/v1/people/me/connections?personFields=names&requestSyncToken=true";
    stage.google().agenda.calendar(OP).put("a", event("A"));
    stage.google().book.put("c1", "Ada", &[]);
    let ask = async |address: &str| {
        let address = Url::parse(address).unwrap();
        let answer = client.get(&address, HeaderMap::new()).await.unwrap();
        (answer.status.as_u16(), stage.served.violations().len())
    };
    assert_eq!(ask(calendar).await, (200, 0));
    assert_eq!(ask(people).await, (200, 0));
    assert_eq!(ask(&format!("{calendar}?singleEvent=true")).await, (200, 1));
    assert_eq!(ask(&format!("{people}&groups=all")).await, (200, 1));
    assert_eq!(ask(&format!("{calendar}?maxResults=many")).await, (422, 1));
    assert_eq!(ask(&format!("{people}&pageSize=many")).await, (422, 1));
    let wrong = json!({"summary": 5, "start": at(5), "end": at(5)});
    stage.google().agenda.calendar(OP).put("b", wrong);
    let (_, person) = stage.google().book.people.remove("people/c1").unwrap();
    let mut wrong = person;
    wrong["nickname"] = json!("Countess");
    stage
        .google()
        .book
        .people
        .insert("people/c1".to_owned(), (9, wrong));
    assert_eq!(ask(calendar).await, (500, 1));
    stage.google().book.revision = 9;
    assert_eq!(ask(people).await, (500, 1));
    // Whoever does not look for them fails by them.
    let wrong = Url::parse(&format!("{calendar}?maxResults=many")).unwrap();
    client.get(&wrong, HeaderMap::new()).await.unwrap();
    let ended = catch_unwind(AssertUnwindSafe(|| drop(stage)));
    assert!(ended.is_err(), "a violation went by");
}
