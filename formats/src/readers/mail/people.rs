//! Who wrote a message and to whom: address headers as lists of {name, email}.

use mail_parser::{Addr as Written, Address, HeaderName, HeaderValue, Message};
use serde_json::{Map, Value};

use super::problems::Problems;

/// The most addresses of one header that are stored.
pub(super) const ADDRESSES_MAX: usize = 5_000;
/// The longest name or address that is stored.
const CHARACTERS_MAX: usize = 1_000;

/// All addresses of a header, those in groups too; a group that names nobody stands there by its name.
pub(super) fn list(
    message: &Message<'_>,
    name: HeaderName<'static>,
    problems: &mut Problems,
) -> Option<Value> {
    let addressed = all(message, &name);
    let what = format!("addresses in {}", name.as_str());
    problems.limit(&what, addressed.len(), ADDRESSES_MAX);
    let people: Vec<Value> = addressed
        .into_iter()
        .take(ADDRESSES_MAX)
        .map(|person| Value::Object(cut(person, name.as_str(), problems)))
        .collect();
    (!people.is_empty()).then_some(Value::Array(people))
}

/// The first address of a header that has an address, else the first name.
pub(super) fn first(
    message: &Message<'_>,
    name: HeaderName<'static>,
    problems: &mut Problems,
) -> Option<Map<String, Value>> {
    let mut people = all(message, &name);
    let has_email = |person: &Map<String, Value>| person.contains_key("email");
    let at = people.iter().position(has_email).unwrap_or_default();
    let first = (at < people.len()).then(|| people.swap_remove(at))?;
    Some(cut(first, name.as_str(), problems))
}

fn all(message: &Message<'_>, name: &HeaderName<'static>) -> Vec<Map<String, Value>> {
    let values = message.header_values(name.clone());
    values
        .filter_map(HeaderValue::as_address)
        .flat_map(people)
        .collect()
}

/// A name and an address, each cut to its limit.
fn cut(
    mut person: Map<String, Value>,
    header: &str,
    problems: &mut Problems,
) -> Map<String, Value> {
    for value in person.values_mut() {
        if let Value::String(text) = value {
            let what = format!("a name or an address in {header}");
            *text = problems.cut(&what, text, CHARACTERS_MAX);
        }
    }
    person
}

fn people(address: &Address<'_>) -> Vec<Map<String, Value>> {
    match address {
        Address::List(list) => list.iter().filter_map(person).collect(),
        Address::Group(groups) => groups
            .iter()
            .flat_map(|group| {
                let members: Vec<_> = group.addresses.iter().filter_map(person).collect();
                match members.is_empty() {
                    true => fields(group.name.as_deref(), None).into_iter().collect(),
                    false => members,
                }
            })
            .collect(),
    }
}

/// A word without an `@` that stands where an address should is a name.
fn person(address: &Written<'_>) -> Option<Map<String, Value>> {
    let written = address.address.as_deref().map(str::trim);
    let email = written.filter(|written| written.contains('@'));
    let name = address
        .name
        .as_deref()
        .or(written.filter(|_| email.is_none()));
    fields(name, email)
}

fn fields(name: Option<&str>, email: Option<&str>) -> Option<Map<String, Value>> {
    let fields: Map<_, _> = [("name", name), ("email", email)]
        .into_iter()
        .filter_map(|(key, text)| {
            let text = text?.trim().trim_matches('\'');
            (!text.is_empty()).then(|| (key.to_owned(), Value::from(text)))
        })
        .collect();
    (!fields.is_empty()).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;
    use serde_json::json;

    fn to(text: &str) -> Value {
        let text = format!("To: {text}\r\n\r\n");
        let message = MessageParser::default().parse(text.as_bytes()).unwrap();
        list(&message, HeaderName::To, &mut Problems::default()).unwrap_or_default()
    }

    #[test]
    fn names_addresses_comments_and_groups() {
        let table = [
            ("ann@example.com", json!([{"email": "ann@example.com"}])),
            (
                "\"Doe, Ann\" <ann@example.com>",
                json!([{"name": "Doe, Ann", "email": "ann@example.com"}]),
            ),
            (
                "ann@example.com (Ann Doe)",
                json!([{"name": "Ann Doe", "email": "ann@example.com"}]),
            ),
            (
                "=?utf-8?q?J=C3=B6rg?= <j@example.com>",
                json!([{"name": "Jörg", "email": "j@example.com"}]),
            ),
            (
                "undisclosed-recipients:;",
                json!([{"name": "undisclosed-recipients"}]),
            ),
            (
                "us: a@b.example, c@d.example;, e@f.example",
                json!([{"email": "a@b.example"}, {"email": "c@d.example"}, {"email": "e@f.example"}]),
            ),
            ("Ann", json!([{"name": "Ann"}])),
            ("", Value::Null),
        ];
        for (text, expected) in table {
            assert_eq!(to(text), expected, "{text}");
        }
    }
}
