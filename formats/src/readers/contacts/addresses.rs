//! ADR and LABEL as the addresses of `contacts.people`.

use serde_json::{Map, Value};

use super::card::Card;
use super::labels::label_of;
use super::property::CardProperty;

/// The field of each component of ADR (RFC 6350 §6.3.1) after the three that make the street.
const PART_FIELDS: [(usize, &str); 4] = [
    (3, "locality"),
    (4, "region"),
    (5, "postcode"),
    (6, "country"),
];
/// The components that make the street: the street, then the extended address, then the post office box.
const STREET_PARTS: [usize; 3] = [2, 1, 0];

/// A LABEL is the full text of the ADR with the same label; a LABEL without such an ADR becomes an address of its own.
pub(super) fn addresses(card: &Card) -> Vec<Value> {
    let mut labels: Vec<&CardProperty> = card.all("LABEL").collect();
    let mut addresses: Vec<Value> = Vec::new();
    for property in card.all("ADR") {
        let mut address = address_parts(property);
        if address.is_empty() {
            continue;
        }
        let label = label_of(card, property);
        let full = property.parameter("LABEL").map(super::value::unescape);
        let full = full.or_else(|| {
            let at = labels
                .iter()
                .position(|other| label_of(card, other) == label)?;
            labels.remove(at).text()
        });
        insert_text(&mut address, "full", full);
        insert_text(&mut address, "label", label);
        insert_text(
            &mut address,
            "country_code",
            card.companion(property, "X-ABADR"),
        );
        addresses.push(Value::Object(address));
    }
    addresses.extend(labels.into_iter().filter_map(|property| {
        let mut address = Map::new();
        insert_text(&mut address, "full", Some(property.text()?));
        insert_text(&mut address, "label", label_of(card, property));
        Some(Value::Object(address))
    }));
    addresses
}

fn address_parts(property: &CardProperty) -> Map<String, Value> {
    let parts = property.components();
    let part = |at: usize| parts.get(at).cloned().flatten();
    let street: Vec<_> = STREET_PARTS.into_iter().filter_map(part).collect();
    let mut address = Map::new();
    insert_text(
        &mut address,
        "street",
        Some(street.join(", ")).filter(|street| !street.is_empty()),
    );
    for (at, name) in PART_FIELDS {
        insert_text(&mut address, name, part(at));
    }
    address
}

fn insert_text(address: &mut Map<String, Value>, name: &str, text: Option<String>) {
    if let Some(text) = text {
        address.insert(name.to_owned(), Value::from(text));
    }
}
