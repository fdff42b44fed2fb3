//! Rebuilds a message from the columns of its row: the header with non-ASCII text encoded (RFC 2047), the text, and the HTML if it is
//! stored. Attachments are not stored, and so left out.

use mail_builder::headers::Header;
use mail_builder::headers::address::Address;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::date::Date;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::text::Text;
use mail_builder::mime::MimePart;
use serde_json::Value;

use crate::export::document::{instant, list, text, texts};

/// The whole message, with lines ended by CRLF.
pub(super) fn message(row: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write_people(row, &mut out);
    if let Some(subject) = text(row, "subject") {
        write_header_line("Subject", &Text::new(one_line(subject)), &mut out);
    }
    if let Some(at) = instant(row, "sent_at").or_else(|| instant(row, "received_at")) {
        write_header_line("Date", &Date::new(at.timestamp()), &mut out);
    }
    write_ids(row, &mut out);
    for (name, member) in [("List-Id", "list_id"), ("Importance", "importance")] {
        if let Some(value) = text(row, member) {
            write_header_line(name, &Text::new(one_line(value)), &mut out);
        }
    }
    out.extend_from_slice(b"MIME-Version: 1.0\r\n");
    body(row).write_part(&mut out);
    out
}

fn write_people(row: &Value, out: &mut Vec<u8>) {
    let from = address(text(row, "from_name"), text(row, "from_email"));
    let sender = row.get("sender").and_then(person);
    for (name, one) in [("From", from), ("Sender", sender)] {
        if let Some(one) = one {
            write_header_line(name, &one, out);
        }
    }
    for (name, member) in [
        ("Reply-To", "reply_to"),
        ("To", "to"),
        ("Cc", "cc"),
        ("Bcc", "bcc"),
    ] {
        let people: Vec<Address<'_>> = list(row, member).filter_map(person).collect();
        if !people.is_empty() {
            write_header_line(name, &Address::new_list(people), out);
        }
    }
}

fn person(value: &Value) -> Option<Address<'static>> {
    address(text(value, "name"), text(value, "email"))
}

fn address(name: Option<&str>, email: Option<&str>) -> Option<Address<'static>> {
    if name.is_none() && email.is_none() {
        return None;
    }
    // Somebody may be known by name alone.
    let email: String = email
        .unwrap_or_default()
        .chars()
        .filter(|letter| is_of_address(*letter))
        .collect();
    Some(Address::new_address(name.map(one_line), email))
}

fn is_of_address(letter: char) -> bool {
    !letter.is_control() && !letter.is_whitespace() && !matches!(letter, '<' | '>')
}

/// Writes Message-ID, In-Reply-To and References; References begins with the thread's first message.
fn write_ids(row: &Value, out: &mut Vec<u8>) {
    let own = text(row, "message_id").map(id);
    let answered: Vec<String> = texts(row, "in_reply_to")
        .map(id)
        .filter(|id| !id.is_empty())
        .collect();
    if let Some(own) = own.clone().filter(|own| !own.is_empty()) {
        write_header_line("Message-ID", &MessageId::new(own), out);
    }
    if !answered.is_empty() {
        write_header_line(
            "In-Reply-To",
            &MessageId::new_list(answered.clone().into_iter()),
            out,
        );
    }
    let root = text(row, "thread_id")
        .map(id)
        .filter(|root| root.contains('@') && own.as_ref() != Some(root));
    let mut references: Vec<String> = root.into_iter().chain(answered).collect();
    references.dedup();
    if !references.is_empty() {
        write_header_line(
            "References",
            &MessageId::new_list(references.into_iter()),
            out,
        );
    }
}

fn id(written: &str) -> String {
    written
        .chars()
        .filter(|letter| is_of_address(*letter))
        .collect()
}

fn body(row: &Value) -> MimePart<'static> {
    let part = |kind: &'static str, member: &str| {
        text(row, member).map(|text| MimePart::new(kind, text.to_owned()))
    };
    let plain = part("text/plain", "body_text");
    match (plain, part("text/html", "body_html")) {
        (Some(plain), Some(html)) => {
            // The same for each export, and not guessable by the author of a text. Every row has an id; without one the boundary would
            // still be valid.
            let boundary = format!("sextant-{}", text(row, "id").unwrap_or_default());
            let kind = ContentType::new("multipart/alternative").attribute("boundary", boundary);
            MimePart::new(kind, vec![plain, html])
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => MimePart::new("text/plain", String::new()),
    }
}

fn write_header_line(name: &str, value: &impl Header, out: &mut Vec<u8>) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    value.write_header(out, name.len() + 2);
}

/// Control characters, which could end a header line, become spaces.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}
