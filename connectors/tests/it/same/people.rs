//! People: one with everything that all ways can say.

use serde_json::json;
use sextant_connectors::dav::{DavFeed, DavKind};
use sextant_connectors::secret::SourceSecret;

use super::{by_file, by_rounds, without};
use crate::google::stage::Stage;
use crate::microsoft::stage::{Sector, World};
use crate::support::dav_server::{PASSWORD, Peer, USER};
use crate::support::store::Store;

/// In the words of RFC 6350.
const CARD: &str = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:a\r\nFN:Dr. Ann Doe\\, Jr.\r\nN:Doe;Ann;Mary;Dr.;Jr.\r\nNICKNAME:A\r\n\
    ORG:Acme\\, Inc.;R&D\r\nTITLE:Engineer\r\nEMAIL:ann@x.test\r\nTEL;TYPE=cell:+1 212 555 0100\r\n\
    TEL;TYPE=work:+49 30 901820\r\nADR;TYPE=home:;;1 Road\\nFlat 2;Town;Region;12345;Utopia\r\n\
    URL;TYPE=work:https://acme.example\r\nBDAY:1974-07-22\r\nNOTE:one\\ntwo\\, three\r\nCATEGORIES:Near\r\n\
    REV:2026-01-02T03:04:05Z\r\nEND:VCARD\r\n";

/// What every provider has a word of its own for.
const UID: &str = "uid";

fn filed() -> Vec<serde_json::Value> {
    let filed = by_file("contacts.vcf", CARD);
    assert_eq!(filed.len(), 1);
    without(&filed, &[UID])
}

#[tokio::test]
async fn a_person_by_carddav_has_the_columns_of_their_card() {
    let Some(server) = Peer::Radicale.start("same_people_by_carddav").await else {
        return;
    };
    server.put("/op/book/a.vcf", CARD).await;
    let (guard, password) = (server.guard(), SourceSecret::new(PASSWORD));
    let feed = DavFeed::new(DavKind::Contacts, guard, server.typed(), USER, &password);
    let mut store = Store::default();
    store.sync(&feed.unwrap(), super::now()).await.unwrap();
    let told = by_rounds(&store, "contacts.people");
    assert_eq!(without(&told, &[UID]), filed());
}

#[tokio::test]
async fn r120_a_person_of_google_has_the_columns_of_their_card() {
    let Some(mut stage) = Stage::start("r120_same_people").await else {
        return;
    };
    let group = "contactGroups/1a";
    let person = json!({
        "names": [{"displayName": "Dr. Ann Doe, Jr.", "familyName": "Doe", "givenName": "Ann", "middleName": "Mary",
            "honorificPrefix": "Dr.", "honorificSuffix": "Jr."}],
        "nicknames": [{"value": "A"}],
        "organizations": [{"name": "Acme, Inc.", "department": "R&D", "title": "Engineer"}],
        "emailAddresses": [{"value": "ann@x.test"}],
        "phoneNumbers": [{"value": "+1 212 555 0100", "type": "mobile"}, {"value": "+49 30 901820", "type": "work"}],
        "addresses": [{"type": "home", "streetAddress": "1 Road\nFlat 2", "city": "Town", "region": "Region",
            "postalCode": "12345", "country": "Utopia"}],
        "urls": [{"value": "https://acme.example", "type": "work"}],
        "birthdays": [{"date": {"year": 1974, "month": 7, "day": 22}}],
        "biographies": [{"value": "one\ntwo, three"}],
    });
    {
        let mut google = stage.google();
        google
            .book
            .groups
            .insert(group.to_owned(), "Near".to_owned());
        google.book.put("a", "Ann", &[group]);
        let (_, own) = google.book.people.get_mut("people/a").unwrap();
        own.as_object_mut()
            .unwrap()
            .extend(person.as_object().unwrap().clone());
    }
    stage.sync_contacts().await.unwrap();
    let told = by_rounds(&stage.contacts, "contacts.people");
    assert_eq!(without(&told, &[UID]), filed());
}

#[tokio::test]
async fn a_person_of_microsoft_has_the_columns_of_their_card() {
    let Some(mut world) = World::start("same_people_of_microsoft", Sector::Contacts).await else {
        return;
    };
    let person = json!({
        "id": "a", "displayName": "Dr. Ann Doe, Jr.", "surname": "Doe", "givenName": "Ann", "middleName": "Mary", "title": "Dr.",
        "generation": "Jr.", "nickName": "A", "companyName": "Acme, Inc.", "department": "R&D", "jobTitle": "Engineer",
        "emailAddresses": [{"name": "Ann", "address": "ann@x.test"}], "mobilePhone": "+1 212 555 0100",
        "businessPhones": ["+49 30 901820"], "homePhones": [],
        "homeAddress": {"street": "1 Road\r\nFlat 2", "city": "Town", "state": "Region", "postalCode": "12345", "countryOrRegion": "Utopia"},
        "businessHomePage": "https://acme.example", "birthday": "1974-07-22T11:59:00Z", "personalNotes": "one\r\ntwo, three",
        "categories": ["Near"], "lastModifiedDateTime": "2026-01-02T03:04:05Z",
    });
    world.graph().put("contacts", person);
    world.sync().await.unwrap();
    let told = by_rounds(&world.store, "contacts.people");
    assert_eq!(without(&told, &[UID]), filed());
}

/// A day without its year, as each of them says that.
#[tokio::test]
async fn a_birthday_without_a_year_is_the_same_day_by_every_way() {
    let day = |fields: &serde_json::Value| {
        let part = |name: &str| fields.get(name).cloned();
        [
            part("birthday_year"),
            part("birthday_month"),
            part("birthday_day"),
        ]
    };
    let expected = [None, Some(json!(4)), Some(json!(12))];
    for birthday in ["--0412", "1604-04-12"] {
        let card = CARD.replace("1974-07-22", birthday);
        assert_eq!(
            day(&by_file("contacts.vcf", &card)[0]),
            expected,
            "{birthday}"
        );
    }
    let test = "same_birthday_without_a_year";
    if let Some(mut stage) = Stage::start(test).await {
        stage.google().book.put("a", "Ann", &[]);
        let birthdays = json!([{"date": {"month": 4, "day": 12}}]);
        stage.google().book.people.get_mut("people/a").unwrap().1["birthdays"] = birthdays;
        stage.sync_contacts().await.unwrap();
        assert_eq!(
            day(&by_rounds(&stage.contacts, "contacts.people")[0]),
            expected
        );
    }
    if let Some(mut world) = World::start(test, Sector::Contacts).await {
        let person = json!({"id": "a", "displayName": "Ann", "emailAddresses": [], "birthday": "1604-04-12T11:59:00Z"});
        world.graph().put("contacts", person);
        world.sync().await.unwrap();
        assert_eq!(
            day(&by_rounds(&world.store, "contacts.people")[0]),
            expected
        );
    }
}
