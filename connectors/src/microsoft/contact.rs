//! A contact (<https://learn.microsoft.com/graph/api/resources/contact>) as a vCard, and what the reader of files makes of it.

use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use super::content_lines::GraphLines;
use super::object::{GraphObject, inner, objects, raw, text, texts};

const TARGET: &str = "contacts.people";

/// What a card has no property for, as cards of Outlook name it.
const FURTHER: [(&str, &str); 9] = [
    ("profession", "X-PROFESSION"),
    ("spouseName", "X-SPOUSE"),
    ("manager", "X-MANAGER"),
    ("assistantName", "X-ASSISTANT"),
    ("officeLocation", "X-OFFICE"),
    ("yomiGivenName", "X-PHONETIC-FIRST-NAME"),
    ("yomiSurname", "X-PHONETIC-LAST-NAME"),
    ("yomiCompanyName", "X-PHONETIC-ORG"),
    ("initials", "X-INITIALS"),
];

/// The fields of a contact, as a card in a file of it would have them.
pub(super) fn fields(contact: &GraphObject) -> Option<RecordFields> {
    let source = FileSource::Bytes {
        name: "contact.vcf".to_owned(),
        bytes: card(contact).into_bytes().into(),
    };
    let reader = FileReader::new(Options::default());
    let entry = reader.entries(&source).ok()?.next()?.ok()?;
    let FileEntry::Record {
        target, mut fields, ..
    } = entry
    else {
        return None;
    };
    if target.as_deref() != Some(TARGET) {
        return None;
    }
    // Its id in a file: here the id is Graph's.
    fields.remove("id");
    fields.insert("raw".to_owned(), raw(contact));
    Some(fields)
}

fn card(contact: &GraphObject) -> String {
    let mut lines = GraphLines::default();
    lines.bare("BEGIN", "VCARD");
    lines.bare("VERSION", "4.0");
    add_name(&mut lines, contact);
    add_channels(&mut lines, contact);
    add_addresses(&mut lines, contact);
    lines.text("NOTE", text(contact, "personalNotes"));
    // A day at noon or midnight, since the field holds an instant.
    let day = text(contact, "birthday").and_then(|birthday| birthday.get(..10));
    if let Some(day) = day {
        lines.bare("BDAY", day);
    }
    if let Some(changed) = text(contact, "lastModifiedDateTime") {
        lines.bare("REV", changed);
    }
    lines.list("CATEGORIES", texts(contact, "categories"));
    for (name, property) in FURTHER {
        lines.text(property, text(contact, name));
    }
    for child in texts(contact, "children") {
        lines.text("X-CHILD", Some(child));
    }
    lines.bare("END", "VCARD");
    lines.into_text()
}

fn add_name(lines: &mut GraphLines, contact: &GraphObject) {
    let part = |name: &str| text(contact, name);
    let company = part("companyName");
    lines.text("FN", part("displayName").or_else(|| part("fileAs")));
    let name = ["surname", "givenName", "middleName", "title", "generation"];
    lines.components("N", &name.map(part));
    lines.text("NICKNAME", part("nickName"));
    match (company, part("department")) {
        (company, Some(department)) => lines.components("ORG", &[company, Some(department)]),
        (company, None) => lines.components("ORG", &[company]),
    }
    lines.text("TITLE", part("jobTitle"));
}

fn add_channels(lines: &mut GraphLines, contact: &GraphObject) {
    for email in objects(contact, "emailAddresses") {
        lines.text("EMAIL", text(email, "address"));
    }
    let phones = [
        ("businessPhones", "TEL;TYPE=work"),
        ("homePhones", "TEL;TYPE=home"),
    ];
    lines.text("TEL;TYPE=cell", text(contact, "mobilePhone"));
    for (name, property) in phones {
        for number in texts(contact, name) {
            lines.text(property, Some(number));
        }
    }
    lines.text("URL;TYPE=work", text(contact, "businessHomePage"));
    for address in texts(contact, "imAddresses") {
        lines.text("IMPP", Some(address));
    }
}

fn add_addresses(lines: &mut GraphLines, contact: &GraphObject) {
    let addresses = [
        ("homeAddress", "ADR;TYPE=home"),
        ("businessAddress", "ADR;TYPE=work"),
        ("otherAddress", "ADR;TYPE=other"),
    ];
    for (name, property) in addresses {
        let Some(address) = inner(contact, name) else {
            continue;
        };
        let part = |name: &str| text(address, name);
        let parts = [
            None,
            None,
            part("street"),
            part("city"),
            part("state"),
            part("postalCode"),
            part("countryOrRegion"),
        ];
        lines.components(property, &parts);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(contact: Value) -> Option<Value> {
        let mut fields = fields(contact.as_object()?)?;
        fields.remove("raw");
        Some(Value::Object(fields))
    }

    #[test]
    fn a_contact_has_the_columns_of_a_card() {
        let read = read(json!({
            "id": "c1", "@odata.etag": "W/\"1\"",
            "displayName": "Ann; the, \"Doe\"", "givenName": "Ann", "surname": "Doe", "title": "Dr.",
            "nickName": "A", "companyName": "Acme", "department": "R&D", "jobTitle": "Engineer",
            "emailAddresses": [{"name": "Ann", "address": "ann@example.com"}, {"address": null}],
            "businessPhones": ["+49 30 901820"], "homePhones": [], "mobilePhone": "+1 212 555 0100",
            "homeAddress": {"street": "1 Road\r\nFlat 2", "city": "Town", "postalCode": "1", "countryOrRegion": "UK"},
            "businessAddress": {}, "birthday": "1974-07-22T11:59:00Z", "personalNotes": "a\nb\\n",
            "categories": ["Red"], "spouseName": "Bob", "businessHomePage": "https://acme.example",
            "lastModifiedDateTime": "2026-01-02T03:04:05Z",
        }));
        let expected = json!({
            "full_name": "Ann; the, \"Doe\"", "name_given": "Ann", "name_surname": "Doe", "name_prefix": "Dr.",
            "nicknames": ["A"], "kind": "individual", "organization": "Acme", "department": "R&D", "title": "Engineer",
            "emails": [{"address": "ann@example.com", "is_primary": false}],
            "phones": [
                {"number": "+1 212 555 0100", "e164": "+12125550100", "label": "mobile"},
                {"number": "+49 30 901820", "e164": "+4930901820", "label": "work"},
            ],
            "addresses": [{"street": "1 Road\nFlat 2", "locality": "Town", "postcode": "1", "country": "UK", "label": "home"}],
            "urls": [{"url": "https://acme.example", "label": "work"}],
            "birthday_year": 1974, "birthday_month": 7, "birthday_day": 22,
            "notes": "a\nb\\n", "categories": ["Red"], "updated_at": "2026-01-02T03:04:05Z",
            "properties": [{"name": "x-spouse", "value": "Bob"}],
        });
        assert_eq!(read.unwrap(), expected);
    }

    #[test]
    fn nobody_is_no_person_and_no_words_make_another_property() {
        assert_eq!(read(json!({"id": "c"})), None);
        let read = read(
            json!({"displayName": "x\r\nEMAIL:evil@example.com\nEND:VCARD", "birthday": "0001"}),
        );
        let read = read.unwrap();
        assert!(read.get("emails").is_none(), "{read}");
    }
}
