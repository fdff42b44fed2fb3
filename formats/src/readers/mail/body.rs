//! The text of a message: what a person would read of it, and its beginning.

use std::borrow::Cow;

use encoding_rs::Encoding as Charset;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessagePart, MimeHeaders, PartType};

use super::held_message::HeldMessage;
use super::shape;
use crate::html;
use crate::text::decode;

/// The longest text that is stored, in bytes.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Characters that the searchable fields of a message may have together: more, and the store refuses it.
pub(super) const SEARCHABLE_CHARACTERS_MAX: usize = 200_000;
const PREVIEW_CHARACTERS: usize = 256;

/// A message's text, cut to what can be stored.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct MessageBody {
    /// What is seen; before it stands how much is hidden, if anything is.
    pub text: Option<String>,
    pub is_truncated: bool,
    /// Bytes before what is seen.
    mark_bytes: usize,
}

/// The text of some parts, put together.
#[derive(Default)]
struct Joined {
    text: String,
    /// Characters that are not shown.
    hidden: usize,
    is_cut: bool,
}

impl MessageBody {
    /// `characters_max` is what the other searchable fields have left for it.
    pub(super) fn new(message: &Message<'_>, held: &HeldMessage, characters_max: usize) -> Self {
        let stray = stray_texts(message);
        let joined = [&message.text_body, &message.html_body, &stray]
            .into_iter()
            .map(|parts| join_parts(message, parts))
            .find(|joined| joined.hidden > 0 || !joined.text.trim().is_empty())
            .unwrap_or_default();
        let mark = html::mark(joined.hidden).map_or_else(String::new, |mark| mark + "\n");
        let mark_bytes = mark.len();
        let whole = mark + &shape::restore(joined.text);
        let cut = cut(whole.trim_end(), characters_max);
        let is_missing = message
            .text_bodies()
            .any(|part| missing_of(part, held) > 0 && part.is_text());
        Self {
            is_truncated: cut.len() < whole.trim_end().len() || is_missing || joined.is_cut,
            text: (!cut.trim().is_empty()).then(|| cut.to_owned()),
            mark_bytes,
        }
    }

    /// The first characters, in one line.
    pub(super) fn preview(&self) -> Option<String> {
        let mut preview = String::new();
        let seen = self.text.as_deref()?.get(self.mark_bytes..)?;
        for word in seen.split_whitespace() {
            if preview.len() > PREVIEW_CHARACTERS * char::MAX.len_utf8() {
                break;
            }
            if !preview.is_empty() {
                preview.push(' ');
            }
            preview.push_str(word);
        }
        let preview: String = preview.chars().take(PREVIEW_CHARACTERS).collect();
        (!preview.is_empty()).then_some(preview)
    }
}

/// Content of a part that was not held.
pub(super) fn missing_of(part: &MessagePart<'_>, held: &HeldMessage) -> u64 {
    held.missing_between(part.offset_body as usize, part.offset_end as usize)
}

/// Texts without a name that the parser took for attachments: of a message whose parts do not end as they should,
/// they are what is left of its text.
fn stray_texts(message: &Message<'_>) -> Vec<u32> {
    let is_stray = |part: &MessagePart<'_>| {
        let is_attached = part
            .content_disposition()
            .is_some_and(|disposition| disposition.is_attachment());
        part.is_text() && !is_attached && part.attachment_name().is_none()
    };
    let ids = message.attachments.iter().copied();
    ids.filter(|id| message.part(*id).is_some_and(is_stray))
        .collect()
}

fn join_parts(message: &Message<'_>, parts: &[u32]) -> Joined {
    let mut whole = String::new();
    let (mut hidden, mut is_cut) = (0, false);
    for part in parts.iter().filter_map(|id| message.part(*id)) {
        let text = match &part.body {
            PartType::Text(text) => correct_charset(message, part, text),
            PartType::Html(html) => {
                let seen = html::read(&correct_charset(message, part, html));
                hidden += seen.hidden;
                is_cut |= seen.is_cut;
                seen.text.into()
            }
            _ => continue,
        };
        let text = text.trim_matches(['\r', '\n']);
        if !whole.is_empty() && !text.is_empty() {
            whole.push_str("\n\n");
        }
        // Twice, since line ends become shorter; the rest of a long text is not copied.
        let end = text.floor_char_boundary(text.len().min(2 * TEXT_BYTES_MAX));
        whole.push_str(text.get(..end).unwrap_or_default());
        if whole.len() > TEXT_BYTES_MAX {
            break;
        }
    }
    Joined {
        text: whole.replace("\r\n", "\n"),
        hidden,
        is_cut,
    }
}

/// A text whose bytes are not in the charset that it names, or that names none, in the one it is most likely in.
fn correct_charset<'a>(
    message: &'a Message<'_>,
    part: &'a MessagePart<'_>,
    text: &'a str,
) -> Cow<'a, str> {
    if !text.contains(char::REPLACEMENT_CHARACTER) {
        return Cow::Borrowed(text);
    }
    let range = part.offset_body as usize..part.offset_end as usize;
    let encoded = message.raw_message.get(range).unwrap_or_default();
    let bytes = match part.encoding {
        Encoding::None => Some(encoded.to_vec()),
        Encoding::QuotedPrintable => quoted_printable_decode(encoded),
        Encoding::Base64 => base64_decode(encoded),
    };
    let declared = part
        .content_type()
        .and_then(|kind| kind.attribute("charset"))
        .and_then(|name| Charset::for_label(name.as_bytes()));
    match bytes {
        Some(bytes) => Cow::Owned(decode(&bytes, declared)),
        None => Cow::Borrowed(text),
    }
}

fn cut(text: &str, characters_max: usize) -> &str {
    let by_characters = text.char_indices().nth(characters_max);
    let end = by_characters.map_or(text.len(), |(at, _)| at);
    let end = text.floor_char_boundary(end.min(TEXT_BYTES_MAX));
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    fn body(text: impl AsRef<[u8]>) -> MessageBody {
        let message = MessageParser::default().parse(text.as_ref()).unwrap();
        MessageBody::new(&message, &HeldMessage::default(), SEARCHABLE_CHARACTERS_MAX)
    }

    #[test]
    fn text_is_cut_by_bytes_and_by_characters() {
        for (letter, kept) in [("a", SEARCHABLE_CHARACTERS_MAX), ("日", TEXT_BYTES_MAX / 3)] {
            let body = body(format!("A: 1\n\n{}", letter.repeat(TEXT_BYTES_MAX)));
            assert_eq!(body.text.as_deref().unwrap().chars().count(), kept);
            assert!(body.is_truncated);
            assert_eq!(body.preview().unwrap().chars().count(), PREVIEW_CHARACTERS);
        }
    }

    #[test]
    fn a_charset_that_lies_is_seen_through() {
        let table: [(&[u8], &str); 4] = [
            (b"A: 1\n\ncaf\xE9", "café"),
            (b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9", "café"),
            (b"Content-Type: text/plain; charset=klingon\nContent-Transfer-Encoding: base64\n\nY2Fm6Q==", "café"),
            (b"Content-Type: text/plain; charset=gb2312\n\n\xC4\xE3\xBA\xC3", "你好"),
        ];
        for (text, expected) in table {
            assert_eq!(body(text).text.as_deref(), Some(expected));
        }
    }

    #[test]
    fn html_is_read_where_there_is_no_text() {
        let html = "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n \n--b\nContent-Type: text/html\n\n<p>Good &amp; <b>well</b></p>\n--b--\n";
        assert_eq!(body(html).text.as_deref(), Some("Good & well"));
        assert_eq!(body("A: 1\n\n \n"), MessageBody::default());
    }

    #[test]
    fn what_is_hidden_in_html_is_dropped_and_told_but_not_in_the_preview() {
        let hidden = "<div style=display:none>Ignore all</div>";
        let seen = body(format!("Content-Type: text/html\n\n{hidden}<p>Hello"));
        let expected = "[hidden text dropped: 9 characters]\nHello";
        assert_eq!(seen.text.as_deref(), Some(expected));
        assert_eq!(seen.preview().as_deref(), Some("Hello"));
        let nothing = body(format!("Content-Type: text/html\n\n{hidden}"));
        assert!(nothing.text.is_some_and(|text| text.starts_with("[hidden")));
    }
}
