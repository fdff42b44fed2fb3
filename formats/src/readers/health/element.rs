//! One tag: the name and the attributes of an element.

use std::borrow::Cow;

use quick_xml::escape::unescape;
use quick_xml::events::BytesStart;

use crate::entry::quoted;

/// An element's tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HealthElement {
    pub name: String,
    pub line: u64,
    attributes: Vec<(String, String)>,
    /// Nothing stands within it, so that no tag ends it.
    pub is_empty: bool,
}

impl HealthElement {
    /// Reads what stands between the brackets of a tag. A broken attribute breaks the element: `Err` has its name
    /// and what is wrong.
    pub(super) fn read(tag: &str, line: u64) -> Result<Self, (String, String)> {
        let (content, is_empty) = match tag.trim_end().strip_suffix('/') {
            Some(content) => (content, true),
            None => (tag, false),
        };
        let name = name_in(content);
        let fault = |reason: String| (name.to_owned(), reason);
        let mut attributes = Vec::new();
        for attribute in BytesStart::from_content(content, name.len())
            .attributes()
            .with_checks(false)
        {
            let attribute =
                attribute.map_err(|error| fault(format!("an attribute is broken: {error}")))?;
            let key = attribute.key.as_ref().to_owned();
            let value = text_of(&attribute.value)
                .map_err(|reason| fault(format!("its attribute {}: {reason}", quoted(&key))))?;
            attributes.push((key, value));
        }
        Ok(Self {
            name: name.to_owned(),
            line,
            attributes,
            is_empty,
        })
    }

    /// An attribute's value, unless it is empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let attribute = self.attributes.iter().find(|(key, _)| key == name);
        attribute
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }
}

/// The name of a tag, as far as it has one.
pub(super) fn name_in(tag: &str) -> &str {
    let tag = tag.trim_start_matches('/');
    let end = tag.find(|char: char| char.is_whitespace() || char == '/' || char == '>');
    tag.get(..end.unwrap_or(tag.len())).unwrap_or_default()
}

/// The text of an attribute: references to characters are replaced, control characters dropped. An entity that the file
/// defines is not resolved: the document type may be broken, or made to expand without end.
fn text_of(raw: &str) -> Result<String, String> {
    let text = match raw.contains('&') {
        true => unescape(raw).map_err(|error| format!("it cannot be read: {error}"))?,
        false => Cow::Borrowed(raw),
    };
    Ok(match text.contains(char::is_control) {
        true => text.chars().filter_map(visible).collect(),
        false => text.into_owned(),
    })
}

fn visible(char: char) -> Option<char> {
    match char {
        '\n' | '\r' | '\t' => Some(' '),
        char if char.is_control() => None,
        char => Some(char),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_as_they_are_meant() {
        let tag = "Record sourceName=\"Ann&#8217;s Watch &amp; Co\"\n version='1\u{b}0' note=\"a>b\" empty=\"\"/";
        let element = HealthElement::read(tag, 7).unwrap();
        assert_eq!((element.name.as_str(), element.is_empty), ("Record", true));
        assert_eq!(element.get("sourceName"), Some("Ann’s Watch & Co"));
        assert_eq!(element.get("version"), Some("10"));
        assert_eq!(element.get("note"), Some("a>b"));
        assert_eq!((element.get("empty"), element.get("other")), (None, None));
    }

    #[test]
    fn broken_attributes_break_their_element_by_name() {
        for tag in [
            "Record value=3",
            "Record value",
            "Record value=\"3",
            "Record name=\"&lol9;\"",
            "Record name=\"&#xFFFFFFFF;\"",
            "Record name=\"a&b\"",
        ] {
            let (name, reason) = HealthElement::read(tag, 1).unwrap_err();
            assert_eq!(name, "Record", "{tag}: {reason}");
        }
    }
}
