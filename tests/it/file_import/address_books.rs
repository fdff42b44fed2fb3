//! What our reader finds in every address book, compared with two others: vobject (Python) and calcard.

use std::collections::BTreeMap;

use calcard::vcard::{VCard, VCardProperty, VCardValue};
use calcard::{Entry, Parser};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{fixtures, read};
use crate::support::python;
use sextant_formats::FileSource;

const SCRIPT: &str = "tests/peers/contacts.py";

/// They keep `tel:`, which belongs to the notation of a number and not to the number.
const SCHEME: &str = "they keep the scheme of the number";
/// A card without FN gets its name from N.
const NO_FN: &str = "they make no name of N";
/// They leave a bare QUOTED-PRINTABLE, or one with soft line breaks, as it is.
const QUOTED: &str = "it leaves the text quoted";

/// Where the other readers differ: reader, file, field and reason.
const EXCEPTIONS: [(&str, &str, &str, &str); 8] = [
    ("vobject", "049", "phones", SCHEME),
    ("vobject", "163", "full_name", NO_FN),
    ("calcard", "049", "phones", SCHEME),
    ("calcard", "163", "full_name", NO_FN),
    ("calcard", "103", "phones", QUOTED),
    ("calcard", "193", "full_name", QUOTED),
    ("calcard", "193", "phones", QUOTED),
    ("calcard", "193", "title", QUOTED),
];

/// The contents of one card, as far as every reader has a field for them.
type Told = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
struct OfVobject {
    cards: Option<Vec<BTreeMap<String, Value>>>,
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn told(fields: impl IntoIterator<Item = (String, Vec<String>)>) -> Told {
    let said = fields.into_iter().map(|(name, texts)| {
        let texts = texts
            .iter()
            .map(|text| words(text))
            .filter(|text| !text.is_empty());
        (name, texts.collect::<Vec<_>>())
    });
    said.filter(|(_, texts)| !texts.is_empty()).collect()
}

fn ours(fields: &Map<String, Value>) -> Told {
    let names = [
        "full_name",
        "name_surname",
        "name_given",
        "organization",
        "uid",
        "title",
        "notes",
    ];
    let single = names.map(|name| (name, vec![fields.get(name)]));
    let list = |name, key| {
        (
            name,
            fields
                .get(name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|one| one.get(key))
                .collect(),
        )
    };
    let lists = [list("emails", "address"), list("phones", "number")];
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    told(
        single
            .into_iter()
            .chain(lists)
            .map(|(name, values): (&str, Vec<_>)| {
                (name.to_owned(), values.into_iter().map(text).collect())
            }),
    )
}

fn of_vobject(card: BTreeMap<String, Value>) -> Told {
    told(
        card.into_iter()
            .filter(|(name, _)| name != "streets")
            .map(|(name, value)| {
                let texts = match value {
                    Value::Array(texts) => texts
                        .iter()
                        .map(|text| text.as_str().unwrap().to_owned())
                        .collect(),
                    text => vec![text.as_str().unwrap().to_owned()],
                };
                (name, texts)
            }),
    )
}

fn of_calcard(card: &VCard) -> Told {
    let text = |value: &VCardValue| match value {
        VCardValue::Component(parts) => parts.join(", "),
        value => value.as_text().unwrap_or_default().to_owned(),
    };
    let value_at = |name: &VCardProperty, at: usize| {
        let entry = card.entries.iter().find(|entry| entry.name == *name);
        vec![
            entry
                .and_then(|entry| entry.values.get(at))
                .map(text)
                .unwrap_or_default(),
        ]
    };
    let all = |name: &VCardProperty| {
        let entries = card.entries.iter().filter(|entry| entry.name == *name);
        entries
            .filter_map(|entry| entry.values.first())
            .map(text)
            .collect()
    };
    told([
        ("full_name".to_owned(), value_at(&VCardProperty::Fn, 0)),
        ("name_surname".to_owned(), value_at(&VCardProperty::N, 0)),
        ("name_given".to_owned(), value_at(&VCardProperty::N, 1)),
        ("organization".to_owned(), value_at(&VCardProperty::Org, 0)),
        ("uid".to_owned(), value_at(&VCardProperty::Uid, 0)),
        ("title".to_owned(), value_at(&VCardProperty::Title, 0)),
        ("notes".to_owned(), value_at(&VCardProperty::Note, 0)),
        ("emails".to_owned(), all(&VCardProperty::Email)),
        ("phones".to_owned(), all(&VCardProperty::Tel)),
    ])
}

/// Compares the cards that both readers found; each difference must be a listed exception.
fn compare(reader: &str, file: &str, theirs: &[Told], seen: &mut Vec<String>) {
    let source = FileSource::File(super::fixture(&format!("contacts/{file}.vcf")));
    let read = read(&source).unwrap();
    if !read.refused.is_empty()
        || read
            .records
            .iter()
            .any(|(table, ..)| table != "contacts.people")
    {
        return;
    }
    assert_eq!(read.records.len(), theirs.len(), "{reader}, {file}");
    for ((.., fields), theirs) in read.records.iter().zip(theirs) {
        let ours = ours(fields);
        for name in ours
            .keys()
            .chain(theirs.keys())
            .collect::<std::collections::BTreeSet<_>>()
        {
            let is_excepted = EXCEPTIONS
                .iter()
                .any(|(of, in_file, field, _)| (*of, *in_file, *field) == (reader, file, name));
            if ours.get(name) != theirs.get(name) && !is_excepted {
                seen.push(format!(
                    "{reader} {file} {name}: {:?} != {:?}",
                    ours.get(name),
                    theirs.get(name)
                ));
            }
        }
    }
}

#[test]
fn people_are_told_as_vobject_tells_them() {
    if !python::installed("address_books") {
        return;
    }
    let files = fixtures("contacts", "vcf");
    let results: BTreeMap<String, OfVobject> = python::run(SCRIPT, &[], &files);
    let mut differences = Vec::new();
    let mut compared = 0;
    for (file, result) in results {
        let Some(cards) = result.cards else { continue };
        compared += 1;
        let cards: Vec<_> = cards.into_iter().map(of_vobject).collect();
        compare("vobject", &file, &cards, &mut differences);
    }
    assert_eq!(compared, 36, "files that vobject can read");
    assert_eq!(differences, Vec::<String>::new());
}

#[test]
fn people_are_told_as_calcard_tells_them() {
    let mut differences = Vec::new();
    for path in fixtures("contacts", "vcf") {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            error
                .as_bytes()
                .iter()
                .map(|byte| char::from(*byte))
                .collect()
        });
        let mut parser = Parser::new(&text);
        let mut cards = Vec::new();
        while let Entry::VCard(card) = parser.entry() {
            cards.push(of_calcard(&card));
        }
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        compare("calcard", &file, &cards, &mut differences);
    }
    assert_eq!(differences, Vec::<String>::new());
}
