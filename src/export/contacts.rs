//! `contacts.vcf`: vCard 3.0 (RFC 2426), which every address book reads, the newest and the oldest; and the extensions of Apple's and Google's
//! address books for what it lacks: custom labels, birthdays without a year, companies, groups.

mod labels;

use serde_json::Value;
use sextant_actors::domain::Sector;

use self::labels::{Numbering, write_labelled};
use super::ExportRequest;
use super::content_line::{ContentLine, escaped};
use super::document::{Document, Section, instant, list, text, texts};

pub(super) const DOCUMENT: Document = Document {
    name: "contacts.vcf",
    sector: Sector::Contacts,
    head: |_| Vec::new(),
    sections: &[
        Section {
            sql: include_str!("../../sql/statements/export/people.sql"),
            write: write_person,
        },
        Section {
            sql: include_str!("../../sql/statements/export/groups.sql"),
            write: write_group,
        },
    ],
    foot: "",
};

/// The components of N, in its order.
const NAME: [&str; 5] = [
    "name_surname",
    "name_given",
    "name_middle",
    "name_prefix",
    "name_suffix",
];
/// The members that can stand as the formatted name, the best first.
const NAMES: [&str; 4] = ["full_name", "organization", "name_surname", "name_given"];
/// The year of a birthday without one, as Apple writes it; it is a leap year.
const NO_YEAR: i64 = 1604;

fn write_person(row: &Value, _: &ExportRequest, out: &mut Vec<u8>) {
    write_begin(row, out);
    let name = NAMES.iter().find_map(|name| text(row, name));
    let address = || text(list(row, "emails").next()?, "address");
    // RFC 2426 §3.1.1 demands a name; somebody without any has an empty one.
    ContentLine::new("FN").text(name.or_else(address).unwrap_or_default(), out);
    ContentLine::new("N").value(&components(row, &NAME), out);
    write_list(row, "NICKNAME", "nicknames", out);
    write_work(row, out);
    let mut numbering = Numbering::default();
    write_addresses(row, &mut numbering, out);
    write_dates(row, out);
    write_text(row, "NOTE", "notes", out);
    if let Some(address) = text(row, "photo_url") {
        ContentLine::new("PHOTO")
            .with("VALUE", "uri")
            .value(address, out);
    }
    write_list(row, "CATEGORIES", "categories", out);
    write_further(row, &mut numbering, out);
    write_end(row, out);
}

fn write_group(row: &Value, _: &ExportRequest, out: &mut Vec<u8>) {
    write_begin(row, out);
    // A group may be without a name.
    let name = text(row, "name").unwrap_or_default();
    ContentLine::new("FN").text(name, out);
    ContentLine::new("N").value(&format!("{};;;;", escaped(name)), out);
    ContentLine::new("X-ADDRESSBOOKSERVER-KIND").value("group", out);
    for member in texts(row, "member_uids") {
        ContentLine::new("X-ADDRESSBOOKSERVER-MEMBER").value(&format!("urn:uuid:{member}"), out);
    }
    write_end(row, out);
}

fn write_begin(row: &Value, out: &mut Vec<u8>) {
    ContentLine::new("BEGIN").value("VCARD", out);
    ContentLine::new("VERSION").value("3.0", out);
    ContentLine::new("PRODID").value(
        concat!("-//Sextant//Sextant ", env!("CARGO_PKG_VERSION"), "//EN"),
        out,
    );
    let uid = text(row, "uid").or_else(|| text(row, "source_id"));
    // A row has its source_id.
    ContentLine::new("UID").text(uid.unwrap_or_default(), out);
}

fn write_end(row: &Value, out: &mut Vec<u8>) {
    if let Some(changed) = instant(row, "updated_at") {
        ContentLine::new("REV").value(&changed.format("%Y-%m-%dT%H:%M:%SZ").to_string(), out);
    }
    ContentLine::new("END").value("VCARD", out);
}

fn components(row: &Value, names: &[&str]) -> String {
    let parts: Vec<String> = names
        .iter()
        // A component that is not there is empty (RFC 2426 §3.1.2).
        .map(|name| escaped(text(row, name).unwrap_or_default()))
        .collect();
    parts.join(";")
}

fn write_work(row: &Value, out: &mut Vec<u8>) {
    if text(row, "organization").is_some() || text(row, "department").is_some() {
        ContentLine::new("ORG").value(&components(row, &["organization", "department"]), out);
    }
    write_text(row, "TITLE", "title", out);
    if text(row, "kind") == Some("org") {
        ContentLine::new("X-ABShowAs").value("COMPANY", out);
    }
}

/// Writes e-mail addresses, telephone numbers, postal addresses and URLs.
fn write_addresses(row: &Value, numbering: &mut Numbering, out: &mut Vec<u8>) {
    for email in list(row, "emails") {
        if let Some(address) = text(email, "address") {
            let is_primary = email.get("is_primary").and_then(Value::as_bool) == Some(true);
            let types: &[&str] = if is_primary {
                &["INTERNET", "PREF"]
            } else {
                &["INTERNET"]
            };
            write_labelled("EMAIL", types, email, numbering, &escaped(address), out);
        }
    }
    for phone in list(row, "phones") {
        if let Some(number) = text(phone, "number") {
            write_labelled("TEL", &[], phone, numbering, &escaped(number), out);
        }
    }
    for address in list(row, "addresses") {
        let parts = ["street", "locality", "region", "postcode", "country"];
        if parts.iter().any(|part| text(address, part).is_some()) {
            let value = format!(";;{}", components(address, &parts));
            write_labelled("ADR", &[], address, numbering, &value, out);
        }
        if let Some(whole) = text(address, "full") {
            write_labelled("LABEL", &[], address, numbering, &escaped(whole), out);
        }
    }
    for url in list(row, "urls") {
        if let Some(address) = text(url, "url") {
            write_labelled("URL", &[], url, numbering, &escaped(address), out);
        }
    }
}

fn write_dates(row: &Value, out: &mut Vec<u8>) {
    let part = |name: &str| row.get(name).and_then(Value::as_i64);
    let known = (
        part("birthday_year"),
        part("birthday_month"),
        part("birthday_day"),
    );
    match known {
        (Some(year), Some(month), Some(day)) => {
            ContentLine::new("BDAY").value(&format!("{year:04}-{month:02}-{day:02}"), out);
        }
        (None, Some(month), Some(day)) => {
            let line = ContentLine::new("BDAY").with("X-APPLE-OMIT-YEAR", &NO_YEAR.to_string());
            line.value(&format!("{NO_YEAR}-{month:02}-{day:02}"), out);
        }
        (Some(year), Some(month), None) => {
            ContentLine::new("BDAY").value(&format!("{year:04}-{month:02}"), out)
        }
        (Some(year), ..) => ContentLine::new("BDAY").value(&format!("{year:04}"), out),
        (None, Some(month), None) => ContentLine::new("BDAY").value(&format!("--{month:02}"), out),
        (None, None, Some(day)) => ContentLine::new("BDAY").value(&format!("---{day:02}"), out),
        (None, None, None) => {}
    }
    if let Some(day) = text(row, "anniversary") {
        ContentLine::new("X-ANNIVERSARY").value(day, out);
    }
}

/// Writes the properties of the original card that no column holds.
fn write_further(row: &Value, numbering: &mut Numbering, out: &mut Vec<u8>) {
    for property in list(row, "properties") {
        let (Some(name), Some(value)) = (text(property, "name"), text(property, "value")) else {
            continue;
        };
        if name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
        {
            let name = name.to_ascii_uppercase();
            write_labelled(&name, &[], property, numbering, &escaped(value), out);
        }
    }
}

fn write_text(row: &Value, name: &str, member: &str, out: &mut Vec<u8>) {
    if let Some(value) = text(row, member) {
        ContentLine::new(name).text(value, out);
    }
}

fn write_list(row: &Value, name: &str, member: &str, out: &mut Vec<u8>) {
    let values: Vec<String> = texts(row, member).map(escaped).collect();
    if !values.is_empty() {
        ContentLine::new(name).value(&values.join(","), out);
    }
}
