//! `mail.mbox`, in the form that can be read back exactly (mboxrd): every message as it came, where it was kept whole, else one
//! made of what is stored of it (`rebuilt.rs`).
//!
//! Read, answered, flagged and draft are written before the header as `Status` and `X-Status`, as mail programs do, unless the
//! message has such headers already.

mod rebuilt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::DateTime;
use serde_json::Value;
use sextant_actors::domain::Sector;

use super::ExportRequest;
use super::document::{Document, Section, instant, text};

pub(super) const DOCUMENT: Document = Document {
    name: "mail.mbox",
    sector: Sector::Mail,
    head: |_| Vec::new(),
    sections: &[Section {
        sql: include_str!("../../sql/statements/export/messages.sql"),
        write,
    }],
    foot: "",
};

/// The sender in the separator line when none is known.
const UNKNOWN_SENDER: &str = "MAILER-DAEMON";
/// Headers that mail programs use for a message's status.
const STATUS_HEADERS: [&[u8]; 4] = [
    b"status:",
    b"x-status:",
    b"x-mozilla-status:",
    b"x-gmail-labels:",
];
const FROM: &[u8] = b"From ";

fn write(row: &Value, _: &ExportRequest, out: &mut Vec<u8>) {
    let message = whole_message(row).unwrap_or_else(|| rebuilt::message(row));
    write_separator(row, out);
    if !has_status_headers(&message) {
        write_status(row, out);
    }
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        if line
            .get(quotes..)
            .is_some_and(|rest| rest.starts_with(FROM))
        {
            out.push(b'>');
        }
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// The original message, if it was stored untruncated; otherwise it is rebuilt.
fn whole_message(row: &Value) -> Option<Vec<u8>> {
    let raw = row.get("raw")?;
    if raw.get("truncated").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    if let Some(message) = text(raw, "message") {
        return Some(message.as_bytes().to_vec());
    }
    let bytes = STANDARD.decode(text(raw, "message_base64")?).ok()?;
    Some(bytes).filter(|bytes| !bytes.is_empty())
}

/// The line that begins a message (RFC 4155), with the time in UTC.
fn write_separator(row: &Value, out: &mut Vec<u8>) {
    let is_plain = |address: &&str| address.chars().all(|letter| letter.is_ascii_graphic());
    let sender = text(row, "from_email")
        .filter(is_plain)
        .unwrap_or(UNKNOWN_SENDER);
    let at = instant(row, "received_at").or_else(|| instant(row, "sent_at"));
    let at = at
        .unwrap_or(DateTime::UNIX_EPOCH)
        .format("%a %b %e %H:%M:%S %Y");
    out.extend_from_slice(format!("From {sender} {at}\n").as_bytes());
}

fn has_status_headers(message: &[u8]) -> bool {
    let lines = message.split(|byte| *byte == b'\n');
    let mut lines_of_header = lines.take_while(|line| !line.trim_ascii().is_empty());
    lines_of_header.any(|line| {
        STATUS_HEADERS.iter().any(|header| {
            line.get(..header.len())
                .is_some_and(|name| name.eq_ignore_ascii_case(header))
        })
    })
}

fn write_status(row: &Value, out: &mut Vec<u8>) {
    let is = |name: &str| row.get(name).and_then(Value::as_bool);
    if let Some(is_read) = is("is_read") {
        let status = if is_read {
            "Status: RO\n"
        } else {
            "Status: O\n"
        };
        out.extend_from_slice(status.as_bytes());
    }
    let letters: String = [("is_answered", 'A'), ("is_flagged", 'F'), ("is_draft", 'T')]
        .into_iter()
        .filter(|(name, _)| is(name) == Some(true))
        .map(|(_, letter)| letter)
        .collect();
    if !letters.is_empty() {
        out.extend_from_slice(format!("X-Status: {letters}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(row: &Value) -> String {
        let request = ExportRequest {
            sector: None,
            zone: chrono_tz::UTC,
            now: DateTime::UNIX_EPOCH,
        };
        let mut out = Vec::new();
        write(row, &request, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_kept_message_is_quoted_so_that_it_can_be_read_back() {
        let row = json!({
            "raw": { "message": "Subject: a\r\n\r\nFrom here\r\n>From there\r\nfrom\r\n" },
            "from_email": "a@example.org", "received_at": "2026-11-01T06:44:56+00:00", "is_read": true, "is_flagged": true,
        });
        assert_eq!(
            written(&row),
            "From a@example.org Sun Nov  1 06:44:56 2026\nStatus: RO\nX-Status: F\nSubject: a\n\n>From here\n>>From there\nfrom\n\n"
        );
    }

    #[test]
    fn what_a_message_says_of_itself_is_not_said_twice_and_a_cut_one_is_made_anew() {
        let row = json!({ "raw": { "message_base64": "U3RhdHVzOiBSCgp4" }, "is_read": true });
        assert!(
            written(&row).ends_with(" 1970\nStatus: R\n\nx\n\n"),
            "{}",
            written(&row)
        );
        let row =
            json!({ "raw": { "message": "Subject: cut", "truncated": true }, "subject": "whole" });
        assert!(
            written(&row).contains("Subject: whole\n"),
            "{}",
            written(&row)
        );
    }
}
