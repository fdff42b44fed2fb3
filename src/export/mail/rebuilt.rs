//! A message made of what is stored of one: its header with what is not ASCII encoded (RFC 2047), its text, and its HTML
//! where that was kept. What was attached is not stored, and so not here.

use mail_builder::headers::Header;
use mail_builder::headers::address::Address;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::date::Date;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::text::Text;
use mail_builder::mime::MimePart;
use serde_json::Value;

use crate::export::document::{instant, list, text, texts};

pub fn message(row: &Value) -> Vec<u8> {
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

/// Its own id, what it answers, and before that what began the conversation.
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
            // The same each time, and known to nobody who wrote a text.
            // A row has its id; a boundary without one would be valid too.
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

/// What would end a header line is a space in it.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}
