//! What no column holds: kept as `properties`, each with its name, so that nothing a person wrote is lost.
//! Dropped are only what is about the file, and what is embedded.

use serde_json::{Map, Value};

use super::card::Card;
use super::labels::label_of;
use super::property::CardProperty;
use super::value::{split, unescape};

/// How many are kept of one card.
const KEPT_MAX: usize = 100;

/// Held by columns already, or said in another property.
const HELD: [&str; 22] = [
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

pub(super) fn properties(card: &Card, problems: &mut Vec<String>) -> Vec<Value> {
    let is_kept = |property: &&CardProperty| {
        let name = property.name.as_str();
        !HELD.contains(&name) && !TECHNICAL.contains(&name) && !name.is_empty()
    };
    let titles = card.first("TITLE");
    let mut kept: Vec<_> = card
        .properties
        .iter()
        .filter(is_kept)
        .filter(|property| titles != Some(*property))
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

/// An agent's card within a value (version 3.0) is called by its name.
fn agent(property: &CardProperty) -> Option<String> {
    let text = property.text()?;
    let name = text.lines().find_map(|line| line.strip_prefix("FN:"));
    let name = name.and_then(|name| split(name, ';').first().map(|name| unescape(name)));
    Some(name.unwrap_or(text))
}
