//! A message's header as a whole: whether it is one, in which charset it is, and the little that is stored of it
//! besides what has a column.

use encoding_rs::Encoding;
use mail_parser::{HeaderForm, HeaderName, HeaderValue, Message};
use serde_json::{Map, Value};

use super::held_message::HeldMessage;
use super::mail_lines::is_blank;
use super::problems::Problems;
use crate::entry::{RecordFields, put};
use crate::text::decode;

/// Headers that are stored under their own names.
const FURTHER: [&str; 11] = [
    "Return-Path",
    "Delivered-To",
    "List-Unsubscribe",
    "Auto-Submitted",
    "Precedence",
    "Organization",
    "User-Agent",
    "X-Mailer",
    "Resent-From",
    "Resent-To",
    "Resent-Date",
];
/// The longest of them.
const FURTHER_CHARACTERS_MAX: usize = 1_000;
const CHARSET: &str = "charset=";

/// Makes the header one that can be parsed: in UTF-8, as headers may be today, and ended by an empty line. Older
/// programs wrote any charset, mostly that of the text.
pub(super) fn make_readable(held: &mut HeldMessage) {
    let mut end = 0;
    let mut is_ended = false;
    for line in held.bytes.split_inclusive(|byte| *byte == b'\n') {
        if is_blank(line) {
            is_ended = true;
            break;
        }
        end += line.len();
    }
    if !is_ended {
        held.bytes.extend_from_slice(b"\r\n\r\n");
    }
    let header = held.bytes.get(..end).unwrap_or_default();
    if std::str::from_utf8(header).is_err() {
        let declared = charset_named(&String::from_utf8_lossy(header));
        let lines = header.split_inclusive(|byte| *byte == b'\n');
        let readable: Vec<u8> = lines.flat_map(|line| readable(line, declared)).collect();
        held.replace_beginning(end, &readable);
    }
}

/// What an encoded word names the charset of is left to it, even if its bytes are bare.
fn readable(line: &[u8], declared: Option<&'static Encoding>) -> Vec<u8> {
    match line.windows(2).any(|two| two == b"=?") {
        true => line.to_vec(),
        false => decode(line, declared).into_bytes(),
    }
}

fn charset_named(header: &str) -> Option<&'static Encoding> {
    let header = header.to_ascii_lowercase();
    let (_, rest) = header.split_once(CHARSET)?;
    let name = rest.trim_start_matches('"');
    let name = name
        .split(|end: char| end == '"' || end == ';' || end.is_whitespace())
        .next()?;
    Encoding::for_label(name.as_bytes())
}

/// Whether it is the header of a mail: it has one field that other files have not.
pub(super) fn is_of_mail(message: &Message<'_>) -> bool {
    message.headers().iter().any(|header| {
        matches!(
            header.name,
            HeaderName::From
                | HeaderName::To
                | HeaderName::Cc
                | HeaderName::Bcc
                | HeaderName::Subject
                | HeaderName::Date
                | HeaderName::Sender
                | HeaderName::MessageId
                | HeaderName::Received
                | HeaderName::ReturnPath
                | HeaderName::DeliveredTo
                | HeaderName::MimeVersion
                | HeaderName::ContentType
        )
    })
}

/// Adds the fields that come of single headers.
pub(super) fn add_headers(
    fields: &mut RecordFields,
    message: &Message<'_>,
    problems: &mut Problems,
) {
    let list_id =
        list_id(message).map(|written| problems.cut("List-ID", &written, FURTHER_CHARACTERS_MAX));
    put(fields, "list_id", list_id.map(Value::from));
    put(fields, "importance", importance(message).map(Value::from));
    let further: Map<_, _> = FURTHER
        .iter()
        .filter_map(|name| {
            let kept = problems.cut(name, &text(message, name)?, FURTHER_CHARACTERS_MAX);
            Some(((*name).to_owned(), Value::from(kept)))
        })
        .collect();
    put(
        fields,
        "headers",
        Some(further)
            .filter(|all| !all.is_empty())
            .map(Value::Object),
    );
}

/// What stands in angle brackets (RFC 2919), else all of it.
fn list_id(message: &Message<'_>) -> Option<String> {
    let written = text(message, "List-ID")?;
    let inner = written
        .rsplit_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
        .map(|(inner, _)| inner.trim());
    Some(
        inner
            .filter(|inner| !inner.is_empty())
            .unwrap_or(&written)
            .to_owned(),
    )
}

fn importance(message: &Message<'_>) -> Option<&'static str> {
    let written = ["Importance", "X-Priority", "X-MSMail-Priority", "Priority"]
        .iter()
        .find_map(|name| text(message, name))?;
    let written = written.to_ascii_lowercase();
    match written.split([' ', '(']).next()? {
        "high" | "urgent" | "1" | "2" => Some("high"),
        "normal" | "medium" | "3" => Some("normal"),
        "low" | "non-urgent" | "4" | "5" => Some("low"),
        _ => None,
    }
}

fn text(message: &Message<'_>, name: &'static str) -> Option<String> {
    let name = HeaderName::parse(name)?;
    let values = message.header_as(name, HeaderForm::Text);
    let text = values.first().and_then(HeaderValue::as_text)?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_in_an_old_charset_is_read() {
        let table: [(&[u8], &str); 4] = [
            (
                b"Subject: =?iso-8859-1?q?caf\xE9?=\nTo: \xE9\n\nx",
                "Subject: =?iso-8859-1?q?caf\u{fffd}?=\nTo: é\n\nx",
            ),
            (b"Subject: caf\xE9\n\nx", "Subject: café\n\nx"),
            (
                b"Subject: \xF0\xD2\nContent-Type: text/plain; charset=\"koi8-r\"\n\n\xF0",
                "Subject: Пр",
            ),
            (b"Subject: x", "Subject: x\r\n\r\n"),
        ];
        for (bytes, expected) in table {
            let mut held = HeldMessage::default();
            held.push(bytes);
            make_readable(&mut held);
            let readable = String::from_utf8_lossy(&held.bytes).into_owned();
            assert!(readable.starts_with(expected), "{readable}");
        }
    }
}
