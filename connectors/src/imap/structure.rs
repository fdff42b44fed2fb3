//! The structure of a mail (RFC 3501 §7.4.2, `BODYSTRUCTURE`).

use super::value::ImapValue;

/// A part of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MailPart {
    /// `2.1` is the first part of the second; that of the mail itself is empty if it has parts.
    pub(super) number: String,
    /// Between its parts, if it has any.
    pub(super) boundary: Option<String>,
    pub(super) parts: Vec<MailPart>,
    /// It belongs to what a person reads.
    pub(super) is_text: bool,
    /// Its bytes as they are sent.
    pub(super) bytes: u64,
    is_base64: bool,
}

impl MailPart {
    /// Reads a structure; `None` if it is none. Values within values are bounded, and so is this.
    pub(super) fn of_value(value: &ImapValue) -> Option<Self> {
        let list = value.list()?;
        match list.first()? {
            ImapValue::List(_) => Self::of_parts(list, ""),
            _ => Self::of_leaf(list, "1"),
        }
    }

    fn of_any(value: &ImapValue, number: &str) -> Option<Self> {
        let list = value.list()?;
        match list.first()? {
            ImapValue::List(_) => Self::of_parts(list, number),
            _ => Self::of_leaf(list, number),
        }
    }

    fn of_parts(list: &[ImapValue], number: &str) -> Option<Self> {
        let is_part = |value: &&ImapValue| value.list().is_some();
        let count = list.iter().take_while(is_part).count();
        let mut parts = Vec::new();
        for (place, value) in list.iter().take(count).enumerate() {
            let number = match number {
                "" => format!("{}", place + 1),
                outer => format!("{outer}.{}", place + 1),
            };
            parts.push(Self::of_any(value, &number)?);
        }
        let boundary = parameter(list.get(count + 1)?, "BOUNDARY")?;
        let is_boundary = !boundary.is_empty() && !boundary.contains(['\r', '\n']);
        is_boundary.then(|| Self {
            number: number.to_owned(),
            boundary: Some(boundary),
            parts,
            ..Self::default()
        })
    }

    /// `("TEXT" "PLAIN" (…) id description "BASE64" 1234 …)`.
    fn of_leaf(list: &[ImapValue], number: &str) -> Option<Self> {
        let [kind, _, parameters, _, _, encoding, bytes, rest @ ..] = list else {
            return None;
        };
        let is_attached = rest.iter().filter_map(ImapValue::list).any(|list| {
            let name = list.first().and_then(ImapValue::string);
            name.is_some_and(|name| name.eq_ignore_ascii_case("ATTACHMENT"))
        });
        let is_named = parameter(parameters, "NAME").is_some();
        let is_text = kind.string()?.eq_ignore_ascii_case("TEXT");
        Some(Self {
            number: number.to_owned(),
            is_text: is_text && !is_attached && !is_named,
            bytes: bytes.number()?,
            is_base64: encoding
                .string()
                .is_some_and(|name| name.eq_ignore_ascii_case("BASE64")),
            ..Self::default()
        })
    }

    /// How many bytes it stands for: base64 has four characters for three, and a line end for each 76.
    pub(super) const fn content_bytes(&self) -> u64 {
        match self.is_base64 {
            true => self.bytes.saturating_sub(self.bytes / 78 * 2) / 4 * 3,
            false => self.bytes,
        }
    }

    /// The parts that have no parts.
    pub(super) fn leaves(&self) -> Vec<&Self> {
        match self.boundary {
            None => vec![self],
            Some(_) => self.parts.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// The numbers of all that have a header of their own.
    pub(super) fn numbers(&self) -> Vec<String> {
        let own = self.parts.iter().flat_map(|part| {
            let inner = part.numbers();
            std::iter::once(part.number.clone()).chain(inner)
        });
        own.collect()
    }
}

fn parameter(list: &ImapValue, name: &str) -> Option<String> {
    let mut pairs = list.list()?.chunks_exact(2);
    let found = pairs.find_map(|pair| match pair {
        [own, value] if own.string()?.eq_ignore_ascii_case(name) => Some(value),
        _ => None,
    });
    found?.string()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::super::value::parse_values;
    use super::*;

    fn structure(text: &'static str) -> Option<MailPart> {
        MailPart::of_value(parse_values(&Bytes::from_static(text.as_bytes()))?.first()?)
    }

    #[test]
    fn parts_are_numbered_and_told_apart() {
        let mail = structure(
            "(((\"text\" \"plain\" NIL NIL NIL \"7bit\" 12 1 NIL NIL NIL NIL)\
             (\"text\" \"html\" NIL NIL NIL \"7bit\" 30 1 NIL NIL NIL NIL) \"alternative\" (\"boundary\" \"i\") NIL NIL NIL)\
             (\"application\" \"pdf\" (\"name\" \"a.pdf\") NIL NIL \"base64\" 7800 NIL (\"attachment\" NIL) NIL NIL)\
             (\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1 NIL (\"attachment\" NIL) NIL NIL) \
             \"mixed\" (\"charset\" \"x\" \"boundary\" \"o\") NIL NIL NIL)",
        )
        .unwrap();
        assert_eq!(mail.numbers(), ["1", "1.1", "1.2", "2", "3"]);
        let leaves = mail.leaves();
        let told: Vec<_> = leaves
            .iter()
            .map(|leaf| (leaf.number.as_str(), leaf.is_text))
            .collect();
        assert_eq!(
            told,
            [("1.1", true), ("1.2", true), ("2", false), ("3", false)]
        );
        assert_eq!(leaves[2].content_bytes(), 5700);
        let single = structure("(\"text\" \"plain\" NIL NIL NIL \"8bit\" 12 1)").unwrap();
        assert!(single.numbers().is_empty() && single.leaves()[0].number == "1");
    }

    #[test]
    fn what_is_none_is_none() {
        for none in [
            "NIL",
            "()",
            "(())",
            "((\"text\" \"plain\") \"mixed\")",
            "(\"text\")",
        ] {
            assert_eq!(structure(none), None, "{none}");
        }
    }
}
