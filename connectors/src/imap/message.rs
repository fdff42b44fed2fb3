//! A mail as a record of `mail.messages`: as a file of it would be imported, with the server's word on flags and place.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::SecondsFormat;
use serde_json::Value;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use super::place::{MESSAGES, MailPlace};
use super::requests::MailMarks;
use crate::round::{SkippedItem, SourceItem, SourceRecord};

/// The bytes of a mail, and whether they are all of it.
pub(super) struct MailBytes {
    pub(super) bytes: Vec<u8>,
    /// Its text was cut.
    pub(super) is_text_cut: bool,
    /// The sizes of its attachments, where these were left out.
    pub(super) left_out: Option<Vec<(String, u64)>>,
}

impl MailBytes {
    /// All of a mail.
    pub(super) fn whole(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            is_text_cut: false,
            left_out: None,
        }
    }
}

impl MailPlace {
    /// A mail as it is now, or why it is left out. A parser that panics takes no other mail with it.
    pub(super) fn item(
        &self,
        marks: &MailMarks,
        mail: MailBytes,
    ) -> Result<SourceItem, SkippedItem> {
        let read = catch_unwind(AssertUnwindSafe(|| read_mail(&mail.bytes)));
        let mut fields = read
            .unwrap_or(Err("the mail cannot be read"))
            .map_err(|reason| self.skip(marks.uid, reason))?;
        mark_left_out(&mut fields, &mail);
        // Its id in a file: here the place is its id.
        fields.remove("id");
        fields.remove("mailbox");
        fields.insert("mailbox_id".to_owned(), Value::from(self.mailbox.as_str()));
        fields.insert("size".to_owned(), Value::from(marks.size));
        if let Some(at) = marks.at {
            let at = Value::from(at.to_rfc3339_opts(SecondsFormat::Secs, true));
            fields.entry("received_at").or_insert(at);
        }
        fields.extend(marks.flags.fields());
        Ok(SourceItem {
            key: self.key(marks.uid),
            version: marks.flags.version(),
            at: marks.at,
            holds: None,
            records: vec![SourceRecord {
                target: MESSAGES,
                source_id: self.source_id(marks.uid),
                fields,
            }],
        })
    }
}

/// The mail as a file of it. Its reasons for refusing are sentences, but may repeat words of the mail: they are not passed on.
fn read_mail(bytes: &[u8]) -> Result<RecordFields, &'static str> {
    let source = FileSource::Bytes {
        name: "message.eml".to_owned(),
        bytes: without_from_line(bytes).into(),
    };
    let reader = FileReader::new(Options::default());
    let mut entries = reader
        .entries(&source)
        .map_err(|_| "the mail is empty or none")?;
    match entries.next() {
        Some(Ok(FileEntry::Record { fields, .. })) => Ok(fields),
        _ => Err("the mail cannot be read"),
    }
}

/// A first line `From …` is that of a mailbox file (RFC 4155), in which servers keep mails, and none of the mail's own.
fn without_from_line(bytes: &[u8]) -> &[u8] {
    if !bytes.starts_with(b"From ") {
        return bytes;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n');
    end.and_then(|end| bytes.get(end + 1..)).unwrap_or_default()
}

/// Says of a mail that it is not all there, as an import says it.
fn mark_left_out(fields: &mut RecordFields, mail: &MailBytes) {
    if mail.is_text_cut {
        fields.insert("body_truncated".to_owned(), Value::from(true));
    }
    let Some(left_out) = &mail.left_out else {
        return;
    };
    if let Some(Value::Object(raw)) = fields.get_mut("raw") {
        raw.insert("truncated".to_owned(), Value::from(true));
    }
    let Some(Value::Array(attachments)) = fields.get_mut("attachments") else {
        return;
    };
    for attachment in attachments.iter_mut().filter_map(Value::as_object_mut) {
        let part = attachment.get("part_id").and_then(Value::as_str);
        let size = left_out.iter().find(|(own, _)| Some(own.as_str()) == part);
        if let Some((_, size)) = size {
            attachment.insert("size".to_owned(), Value::from(*size));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imap::flags::MailFlags;

    fn item(bytes: &[u8]) -> Result<SourceItem, SkippedItem> {
        let place = MailPlace {
            mailbox: "INBOX".to_owned(),
            uid_validity: 7,
        };
        let marks = MailMarks {
            uid: 9,
            flags: MailFlags::default(),
            at: chrono::DateTime::from_timestamp(1_794_000_000, 0),
            size: 12,
        };
        place.item(&marks, MailBytes::whole(bytes))
    }

    #[test]
    fn the_servers_word_wins_over_the_mails() {
        let text = b"From me\r\nSubject: Hi\r\nStatus: RO\r\nX-Gmail-Labels: Inbox\r\n\r\nText\r\n";
        let item = item(text).unwrap();
        let [record] = item.records.as_slice() else {
            panic!("one row");
        };
        assert_eq!(
            (item.key.as_str(), item.version.as_str()),
            ("7:9", "flags:")
        );
        assert_eq!(record.source_id, "INBOX;UIDVALIDITY=7/;UID=9");
        let fields = &record.fields;
        assert_eq!(
            (&fields["is_read"], &fields["size"]),
            (&Value::from(false), &Value::from(12))
        );
        assert_eq!(fields["mailbox_id"], "INBOX");
        assert_eq!(fields["received_at"], "2026-11-06T21:20:00Z");
        assert!(!fields.contains_key("id") && !fields.contains_key("mailbox"));
    }

    #[test]
    fn what_is_no_mail_is_left_out_without_its_words() {
        for none in [&b""[..], b"\0\0secret", b"secret", b"From secret"] {
            let skipped = item(none).unwrap_err();
            assert!(skipped.key == "7:9" && !skipped.reason.contains("secret"));
        }
    }
}
