//! What is attached to a message: names, types and sizes, never contents.

use mail_parser::{ContentType, Message, MessagePart, MimeHeaders, PartType};
use serde_json::{Map, Value};

use super::body::missing_of;
use super::held_message::HeldMessage;
use super::problems::Problems;
use super::shape;

/// The most attachments of one message that are stored.
pub(super) const ATTACHMENTS_MAX: usize = 1_000;
/// The longest name that is stored.
const NAME_CHARACTERS_MAX: usize = 1_000;
/// The longest section number that is stored.
const SECTION_BYTES_MAX: usize = 100;
/// Signatures are attached, but are not what a person calls an attachment.
const SIGNATURES: [&str; 3] = [
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "application/pgp-signature",
];

#[derive(Debug, Default)]
pub(super) struct Attachments {
    /// Records of `mail.attachments`, to be nested in the message.
    pub list: Vec<Value>,
    /// Whether there is one that a person would call so.
    pub has_any: bool,
}

impl Attachments {
    pub(super) fn new(message: &Message<'_>, held: &HeldMessage, problems: &mut Problems) -> Self {
        problems.limit("attachments", message.attachments.len(), ATTACHMENTS_MAX);
        let sections = sections(message);
        let mut attachments = Self::default();
        for id in message.attachments.iter().take(ATTACHMENTS_MAX) {
            let index = *id as usize;
            if let (Some(part), Some(section)) = (message.parts.get(index), sections.get(index)) {
                attachments.add(part, section, held, problems);
            }
        }
        attachments
    }

    fn add(
        &mut self,
        part: &MessagePart<'_>,
        section: &str,
        held: &HeldMessage,
        problems: &mut Problems,
    ) {
        let kind = part
            .content_type()
            .map_or_else(|| default_type(part), type_of);
        let name = part.attachment_name().map(str::trim);
        let is_inline = is_inline(part, name.is_some(), &kind);
        let size = part.contents().len() as u64 + missing_of(part, held);
        self.has_any |= !is_inline && !SIGNATURES.contains(&kind.as_str());
        let name = name.map(|name| {
            let cut = problems.cut("the name of an attachment", name, NAME_CHARACTERS_MAX);
            shape::restore(cut)
        });
        let fields = [
            ("part_id", Some(Value::from(section))),
            (
                "filename",
                name.filter(|name| !name.is_empty()).map(Value::from),
            ),
            ("content_type", Some(Value::from(kind))),
            ("size", Some(Value::from(size))),
            ("content_id", part.content_id().map(Value::from)),
            ("is_inline", Some(Value::from(is_inline))),
        ];
        let fields = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        self.list.push(Value::Object(fields.collect::<Map<_, _>>()));
    }
}

/// The number of each part in the way of IMAP (RFC 9051 §6.4.5.1): `2.1` is the first part of the second.
fn sections(message: &Message<'_>) -> Vec<String> {
    let mut sections = vec![String::new(); message.parts.len()];
    for (index, part) in message.parts.iter().enumerate() {
        let PartType::Multipart(children) = &part.body else {
            continue;
        };
        let own = sections.get(index).cloned().unwrap_or_default();
        for (ordinal, child) in children.iter().enumerate() {
            let child = *child as usize;
            if let Some(section) = sections.get_mut(child).filter(|_| child > index) {
                *section = match own.as_str() {
                    "" => format!("{}", ordinal + 1),
                    own if own.len() > SECTION_BYTES_MAX => format!("part {child}"),
                    own => format!("{own}.{}", ordinal + 1),
                };
            }
        }
    }
    for (index, section) in sections
        .iter_mut()
        .enumerate()
        .filter(|(_, section)| section.is_empty())
    {
        *section = match index {
            0 => "1".to_owned(),
            index => format!("part {index}"),
        };
    }
    sections
}

fn type_of(kind: &ContentType<'_>) -> String {
    let written = match kind.subtype() {
        Some(subtype) => format!("{}/{subtype}", kind.ctype()),
        None => kind.ctype().to_owned(),
    };
    shape::restore(written.to_ascii_lowercase())
}

fn default_type(part: &MessagePart<'_>) -> String {
    match part.is_text() {
        true => "text/plain".to_owned(),
        false => "application/octet-stream".to_owned(),
    }
}

/// Whether it is shown within the text: an image that the text refers to, or one without a name of its own.
/// Apple Mail calls each attachment inline; a document with a name is none the less one.
fn is_inline(part: &MessagePart<'_>, is_named: bool, kind: &str) -> bool {
    let disposition = part.content_disposition();
    if disposition.is_some_and(ContentType::is_attachment) {
        return false;
    }
    let is_declared_inline = disposition.is_some_and(ContentType::is_inline);
    let is_shown = kind.starts_with("image/") || kind.starts_with("text/");
    is_shown && (part.content_id().is_some() || is_declared_inline && !is_named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;
    use serde_json::json;

    const MESSAGE: &str = "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: multipart/related; boundary=r\r\n\r\n\
--r\r\nContent-Type: text/html\r\n\r\n<img src=cid:i>\r\n--r\r\nContent-Type: image/png; name=i.png\r\nContent-ID: <i>\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\n--r--\r\n\
--m\r\nContent-Type: application/pdf\r\nContent-Disposition: inline; filename*=UTF-8''na%C3%AFve.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJDRA==\r\n\
--m\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--m--\r\n";

    #[test]
    fn parts_are_numbered_and_what_is_shown_in_the_text_is_told_apart() {
        let message = MessageParser::default().parse(MESSAGE.as_bytes()).unwrap();
        let attachments =
            Attachments::new(&message, &HeldMessage::default(), &mut Problems::default());
        let expected = json!([
            {"part_id": "1.2", "filename": "i.png", "content_type": "image/png", "size": 3, "content_id": "i", "is_inline": true},
            {"part_id": "2", "filename": "naïve.pdf", "content_type": "application/pdf", "size": 4, "is_inline": false},
            {"part_id": "3", "content_type": "application/pgp-signature", "size": 1, "is_inline": false},
        ]);
        assert_eq!(Value::Array(attachments.list), expected);
        assert!(attachments.has_any);
        let signed = MESSAGE.replace("application/pdf", "application/pgp-signature");
        let message = MessageParser::default().parse(signed.as_bytes()).unwrap();
        assert!(
            !Attachments::new(&message, &HeldMessage::default(), &mut Problems::default()).has_any
        );
    }
}
