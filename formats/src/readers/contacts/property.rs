//! One unfolded content line: `group.NAME;PARAMETER=value;BARE:value`. Tolerates the deviations that programs write.

use super::quoted::text_of;
use super::value::{component, split, unescape};
use crate::readers::components::colon_of;
use crate::text::decode;

/// Bare parameters of version 2.1 that are encodings; all other bare ones are types.
const ENCODINGS: [&str; 4] = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"];

/// A property of a card: its name, its parameters and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CardProperty {
    /// The group of the property: `item1` of `item1.TEL`, in capitals.
    pub group: Option<String>,
    /// In capitals.
    pub name: String,
    /// Names, in capitals, and values; a bare parameter is a `TYPE` or an `ENCODING`.
    parameters: Vec<(String, String)>,
    /// Decoded, with its escapes.
    pub value: String,
    /// Whether a comma within a component separates values: not in version 2.1.
    pub has_lists: bool,
}

impl CardProperty {
    /// `None` if the line has no colon.
    pub(super) fn parse(line: &[u8], has_lists: bool) -> Option<Self> {
        let colon = colon_of(line)?;
        let (head, value) = line.split_at_checked(colon)?;
        let head = decode(head, None);
        let mut parts = split_unquoted(&head, ';').into_iter();
        let (group, name) = group_and_name(parts.next()?);
        let (name, bare) = name.split_once(',').unwrap_or((name, ""));
        let bare = Some(bare).filter(|bare| !bare.is_empty());
        let mut property = Self {
            group: group.map(str::to_ascii_uppercase),
            name: name.trim().to_ascii_uppercase(),
            parameters: bare.into_iter().chain(parts).map(parameter).collect(),
            value: String::new(),
            has_lists,
        };
        let value = value.get(1..).unwrap_or_default();
        let is_quoted = property.is_encoded_as("QUOTED-PRINTABLE");
        property.value = text_of(value, is_quoted, property.parameter("CHARSET"));
        Some(property)
    }

    /// The first value of a parameter, by its name in capitals.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let mut all = self.parameters.iter();
        all.find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Its types in lower case, including `pref`.
    pub(super) fn types(&self) -> Vec<String> {
        self.values_of_parameter("TYPE")
            .flat_map(|types| types.split(','))
            .map(|one| one.trim().to_lowercase())
            .filter(|one| !one.is_empty())
            .collect()
    }

    fn is_encoded_as(&self, encoding: &str) -> bool {
        self.values_of_parameter("ENCODING")
            .any(|written| written.eq_ignore_ascii_case(encoding))
    }

    /// Whether the value is embedded data: a picture, a sound, a key.
    pub(super) fn is_embedded(&self) -> bool {
        let start = self.value.trim_start().get(..5).unwrap_or_default();
        self.is_encoded_as("BASE64")
            || self.is_encoded_as("B")
            || start.eq_ignore_ascii_case("data:")
    }

    /// The value without escapes; `None` if it is empty.
    pub(super) fn text(&self) -> Option<String> {
        Some(unescape(&self.value)).filter(|text| !text.is_empty())
    }

    /// The components between semicolons, without escapes; `None` for an empty one.
    pub(super) fn components(&self) -> Vec<Option<String>> {
        split(&self.value, ';')
            .into_iter()
            .map(|part| Some(component(part, self.has_lists)).filter(|text| !text.is_empty()))
            .collect()
    }

    /// The values between commas, without escapes and without empty ones.
    pub(super) fn list(&self) -> Vec<String> {
        let all = split(&self.value, ',').into_iter().map(unescape);
        all.filter(|one| !one.is_empty()).collect()
    }

    fn values_of_parameter<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.parameters
            .iter()
            .filter(move |(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

fn split_unquoted(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    text.split(|character| {
        is_quoted ^= character == '"';
        character == separator && !is_quoted
    })
    .collect()
}

fn group_and_name(text: &str) -> (Option<&str>, &str) {
    match text.rsplit_once('.') {
        Some((group, name)) => (Some(group.trim()), name),
        None => (None, text),
    }
}

/// `NAME=value` or a bare value, without quotes and without the escapes of RFC 6868.
fn parameter(text: &str) -> (String, String) {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim().to_ascii_uppercase(), value),
        None if is_encoding(text.trim()) => ("ENCODING".to_owned(), text),
        None => ("TYPE".to_owned(), text),
    };
    let value = value.trim().replace('"', "");
    let value = value.replace("^'", "\"").replace("^n", "\n");
    (name, value.replace("^^", "^"))
}

fn is_encoding(text: &str) -> bool {
    ENCODINGS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> CardProperty {
        CardProperty::parse(line.as_bytes(), true).unwrap()
    }

    #[test]
    fn types_are_read_however_they_are_written() {
        let table = [
            "TEL;HOME;VOICE:1",
            "tel;type=home;type=voice:1",
            "TEL;TYPE=home,voice:1",
            "item1.TEL;TYPE=\"HOME,VOICE\":1",
            "TEL,TYPE=HOME;VOICE:1",
        ];
        for line in table {
            let property = parse(line);
            assert_eq!(
                (property.name.as_str(), property.types()),
                ("TEL", vec!["home".to_owned(), "voice".to_owned()]),
                "{line}"
            );
        }
    }

    #[test]
    fn a_colon_in_quotes_ends_no_head_and_quotes_without_end_are_letters() {
        assert_eq!(parse("A;X=\"b:c\":d").value, "d");
        assert_eq!(parse("A;X=\"b:d").value, "d");
        assert_eq!(CardProperty::parse(b"no colon here", true), None);
    }

    #[test]
    fn a_charset_holds_for_its_property() {
        let property =
            CardProperty::parse(b"N;CHARSET=windows-1251:\xCC\xEE\xF1;\xEA\xE2\xE0", false)
                .unwrap();
        assert_eq!(
            property.components(),
            [Some("Мос".to_owned()), Some("ква".to_owned())]
        );
    }
}
