//! A VCARD that stands for a person or a company, as a record of `contacts.people`.

use serde_json::Value;

use super::cards::Card;
use super::dates::CardDate;
use super::group::kind_of;
use super::record::{CardRecord, put_list, uid};
use super::{addresses, android, channels, rest};
use crate::entry::{PROBLEMS, RecordFields, put, quoted as shown};

/// The components of N (RFC 6350 §6.2.2), in its order.
const NAME_PARTS: [&str; 5] = [
    "name_surname",
    "name_given",
    "name_middle",
    "name_prefix",
    "name_suffix",
];
/// The order in which they make a whole name.
const SPOKEN: [&str; 5] = [
    "name_prefix",
    "name_given",
    "name_middle",
    "name_surname",
    "name_suffix",
];
/// Fields of which a card must have one (`contacts.people`).
const NAMING: [&str; 6] = [
    "full_name",
    "name_given",
    "name_surname",
    "organization",
    "emails",
    "phones",
];
/// A label of Google's that every contact has: it sorts nothing.
const EVERYBODY: [&str; 2] = ["myContacts", "* myContacts"];
const ANNIVERSARIES: [&str; 5] = [
    "ANNIVERSARY",
    "X-ANNIVERSARY",
    "X-EVOLUTION-ANNIVERSARY",
    "X-MS-ANNIVERSARY",
    "X-KADDRESSBOOK-X-ANNIVERSARY",
];

/// What to call the card in its place: the name, or else the key.
pub(super) fn display_name(card: &Card) -> String {
    let called = ["FN", "ORG", "EMAIL", "UID"]
        .iter()
        .find_map(|name| card.text(name));
    called.unwrap_or_default()
}

pub(super) fn map(card: &Card) -> Result<CardRecord, String> {
    let mut fields = RecordFields::new();
    let mut problems = card.problems.clone();
    add_name(&mut fields, card);
    add_work(&mut fields, card);
    put_list(&mut fields, "emails", channels::emails(card));
    put_list(&mut fields, "phones", channels::phones(card));
    put_list(&mut fields, "addresses", addresses::addresses(card));
    put_list(&mut fields, "urls", channels::urls(card));
    put(&mut fields, "photo_url", channels::photo_url(card));
    add_dates(&mut fields, card, &mut problems);
    add_words(&mut fields, card);
    if !NAMING.iter().any(|name| fields.contains_key(*name)) {
        return Err(
            "it names nobody: it has no name, organization, email or phone number".to_owned(),
        );
    }
    put(&mut fields, "uid", uid(card));
    put_list(
        &mut fields,
        "properties",
        rest::properties(card, &mut problems),
    );
    put_list(
        &mut fields,
        PROBLEMS,
        problems.into_iter().map(Value::from).collect(),
    );
    Ok(("contacts.people", fields))
}

fn add_name(fields: &mut RecordFields, card: &Card) {
    let parts = card
        .first("N")
        .map(super::property::CardProperty::components)
        .unwrap_or_default();
    for (name, part) in NAME_PARTS.iter().zip(parts) {
        put(fields, name, part);
    }
    let nicknames = card.all("NICKNAME").flat_map(|property| property.list());
    let nicknames: Vec<_> = nicknames.chain(android::nicknames(card)).collect();
    let spoken: Vec<_> = SPOKEN
        .iter()
        .filter_map(|name| fields.get(*name)?.as_str())
        .collect();
    let spoken = Some(spoken.join(" ")).filter(|name| !name.is_empty());
    let full = card
        .text("FN")
        .or(spoken)
        .or_else(|| nicknames.first().cloned());
    put(fields, "full_name", full);
    put_list(
        fields,
        "nicknames",
        nicknames.into_iter().map(Value::from).collect(),
    );
}

fn add_work(fields: &mut RecordFields, card: &Card) {
    let mut units = card
        .first("ORG")
        .map(super::property::CardProperty::components)
        .unwrap_or_default()
        .into_iter();
    put(fields, "organization", units.next().flatten());
    let departments: Vec<_> = units.flatten().collect();
    put(
        fields,
        "department",
        Some(departments.join(", ")).filter(|all| !all.is_empty()),
    );
    put(fields, "title", card.text("TITLE"));
    let is_company = card
        .text("X-ABSHOWAS")
        .is_some_and(|shown| shown.eq_ignore_ascii_case("COMPANY"));
    let kind = match kind_of(card).as_deref() {
        _ if is_company => Some("org"),
        Some("org" | "organization") => Some("org"),
        None | Some("individual" | "person") => Some("individual"),
        Some(other) => {
            fields.insert("card_kind".to_owned(), Value::from(other));
            None
        }
    };
    put(fields, "kind", kind);
    if let (None, Some(name)) = (fields.get("full_name"), fields.get("organization").cloned()) {
        fields.insert("full_name".to_owned(), name);
    }
}

fn add_dates(fields: &mut RecordFields, card: &Card, problems: &mut Vec<String>) {
    if let Some(text) = card.text("BDAY").or_else(|| android::birthday(card)) {
        match CardDate::of(&text) {
            Some(day) => {
                put(fields, "birthday_year", day.year);
                put(fields, "birthday_month", day.month);
                put(fields, "birthday_day", day.day);
            }
            None => keep_as_written(fields, problems, "birthday", "BDAY", text),
        }
    }
    if let Some(text) = anniversary(card) {
        match CardDate::of(&text).and_then(CardDate::date) {
            Some(date) => put(fields, "anniversary", Some(date)),
            None => keep_as_written(fields, problems, "anniversary", "ANNIVERSARY", text),
        }
    }
}

/// An invalid date is left out and reported; the person is kept.
fn keep_as_written(
    fields: &mut RecordFields,
    problems: &mut Vec<String>,
    field: &str,
    name: &str,
    text: String,
) {
    problems.push(format!(
        "{name} {} is no date that can be stored",
        shown(&text)
    ));
    fields.insert(format!("{field}_as_written"), Value::from(text));
}

fn anniversary(card: &Card) -> Option<String> {
    let apple = || {
        let mut dates = card.all("X-ABDATE");
        let is_it = |label: String| label.eq_ignore_ascii_case("_$!<Anniversary>!$_");
        dates
            .find(|date| card.companion(date, "X-ABLABEL").is_some_and(is_it))?
            .text()
    };
    let named = ANNIVERSARIES.iter().find_map(|name| card.text(name));
    named.or_else(apple).or_else(|| android::anniversary(card))
}

fn add_words(fields: &mut RecordFields, card: &Card) {
    let notes: Vec<_> = card
        .all("NOTE")
        .filter_map(|property| property.text())
        .collect();
    put(
        fields,
        "notes",
        Some(notes.join("\n\n")).filter(|notes| !notes.is_empty()),
    );
    let categories = card.all("CATEGORIES").flat_map(|property| property.list());
    let categories = categories.filter(|one| !EVERYBODY.contains(&one.as_str()));
    put_list(fields, "categories", categories.map(Value::from).collect());
}
