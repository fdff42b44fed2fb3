//! `.vcf`: every fixture completely, and the fields of what is stored, in the dialects that programs write.

use serde_json::{Value, json};

use super::{fixtures, read, read_bytes, read_fixture};
use sextant_formats::FileSource;

/// Counts the cards of a file by its BEGIN lines alone.
fn begun_cards(text: &str) -> usize {
    text.lines()
        .filter(|line| line.trim().eq_ignore_ascii_case("BEGIN:VCARD"))
        .count()
}

/// The fields of the only card with these lines.
fn card(lines: &str) -> serde_json::Map<String, Value> {
    let mut read = read_bytes("a.vcf", format!("BEGIN:VCARD\n{lines}\nEND:VCARD\n"));
    assert_eq!(read.refused, []);
    assert_eq!(read.records.len(), 1);
    read.records.remove(0).2
}

#[test]
fn stored_plus_refused_are_all_cards_of_every_address_book() {
    let (mut stored, mut refused) = (0, Vec::new());
    for path in fixtures("contacts", "vcf") {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let read = read(&FileSource::File(path.clone())).unwrap();
        assert_eq!(read.len(), begun_cards(&text), "{}", path.display());
        stored += read.records.len();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        refused.extend(
            read.refused
                .into_iter()
                .map(|(_, reason)| (name.clone(), reason)),
        );
    }
    let nobody = "it names nobody: it has no name, organization, email or phone number";
    let expected = ["055", "073"].map(|name| (name.to_owned(), nobody.to_owned()));
    assert_eq!((stored, refused), (40, expected.to_vec()));
}

#[test]
fn a_second_reading_gives_the_same_ids_and_no_id_twice() {
    for path in fixtures("contacts", "vcf") {
        let source = FileSource::File(path);
        let (first, second) = (read(&source).unwrap(), read(&source).unwrap());
        assert_eq!(first.ids(), second.ids());
        let ids: std::collections::HashSet<_> = first.ids().into_iter().collect();
        assert_eq!(ids.len(), first.records.len(), "{source:?}");
    }
}

#[test]
fn a_person_of_version_4_has_all_its_parts() {
    let read = read_fixture("contacts/049.vcf");
    let simon = &read.records[0].2;
    assert_eq!(simon["full_name"], "Simon Perreault");
    assert_eq!(
        (
            &simon["name_given"],
            &simon["name_surname"],
            &simon["name_suffix"]
        ),
        (
            &json!("Simon"),
            &json!("Perreault"),
            &json!("ing. jr, M.Sc.")
        )
    );
    assert_eq!(
        (
            &simon["birthday_month"],
            &simon["birthday_day"],
            simon.get("birthday_year")
        ),
        (&json!(2), &json!(3), None)
    );
    assert_eq!(
        (&simon["anniversary"], &simon["kind"]),
        (&json!("2009-08-08"), &json!("individual"))
    );
    assert_eq!(simon["organization"], "Viagenie");
    assert_eq!(
        simon["phones"],
        json!([
            {"number": "+1-418-656-9254 ext. 102", "e164": "+14186569254", "label": "work"},
            {"number": "+1-418-262-6501", "e164": "+14182626501", "label": "work mobile"},
        ])
    );
    assert_eq!(
        simon["addresses"],
        json!([{"street": "2875 Laurier, Suite D2-630", "locality": "Quebec", "region": "QC", "postcode": "G1V 2M2", "country": "Canada", "label": "work"}])
    );
    assert_eq!(
        simon["urls"],
        json!([{"url": "http://nomis80.org", "label": "home"}])
    );
}

#[test]
fn a_phone_of_version_2_is_read_with_its_charsets_and_soft_breaks() {
    let read = read_fixture("contacts/103.vcf");
    let max = &read.records[0].2;
    assert_eq!(
        (&max["organization"], &max["department"]),
        (&json!("Firma"), &json!("Führungsetage"))
    );
    let notes = max["notes"].as_str().unwrap();
    assert!(
        notes.starts_with("Kommentar ÄÄÄÄÄÄ ääääää") && notes.contains("ßßßßßß\nKommentar"),
        "{notes}"
    );
    let bare = read_fixture("contacts/229.vcf");
    assert_eq!(bare.records[0].2["full_name"], "Sören Täve Nüßlebaum");
    let chinese = read_fixture("contacts/193.vcf");
    assert_eq!(
        (
            &chinese.records[0].2["full_name"],
            &chinese.records[0].2["name_given"]
        ),
        (&json!("十城目管理大型知座"), &json!("十城目管理大型知座"))
    );
}

#[test]
fn a_label_of_outlook_is_the_whole_of_its_address() {
    let read = read_fixture("contacts/235.vcf");
    let addresses = &read.records[0].2["addresses"];
    assert_eq!(
        addresses[0]["full"],
        "Business-Straße 19\n76543 Schaffhausen"
    );
    assert_eq!(
        (&addresses[0]["street"], &addresses[0]["label"]),
        (&json!("Business-Straße 19"), &json!("work"))
    );
    assert_eq!(
        addresses[2],
        json!({"full": "Sonstgasse 44\n37465 Anderstadt"})
    );
}

#[test]
fn groups_are_groups_in_both_dialects() {
    let apple = read_fixture("contacts/109.vcf");
    let (table, _, group) = &apple.records[0];
    assert_eq!(
        (table.as_str(), &group["name"], &group["uid"]),
        (
            "contacts.groups",
            &json!("user02"),
            &json!("78b64b6b-80b9-4b8a-bd81-8f36645d8bbf")
        )
    );
    assert_eq!(
        group["member_uids"][0],
        "3765A955-1B96-41EA-994D-335192BEDCCD"
    );
    assert_eq!(group["member_uids"].as_array().unwrap().len(), 8);
    let standard = card(
        "VERSION:4.0\nKIND:group\nFN:Family\nUID:urn:uuid:G1\nMEMBER:urn:uuid:A\nMEMBER:mailto:b@example.com",
    );
    assert_eq!(
        (&standard["id"], &standard["member_uids"]),
        (&json!("G1"), &json!(["A", "mailto:b@example.com"]))
    );
    let member = card("VERSION:4.0\nFN:Ann\nUID:URN:UUID:A");
    assert_eq!(
        member["uid"], "A",
        "a member is called as its group calls it"
    );
}

#[test]
fn apple_writes_labels_companies_and_birthdays_its_own_way() {
    let ann = card(
        "VERSION:3.0\nN:;;;;\nFN:Acme\nORG:Acme;Sales;North\nX-ABShowAs:COMPANY\nBDAY;X-APPLE-OMIT-YEAR=1604;value=date:1604-04-12\n\
         item1.EMAIL;type=INTERNET;type=pref:a@example.com\nitem1.X-ABLabel:_$!<HomePage>!$_\nitem2.EMAIL:b@example.com\n\
         item2.X-ABLabel:Ferienhaus\nitem3.X-ABDATE:2010-06-05\nitem3.X-ABLabel:_$!<Anniversary>!$_\n\
         X-SOCIALPROFILE;type=twitter:https://twitter.com/acme\nitem4.ADR;type=HOME:;;Main St 1;Town;;;\nitem4.X-ABADR:us\n\
         PHOTO;VALUE=uri:https://example.com/a.jpg",
    );
    assert_eq!(
        (&ann["kind"], &ann["organization"], &ann["department"]),
        (&json!("org"), &json!("Acme"), &json!("Sales, North"))
    );
    assert_eq!(
        (
            &ann["birthday_month"],
            &ann["birthday_day"],
            ann.get("birthday_year")
        ),
        (&json!(4), &json!(12), None)
    );
    assert_eq!(
        ann["emails"],
        json!([
            {"address": "a@example.com", "is_primary": true, "label": "homepage"},
            {"address": "b@example.com", "is_primary": false, "label": "Ferienhaus"},
        ])
    );
    assert_eq!(
        (&ann["anniversary"], &ann["photo_url"]),
        (&json!("2010-06-05"), &json!("https://example.com/a.jpg"))
    );
    assert_eq!(ann["addresses"][0]["country_code"], "us");
    assert!(ann["properties"].as_array().unwrap().contains(
        &json!({"name": "x-socialprofile", "value": "https://twitter.com/acme", "label": "twitter"})
    ));
}

#[test]
fn google_labels_everybody_and_says_nothing_by_it() {
    let ann = card(
        "VERSION:3.0\nFN:Ann\nitem1.TEL:+49 30 1234567\nitem1.X-ABLabel:Büro\nCATEGORIES:Choir,myContacts",
    );
    assert_eq!(
        (&ann["categories"], &ann["phones"][0]["label"]),
        (&json!(["Choir"]), &json!("Büro"))
    );
}

#[test]
fn old_phones_are_read_with_what_they_leave_out() {
    let nokia = card(
        "VERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BCller;J=C3=\n=BCrgen\nTEL;CELL;PREF:+491701234567\nTEL;FAX;WORK:030 123\n\
         X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Jogi;1;;;\nX-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;2012-05-01;1;;\n\
         PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\nSkZJRgABAQ\nAAAQABAAD=\n\nADR;HOME:;;Am Tor 1, Hof;Ulm;;89073;",
    );
    assert_eq!(
        nokia["full_name"], "Jürgen Müller",
        "a card without FN is called by its N"
    );
    assert_eq!(
        nokia["phones"],
        json!([{"number": "+491701234567", "e164": "+491701234567", "label": "mobile"}, {"number": "030 123", "label": "work fax"}])
    );
    assert_eq!(
        (&nokia["nicknames"], &nokia["anniversary"]),
        (&json!(["Jogi"]), &json!("2012-05-01"))
    );
    assert_eq!(nokia["addresses"][0]["street"], "Am Tor 1, Hof");
    assert!(
        !nokia.contains_key("photo_url") && !nokia.contains_key("import_problems"),
        "{nokia:?}"
    );
}

#[test]
fn preferences_alternatives_and_escapes_of_version_4_hold() {
    let ann = card(
        "VERSION:4.0\nFN;ALTID=1;LANGUAGE=en:Ann\nFN;ALTID=1;LANGUAGE=de:Anna\nEMAIL;PREF=2:a@example.com\nEMAIL;PREF=1:mailto:b@example.com\n\
         TITLE;ALTID=2;LANGUAGE=fr:Patron\nTITLE;ALTID=2;LANGUAGE=en:Boss\nNOTE:one\\, two\\nthree\nROLE:Lead\nREV:20260101T100000Z",
    );
    assert_eq!(
        (&ann["full_name"], &ann["title"], &ann["notes"]),
        (&json!("Ann"), &json!("Patron"), &json!("one, two\nthree"))
    );
    let primary: Vec<_> = ann["emails"]
        .as_array()
        .unwrap()
        .iter()
        .map(|email| email["is_primary"] == true)
        .collect();
    assert_eq!(primary, [false, true]);
    assert_eq!(ann["updated_at"], "2026-01-01T10:00:00Z");
    assert!(
        ann["properties"]
            .as_array()
            .unwrap()
            .contains(&json!({"name": "role", "value": "Lead"}))
    );
}

#[test]
fn the_card_of_an_agent_is_part_of_the_one_it_stands_in() {
    let nested = "VERSION:2.1\nFN:Ann\nAGENT:\nBEGIN:VCARD\nFN:Bob\nTEL:1\nEND:VCARD\nTEL:2";
    let written = "VERSION:3.0\nFN:Ann\nAGENT:BEGIN:VCARD\\nFN:Bob\\nTEL:1\\nEND:VCARD\\n\nTEL:2";
    for lines in [nested, written] {
        let ann = card(lines);
        assert_eq!(
            (&ann["full_name"], &ann["phones"]),
            (&json!("Ann"), &json!([{"number": "2"}]))
        );
        assert_eq!(
            ann["properties"],
            json!([{"name": "agent", "value": "Bob"}]),
            "{lines}"
        );
    }
}

#[test]
fn a_card_is_called_by_its_uid_or_by_what_it_says() {
    let two = |first: &str, second: &str| {
        let text = format!("BEGIN:VCARD\n{first}\nEND:VCARD\nBEGIN:VCARD\n{second}\nEND:VCARD\n");
        read_bytes("a.vcf", text)
            .ids()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(two("FN:Ann\nUID:1", "FN:Bob\nUID:1"), ["1", "1~2"]);
    let unnamed = two("FN:Ann\nREV:20260101T100000Z", "FN:Ann");
    assert_eq!(
        unnamed[1],
        format!("{}~2", unnamed[0]),
        "when it was exported is not what it says"
    );
}

#[test]
fn an_address_book_in_utf_16_is_read() {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë\r\nEND:VCARD\r\n";
    let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    assert_eq!(read_bytes("a.vcf", bytes).records[0].2["full_name"], "Zoë");
}
