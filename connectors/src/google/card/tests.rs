use proptest::prelude::*;
use serde_json::{Value, json};
use sextant_formats::{FileEntry, FileReader, FileSource, Options};

use super::*;
use crate::google::groups::GoogleGroup;

fn groups() -> GroupNames {
    let groups = [
        ("contactGroups/myContacts", "myContacts"),
        ("contactGroups/starred", "starred"),
        ("contactGroups/1a", "Friends, near"),
    ];
    let groups: Vec<_> = groups
        .into_iter()
        .map(|(resource, name)| {
            GoogleGroup::read(json!({"resourceName": resource, "name": name})).unwrap()
        })
        .collect();
    GroupNames::of(&groups)
}

fn of_file(text: &str) -> RecordFields {
    let source = FileSource::Bytes {
        name: "a.vcf".to_owned(),
        bytes: format!("BEGIN:VCARD\r\nVERSION:3.0\r\n{text}END:VCARD\r\n")
            .into_bytes()
            .into(),
    };
    let mut entries = FileReader::new(Options::default())
        .entries(&source)
        .unwrap();
    let FileEntry::Record { mut fields, .. } = entries.next().unwrap().unwrap() else {
        panic!("the file is not read");
    };
    fields.remove("id");
    fields
}

fn columns(person: Value) -> Option<RecordFields> {
    let mut fields = super::person(&GooglePerson::read(person).unwrap(), &groups())?;
    fields.remove("raw").unwrap();
    Some(fields)
}

fn membership(group: &str) -> Value {
    json!({"contactGroupMembership": {"contactGroupResourceName": group}})
}

#[test]
fn a_person_has_the_columns_that_a_card_gives_them() {
    let own = columns(json!({
        "resourceName": "people/c1", "etag": "x",
        "metadata": {"sources": [{"type": "CONTACT", "id": "1", "updateTime": "2026-01-02T03:04:05Z"}]},
        "names": [{"displayName": "Dr. Ada, Lovelace", "familyName": "Lovelace", "givenName": "Ada", "honorificPrefix": "Dr."}],
        "nicknames": [{"value": "Countess"}],
        "emailAddresses": [
            {"metadata": {"primary": true}, "value": "ada@x.test", "type": "work"},
            {"value": "a@y.test", "type": "Club; old"}],
        "phoneNumbers": [{"value": "+49 611 123456", "type": "mobile"}, {"value": "123", "type": "workFax"}],
        "addresses": [{"type": "home", "streetAddress": "Main St 5, rear", "city": "Bonn", "postalCode": "53111",
            "country": "Germany", "countryCode": "DE", "formattedValue": "Main St 5\nBonn"}],
        "organizations": [{"name": "Old"}, {"metadata": {"primary": true}, "name": "Engines", "department": "Notes", "title": "Author"}],
        "birthdays": [{"date": {"month": 12, "day": 10}, "text": "12/10"}],
        "events": [{"type": "anniversary", "date": {"year": 1835, "month": 7, "day": 8}}],
        "urls": [{"value": "https://x.test/a,b", "type": "homePage"}],
        "photos": [{"url": "https://x.test/drawn", "default": true}, {"url": "https://x.test/own"}],
        "biographies": [{"value": "first; of\nmany"}],
        "relations": [{"person": "Byron", "type": "father"}],
        "memberships": [membership("contactGroups/myContacts"), membership("contactGroups/1a"), membership("contactGroups/gone")],
    }));
    let file = of_file(
        "UID:people/c1\r\nREV:2026-01-02T03:04:05Z\r\nFN:Dr. Ada\\, Lovelace\r\nN:Lovelace;Ada;;Dr.;\r\nNICKNAME:Countess\r\n\
        EMAIL;TYPE=INTERNET,WORK,PREF:ada@x.test\r\nitem1.EMAIL;TYPE=INTERNET:a@y.test\r\nitem1.X-ABLabel:Club\\; old\r\n\
        TEL;TYPE=CELL:+49 611 123456\r\nTEL;TYPE=WORK,FAX:123\r\n\
        item2.ADR;TYPE=HOME:;;Main St 5\\, rear;Bonn;;53111;Germany\r\nitem2.X-ABADR:DE\r\nLABEL;TYPE=HOME:Main St 5\\nBonn\r\n\
        ORG:Engines;Notes\r\nTITLE:Author\r\nBDAY:--1210\r\nANNIVERSARY:18350708\r\nURL;TYPE=HOMEPAGE:https://x.test/a\\,b\r\n\
        PHOTO;VALUE=URI:https://x.test/own\r\nNOTE:first\\; of\\nmany\r\nitem3.X-ABRELATEDNAMES:Byron\r\nitem3.X-ABLabel:father\r\n\
        CATEGORIES:myContacts,Friends\\, near\r\n",
    );
    assert_eq!(own, Some(file));
}

#[test]
fn what_is_not_known_is_left_out() {
    let own = |person| columns(person).unwrap();
    let year = own(
        json!({"resourceName": "people/c2", "names": [{"givenName": "B"}], "birthdays": [{"date": {"year": 1985}}]}),
    );
    assert_eq!(
        (&year["birthday_year"], &year["full_name"]),
        (&json!(1985), &json!("B"))
    );
    let text = own(
        json!({"resourceName": "people/c2", "phoneNumbers": [{"value": "1"}], "birthdays": [{"text": "in May"}]}),
    );
    assert_eq!(text["birthday_as_written"], "in May");
    let label = own(
        json!({"resourceName": "people/c2", "names": [{"displayName": "B"}], "addresses": [{"formattedValue": "There"}]}),
    );
    assert_eq!(label["addresses"], json!([{"full": "There"}]));
    let nobody = json!({"resourceName": "people/c3", "biographies": [{"value": "x"}]});
    assert_eq!(columns(nobody), None);
    assert!(GooglePerson::read(json!({"names": []})).is_none());
}

#[test]
fn a_group_has_the_columns_that_a_card_gives_it() {
    let group = GoogleGroup::read(json!({
        "resourceName": "contactGroups/1a", "name": "Friends; near", "memberResourceNames": ["people/c2", "people/c1"],
        "metadata": {"updateTime": "2026-01-02T03:04:05.5Z"},
    }));
    let mut own = group.unwrap().columns().unwrap();
    assert_eq!(own.remove("raw").unwrap()["name"], "Friends; near");
    let file = of_file(
        "KIND:group\r\nUID:contactGroups/1a\r\nFN:Friends\\; near\r\nREV:2026-01-02T03:04:05.5Z\r\n\
        MEMBER:people/c1\r\nMEMBER:people/c2\r\n",
    );
    assert_eq!(own, file);
}

proptest! {
    #[test]
    fn texts_come_through_as_they_are(text in "[ -~äß日\n]{0,60}a", label in "[ -~äß]{0,20}b") {
        let own = columns(json!({
            "resourceName": "people/c1", "names": [{"displayName": text, "familyName": text}],
            "biographies": [{"value": text}], "emailAddresses": [{"value": "a@x.test", "type": label}],
            "addresses": [{"streetAddress": text, "city": text}], "organizations": [{"name": text, "title": text}],
        }));
        let own = own.unwrap();
        let trimmed = text.trim();
        for field in ["full_name", "notes", "title"] {
            prop_assert_eq!(own[field].as_str(), Some(trimmed), "{}", field);
        }
        for field in ["name_surname", "organization"] {
            prop_assert_eq!(own[field].as_str(), Some(trimmed), "{}", field);
        }
        prop_assert_eq!(own["addresses"][0]["locality"].as_str(), Some(trimmed));
        prop_assert_eq!(own["emails"][0]["label"].as_str(), Some(label.trim()));
    }
}
