//! EMAIL, TEL and URL as the lists of `contacts.people`, and PHOTO as an address.

use serde_json::{Map, Value, json};

use super::card::Card;
use super::labels::{label_of, preference};
use super::phone::e164;
use super::property::CardProperty;

/// A list of `{"address", "is_primary", "label"?}`; the first of the most preferred is primary.
pub(super) fn emails(card: &Card) -> Vec<Value> {
    let best = card.all("EMAIL").filter_map(preference).min();
    let mut has_primary = false;
    let emails = card.all("EMAIL").filter_map(|property| {
        let address = without_scheme(&property.text()?, "mailto:");
        let is_primary = best.is_some() && preference(property) == best && !has_primary;
        has_primary |= is_primary;
        Some(with_label(
            card,
            property,
            json!({"address": address, "is_primary": is_primary}),
        ))
    });
    distinct(emails)
}

/// A list of `{"number", "e164"?, "label"?}`.
pub(super) fn phones(card: &Card) -> Vec<Value> {
    let phones = card.all("TEL").filter_map(|property| {
        let number = without_scheme(&property.text()?, "tel:");
        let number = number.replacen(";ext=", " ext. ", 1);
        let mut phone = json!({"number": number});
        if let (Some(e164), Some(phone)) = (e164(&number), phone.as_object_mut()) {
            phone.insert("e164".to_owned(), Value::from(e164));
        }
        Some(with_label(card, property, phone))
    });
    distinct(phones)
}

/// A list of `{"url", "label"?}`.
pub(super) fn urls(card: &Card) -> Vec<Value> {
    let urls = card
        .all("URL")
        .filter_map(|property| Some(with_label(card, property, json!({"url": property.text()?}))));
    distinct(urls)
}

/// The web address of a picture. Pictures embedded in the card are not kept.
pub(super) fn photo_url(card: &Card) -> Option<String> {
    card.all("PHOTO")
        .filter_map(CardProperty::text)
        .find(|text| {
            ["http://", "https://"].iter().any(|scheme| {
                text.get(..scheme.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            })
        })
}

fn with_label(card: &Card, property: &CardProperty, value: Value) -> Value {
    let mut fields = match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    if let Some(label) = label_of(card, property) {
        fields.insert("label".to_owned(), Value::from(label));
    }
    Value::Object(fields)
}

/// Without repeated values.
fn distinct(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    values
        .filter(|value| seen.insert(value.to_string()))
        .collect()
}

fn without_scheme(text: &str, scheme: &str) -> String {
    let has_scheme = text
        .get(..scheme.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let bare = if has_scheme {
        text.get(scheme.len()..)
    } else {
        None
    };
    bare.unwrap_or(text).to_owned()
}
