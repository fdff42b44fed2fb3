//! A person as a vCard (RFC 6350), in the words that Google's own export of contacts has for them.

use sextant_formats::RecordFields;

use super::contact_parts::CardLines;
use super::content_text::escaped;
use super::groups::GroupNames;
use super::person::{ContactPart, GooglePerson, PostalAddress};
use super::records::{self, PEOPLE};

/// The columns of a person; `None` if it names nobody.
pub(super) fn person(person: &GooglePerson, groups: &GroupNames) -> Option<RecordFields> {
    let mut card = CardLines::begin();
    card.text("UID", Some(&person.resource_name));
    card.text("REV", person.updated_at());
    add_name(&mut card, person);
    add_work(&mut card, person);
    add_parts(&mut card, "EMAIL", &person.email_addresses);
    add_parts(&mut card, "TEL", &person.phone_numbers);
    for address in &person.addresses {
        add_address(&mut card, address);
    }
    add_parts(&mut card, "URL", &person.urls);
    add_days(&mut card, person);
    let photo = person.photos.iter().find(|photo| !photo.default);
    card.text("PHOTO", photo.and_then(|photo| photo.url.as_deref()));
    for note in &person.biographies {
        card.text("NOTE", note.value.as_deref());
    }
    add_others(&mut card, person);
    let names = person.groups().filter_map(|group| groups.name_of(group));
    let names: Vec<_> = names.map(escaped).collect();
    if !names.is_empty() {
        card.line("CATEGORIES", &names.join(","));
    }
    records::columns("contacts.vcf", card.end().as_str(), PEOPLE, &person.sent)
}

fn add_name(card: &mut CardLines, person: &GooglePerson) {
    if let Some(name) = person.names.first() {
        let parts = [
            &name.family_name,
            &name.given_name,
            &name.middle_name,
            &name.honorific_prefix,
            &name.honorific_suffix,
        ];
        card.line("N", &components(parts));
        card.text("FN", name.display_name.as_deref());
    }
    for nickname in &person.nicknames {
        card.text("NICKNAME", nickname.value.as_deref());
    }
}

fn add_work(card: &mut CardLines, person: &GooglePerson) {
    let all = || person.organizations.iter();
    let primary = all().find(|one| one.metadata.primary);
    if let Some(work) = primary.or_else(|| all().next()) {
        card.line("ORG", &components([&work.name, &work.department]));
        card.text("TITLE", work.title.as_deref());
    }
}

fn add_parts(card: &mut CardLines, name: &str, parts: &[ContactPart]) {
    for part in parts {
        let value = part.value.as_deref().unwrap_or_default().trim();
        if value.is_empty() {
            continue;
        }
        let preferred = match part.metadata.primary {
            true => format!("{name};PREF=1"),
            false => name.to_owned(),
        };
        card.typed(&preferred, part.kind.as_deref(), &escaped(value), &[]);
    }
}

fn add_address(card: &mut CardLines, address: &PostalAddress) {
    let kind = address.kind.as_deref();
    let parts = components([
        &address.po_box,
        &address.extended_address,
        &address.street_address,
        &address.city,
        &address.region,
        &address.postal_code,
        &address.country,
    ]);
    let full = address.formatted_value.as_deref().map(escaped);
    if parts.chars().all(|letter| letter == ';') {
        if let Some(full) = full {
            card.typed("LABEL", kind, &full, &[]);
        }
        return;
    }
    let country = address.country_code.as_deref();
    let country: Vec<_> = country.map(|code| ("X-ABADR", code)).into_iter().collect();
    card.typed("ADR", kind, &parts, &country);
    if let Some(full) = full {
        card.typed("LABEL", kind, &full, &[]);
    }
}

fn add_days(card: &mut CardLines, person: &GooglePerson) {
    let mut birthdays = person.birthdays.iter();
    let birthday = birthdays.find_map(|birthday| birthday.text());
    card.text("BDAY", birthday.as_deref());
    for event in &person.events {
        let Some(day) = event.text() else {
            continue;
        };
        match event.kind.as_deref() {
            Some("anniversary") => card.text("ANNIVERSARY", Some(&day)),
            kind => card.typed("X-ABDATE", kind, &escaped(&day), &[]),
        }
    }
}

/// What no column holds.
fn add_others(card: &mut CardLines, person: &GooglePerson) {
    for relation in &person.relations {
        if let Some(name) = &relation.person {
            let kind = relation.kind.as_deref();
            card.typed("X-ABRELATEDNAMES", kind, &escaped(name), &[]);
        }
    }
    for client in &person.im_clients {
        if let Some(user) = &client.username {
            let protocol = client.protocol.as_deref().unwrap_or("im");
            let value = escaped(&format!("{protocol}:{user}"));
            card.typed("IMPP", client.kind.as_deref(), &value, &[]);
        }
    }
}

/// A value of several components (RFC 6350 §3.4).
fn components<const N: usize>(parts: [&Option<String>; N]) -> String {
    let parts = parts.map(|part| escaped(part.as_deref().unwrap_or_default().trim()));
    parts.join(";")
}

#[cfg(test)]
mod tests;
