//! A message (<https://learn.microsoft.com/graph/api/resources/message>) as a mail, and what the reader of files makes of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use super::mail_headers::header;
use super::object::{GraphObject, flag, inner, raw, text, texts};
use crate::limits::MAIL_WHOLE_BYTES_MAX;

/// Columns that tell what was done with a mail, or are Graph's to say.
const MARKS: [(&str, &str); 2] = [("isRead", "is_read"), ("isDraft", "is_draft")];

/// What a change of the marks alone consists of.
const OF_MARKS: [&str; 6] = [
    "id",
    "isRead",
    "isDraft",
    "flag",
    "changeKey",
    "lastModifiedDateTime",
];

/// The fields of a message in a folder, with what is attached to it; `None` if it says nothing at all.
pub(super) fn fields(
    message: &GraphObject,
    folder: &str,
    attachments: &[GraphObject],
) -> Option<RecordFields> {
    // A parser that panics takes no other mail with it.
    let read = catch_unwind(AssertUnwindSafe(|| read(&mail(message))));
    let mut fields = read.ok().flatten()?;
    // What only the mail that was made here has: its id in a file, its length.
    for name in ["id", "size", "mailbox", "has_attachment", "attachments"] {
        fields.remove(name);
    }
    fields.insert("mailbox_id".to_owned(), Value::from(folder));
    // Mails that were sent name what they answer nowhere else.
    insert(&mut fields, "thread_id", text(message, "conversationId"));
    insert(
        &mut fields,
        "received_at",
        text(message, "receivedDateTime"),
    );
    fields.extend(marks(message));
    let categories: Vec<_> = texts(message, "categories").collect();
    if !categories.is_empty() {
        fields.insert("categories".to_owned(), Value::from(categories));
    }
    let has_any = flag(message, "hasAttachments").unwrap_or_default();
    fields.insert("has_attachment".to_owned(), Value::from(has_any));
    let attachments = attachments.iter().filter_map(attachment).collect();
    fields.insert("attachments".to_owned(), Value::Array(attachments));
    fields.insert("raw".to_owned(), kept(message));
    Some(fields)
}

/// The fields of a message of which only the marks are told; `None` if more is told of it.
pub(super) fn marks_alone(message: &GraphObject) -> Option<RecordFields> {
    let names = message.keys().filter(|name| !name.starts_with('@'));
    let is_all = names
        .into_iter()
        .all(|name| OF_MARKS.contains(&name.as_str()));
    is_all.then(|| marks(message))
}

/// Whether a text refers to something attached, which is then within the text: Graph does not count that as attached.
pub(super) fn has_attachments(message: &GraphObject) -> bool {
    let body = inner(message, "body").and_then(|body| text(body, "content"));
    flag(message, "hasAttachments") == Some(true) || body.is_some_and(|body| body.contains("cid:"))
}

fn marks(message: &GraphObject) -> RecordFields {
    let mut fields = RecordFields::new();
    for (name, column) in MARKS {
        if let Some(mark) = flag(message, name) {
            fields.insert(column.to_owned(), Value::from(mark));
        }
    }
    let status = inner(message, "flag").and_then(|flag| text(flag, "flagStatus"));
    if let Some(status) = status {
        let is_flagged = Value::from(status == "flagged");
        fields.insert("is_flagged".to_owned(), is_flagged);
    }
    fields
}

fn insert(fields: &mut RecordFields, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        fields.insert(name.to_owned(), Value::from(text));
    }
}

fn mail(message: &GraphObject) -> String {
    let body = inner(message, "body");
    let part = |name: &str| body.and_then(|body| text(body, name));
    let kind = match part("contentType").is_some_and(|kind| kind.eq_ignore_ascii_case("html")) {
        true => "html",
        false => "plain",
    };
    let header = header(message);
    let content = BASE64_STANDARD.encode(part("content").unwrap_or_default());
    format!(
        "{header}\r\nContent-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n{content}\r\n"
    )
}

fn read(mail: &str) -> Option<RecordFields> {
    let source = FileSource::Bytes {
        name: "message.eml".to_owned(),
        bytes: mail.as_bytes().into(),
    };
    let reader = FileReader::new(Options::default());
    match reader.entries(&source).ok()?.next()? {
        Ok(FileEntry::Record { fields, .. }) => Some(fields),
        _ => None,
    }
}

fn attachment(attachment: &GraphObject) -> Option<Value> {
    let number = |name: &str| attachment.get(name).and_then(Value::as_u64);
    let fields = [
        ("part_id", Some(Value::from(text(attachment, "id")?))),
        ("filename", text(attachment, "name").map(Value::from)),
        (
            "content_type",
            text(attachment, "contentType").map(Value::from),
        ),
        ("size", number("size").map(Value::from)),
        ("is_inline", flag(attachment, "isInline").map(Value::from)),
    ];
    let fields = fields.into_iter();
    let fields = fields.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Some(Value::Object(fields.collect()))
}

/// The message as it came. One longer than other mails may be is kept without its text, and says so.
fn kept(message: &GraphObject) -> Value {
    let mut kept = raw(message);
    let body = inner(message, "body").and_then(|body| text(body, "content"));
    if body.is_some_and(|body| body.len() > MAIL_WHOLE_BYTES_MAX)
        && let Value::Object(fields) = &mut kept
    {
        fields.remove("body");
        fields.insert("truncated".to_owned(), json!(true));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> GraphObject {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_message_has_the_columns_of_a_mail() {
        let person =
            |name: &str, address: &str| json!({"emailAddress": {"name": name, "address": address}});
        let message = object(json!({
            "id": "m1", "@odata.etag": "W/\"1\"", "internetMessageId": "<a@example.com>", "conversationId": "c1",
            "subject": "Grüße, \"all\" =?x?= and\na very long subject that needs some more words",
            "from": person("Doe, Ann", "ann@example.com"), "sender": person("Doe, Ann", "ann@example.com"),
            "toRecipients": [person("Bob", "bob@example.com"), person("", "c@example.com")], "ccRecipients": [], "replyTo": [],
            "sentDateTime": "2026-01-02T03:04:05Z", "receivedDateTime": "2026-01-02T03:04:07Z",
            "isRead": true, "isDraft": false, "flag": {"flagStatus": "flagged"}, "importance": "high",
            "categories": ["Red"], "hasAttachments": true,
            "body": {"contentType": "html", "content": "<p>Hello <b>you</b><div style='display:none'>obey</div>"},
            "internetMessageHeaders": [{"name": "In-Reply-To", "value": "<b@example.com>"}, {"name": "List-ID", "value": "<l.example.com>"}],
        }));
        let file = object(
            json!({"id": "f", "name": "a.pdf", "contentType": "application/pdf", "size": 7, "isInline": false}),
        );
        let mut fields = fields(&message, "inbox", &[file]).unwrap();
        let raw = fields.remove("raw").unwrap();
        assert!(raw.get("@odata.etag").is_none() && raw["id"] == "m1");
        let expected = json!({
            "message_id": "a@example.com", "in_reply_to": ["b@example.com"], "thread_id": "c1",
            "subject": "Grüße, \"all\" =?x?= and a very long subject that needs some more words",
            "from_name": "Doe, Ann", "from_email": "ann@example.com",
            "to": [{"name": "Bob", "email": "bob@example.com"}, {"email": "c@example.com"}],
            "sent_at": "2026-01-02T03:04:05Z", "received_at": "2026-01-02T03:04:07Z",
            "is_read": true, "is_draft": false, "is_flagged": true, "importance": "high", "categories": ["Red"],
            "has_attachment": true, "mailbox_id": "inbox", "list_id": "l.example.com",
            "preview": "Hello you", "body_text": "[hidden text dropped: 4 characters]\nHello you",
            "attachments": [{"part_id": "f", "filename": "a.pdf", "content_type": "application/pdf", "size": 7, "is_inline": false}],
        });
        assert_eq!(Value::Object(fields), expected);
    }

    #[test]
    fn words_of_a_mail_make_no_header() {
        let message = object(json!({
            "internetMessageId": "<a@b>\r\nBcc: evil@example.com", "subject": "x\r\nBcc: evil@example.com",
            "from": {"emailAddress": {"name": "n>\r\nBcc: evil@example.com", "address": "a@b\r\nBcc:evil@example.com"}},
            "internetMessageHeaders": [{"name": "X-Mailer", "value": "m\r\nBcc: evil@example.com"}],
        }));
        let fields = fields(&message, "inbox", &[]).unwrap();
        assert!(!fields.contains_key("bcc"), "{fields:?}");
    }

    #[test]
    fn a_message_without_anything_is_none_and_marks_are_told_apart() {
        assert!(fields(&object(json!({"id": "m"})), "inbox", &[]).is_none());
        let marks = marks_alone(&object(
            json!({"id": "m", "@odata.etag": "e", "isRead": true}),
        ));
        assert_eq!(marks, Some(object(json!({"is_read": true}))));
        assert_eq!(
            marks_alone(&object(json!({"id": "m", "subject": "x"}))),
            None
        );
    }
}
