//! Properties without a column of their own, kept as `properties` with their names, so that nothing a person wrote is
//! lost. Only properties about the file and embedded data are dropped.

use serde_json::{Map, Value};

use super::card::Card;
use super::labels::label_of;
use super::property::CardProperty;
use super::value::{split, unescape};

/// The most properties of one card that are kept.
const KEPT_MAX: usize = 100;

/// Stored in columns, or as part of another property.
const STORED_ELSEWHERE: [&str; 22] = [
    "FN",
    "N",
    "NICKNAME",
    "KIND",
    "X-ADDRESSBOOKSERVER-KIND",
    "ORG",
    "EMAIL",
    "TEL",
    "ADR",
    "LABEL",
    "URL",
    "BDAY",
    "ANNIVERSARY",
    "NOTE",
    "PHOTO",
    "CATEGORIES",
    "UID",
    "REV",
    "X-ABLABEL",
    "X-ABADR",
    "X-ABSHOWAS",
    "MEMBER",
];
/// About the file and the program that wrote it.
const TECHNICAL: [&str; 13] = [
    "VERSION",
    "PRODID",
    "SOURCE",
    "CLIENTPIDMAP",
    "XML",
    "KEY",
    "LOGO",
    "SOUND",
    "MAILER",
    "PROFILE",
    "X-MS-OL-DESIGN",
    "X-COUCHDB-APPLICATION-ANNOTATIONS",
    "X-IMAGETYPE",
];

/// A list of `{"name", "value", "label"?}`. Reports a problem if a card has more than [`KEPT_MAX`].
pub(super) fn properties(card: &Card, problems: &mut Vec<String>) -> Vec<Value> {
    let is_kept = |property: &&CardProperty| {
        let name = property.name.as_str();
        !STORED_ELSEWHERE.contains(&name) && !TECHNICAL.contains(&name) && !name.is_empty()
    };
    let stored_title = card.first("TITLE");
    let mut kept: Vec<_> = card
        .properties
        .iter()
        .filter(is_kept)
        .filter(|property| stored_title != Some(*property))
        .filter_map(|property| to_json(card, property))
        .collect();
    if kept.len() > KEPT_MAX {
        let count = kept.len();
        problems.push(format!(
            "of its {count} further properties the first {KEPT_MAX} are kept"
        ));
        kept.truncate(KEPT_MAX);
    }
    kept
}

fn to_json(card: &Card, property: &CardProperty) -> Option<Value> {
    let value = match property.name.as_str() {
        "AGENT" => agent(property)?,
        _ => property.text()?,
    };
    let mut fields = Map::new();
    fields.insert(
        "name".to_owned(),
        Value::from(property.name.to_ascii_lowercase()),
    );
    fields.insert("value".to_owned(), Value::from(value));
    if let Some(label) = label_of(card, property) {
        fields.insert("label".to_owned(), Value::from(label));
    }
    Some(Value::Object(fields))
}

/// The name of an agent's card within a value (version 3.0); any other value as it is.
fn agent(property: &CardProperty) -> Option<String> {
    let text = property.text()?;
    let name = text.lines().find_map(|line| line.strip_prefix("FN:"));
    let name = name.and_then(|name| split(name, ';').first().map(|name| unescape(name)));
    Some(name.unwrap_or(text))
}
