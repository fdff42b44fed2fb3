//! ADR and LABEL as the addresses of `contacts.people`.

use serde_json::{Map, Value};

use super::card::Card;
use super::labels::label_of;
use super::property::CardProperty;

/// Where each component of ADR goes (RFC 6350 §6.3.1), after the three that make the street.
const PARTS: [(usize, &str); 4] = [
    (3, "locality"),
    (4, "region"),
    (5, "postcode"),
    (6, "country"),
];
/// The components that make the street: the street itself, then what narrows it down.
const STREET: [usize; 3] = [2, 1, 0];

/// A LABEL is the whole of the address with the same label; one without such an address is one of its own.
pub(super) fn addresses(card: &Card) -> Vec<Value> {
    let mut labels: Vec<&CardProperty> = card.all("LABEL").collect();
    let mut addresses: Vec<Value> = Vec::new();
    for property in card.all("ADR") {
        let mut address = parts_of(property);
        if address.is_empty() {
            continue;
        }
        let label = label_of(card, property);
        let whole = property.parameter("LABEL").map(super::value::unescape);
        let whole = whole.or_else(|| {
            let at = labels
                .iter()
                .position(|other| label_of(card, other) == label)?;
            labels.remove(at).text()
        });
        set(&mut address, "full", whole);
        set(&mut address, "label", label);
        set(
            &mut address,
            "country_code",
            card.companion(property, "X-ABADR"),
        );
        addresses.push(Value::Object(address));
    }
    addresses.extend(labels.into_iter().filter_map(|property| {
        let mut address = Map::new();
        set(&mut address, "full", Some(property.text()?));
        set(&mut address, "label", label_of(card, property));
        Some(Value::Object(address))
    }));
    addresses
}

fn parts_of(property: &CardProperty) -> Map<String, Value> {
    let parts = property.components();
    let part = |at: usize| parts.get(at).cloned().flatten();
    let street: Vec<_> = STREET.into_iter().filter_map(part).collect();
    let mut address = Map::new();
    set(
        &mut address,
        "street",
        Some(street.join(", ")).filter(|street| !street.is_empty()),
    );
    for (at, name) in PARTS {
        set(&mut address, name, part(at));
    }
    address
}

fn set(address: &mut Map<String, Value>, name: &str, text: Option<String>) {
    if let Some(text) = text {
        address.insert(name.to_owned(), Value::from(text));
    }
}
