//! The header of a mail (RFC 5322), written from what Graph says of it, for the reader of files.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::DateTime;

use super::object::{GraphObject, inner, objects, text};

/// Headers that are passed on as they came: those that Graph has no property for.
const AS_THEY_CAME: [&str; 14] = [
    "in-reply-to",
    "references",
    "list-id",
    "return-path",
    "delivered-to",
    "list-unsubscribe",
    "auto-submitted",
    "precedence",
    "organization",
    "user-agent",
    "x-mailer",
    "resent-from",
    "resent-to",
    "resent-date",
];

/// Characters of one encoded word: at most 75 bytes of it (RFC 2047 §2).
const WORD_CHARACTERS: usize = 10;

/// The header, without the empty line that ends it.
pub(super) fn header(message: &GraphObject) -> String {
    let mut lines = vec!["MIME-Version: 1.0".to_owned()];
    let mut add = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("{name}: {value}")));
    };
    let id = text(message, "internetMessageId");
    add("Message-ID", id.map(one_line));
    add("Subject", text(message, "subject").map(encoded));
    let from = inner(message, "from").and_then(mailbox);
    let sender = inner(message, "sender").and_then(mailbox);
    add(
        "Sender",
        sender.filter(|sender| Some(sender) != from.as_ref()),
    );
    add("From", from);
    for (name, list) in [
        ("To", "toRecipients"),
        ("Cc", "ccRecipients"),
        ("Bcc", "bccRecipients"),
        ("Reply-To", "replyTo"),
    ] {
        let people: Vec<_> = objects(message, list).filter_map(mailbox).collect();
        add(name, (!people.is_empty()).then(|| people.join(",\r\n ")));
    }
    let sent =
        text(message, "sentDateTime").and_then(|sent| DateTime::parse_from_rfc3339(sent).ok());
    add("Date", sent.map(|sent| sent.to_rfc2822()));
    let importance = text(message, "importance").filter(|importance| *importance != "normal");
    add("Importance", importance.map(one_line));
    for header in objects(message, "internetMessageHeaders") {
        let name = text(header, "name").unwrap_or_default();
        if AS_THEY_CAME.contains(&name.to_ascii_lowercase().as_str()) {
            add(name, text(header, "value").map(one_line));
        }
    }
    lines.join("\r\n")
}

/// A person of Graph, as an address header has it.
fn mailbox(recipient: &GraphObject) -> Option<String> {
    let address = inner(recipient, "emailAddress")?;
    let name = text(address, "name").map(encoded);
    let address = text(address, "address").map(|address| {
        let is_kept = |letter: &char| !letter.is_whitespace() && !"<>,;\"".contains(*letter);
        address.chars().filter(is_kept).collect::<String>()
    });
    match (name, address) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (None, Some(address)) => Some(format!("<{address}>")),
        (name, None) => name,
    }
}

/// A text as encoded words, so that no letter of it means something in a header.
fn encoded(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let words = letters.chunks(WORD_CHARACTERS).map(|letters| {
        let word = letters.iter().collect::<String>();
        format!("=?utf-8?B?{}?=", BASE64_STANDARD.encode(word))
    });
    words.collect::<Vec<_>>().join("\r\n ")
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split(char::is_control).collect();
    words.join(" ").trim().to_owned()
}
