//! One message as a record of `mail.messages`, with its mailbox and what is attached to it.

use mail_parser::{HeaderName, Message, MessageParser};
use serde_json::Value;

use super::attachments::{ATTACHMENTS_MAX, Attachments};
use super::body::{MessageBody, SEARCHABLE_CHARACTERS_MAX};
use super::header::{self, add_headers};
use super::held_message::{HELD_BYTES_MAX, HeldMessage};
use super::identity::{identify, message_id};
use super::marks::{CATEGORIES_MAX, Marks};
use super::origin::MessageOrigin;
use super::problems::Problems;
use super::{dates, people, raw, shape};
use crate::entry::identity::Identities;
use crate::entry::{PROBLEMS, RecordFields, put, quoted};

/// The longest subject that is stored.
const SUBJECT_CHARACTERS_MAX: usize = 2_000;
/// A message's own name, and the record or why there is none.
pub(super) struct MappedMessage {
    /// Its Message-ID, for showing; empty if it has none.
    pub key: String,
    pub result: Result<RecordFields, String>,
}

pub(super) fn map(
    mut held: HeldMessage,
    origin: &MessageOrigin,
    identities: &mut Identities,
) -> MappedMessage {
    if held.is_cut {
        let reason = format!(
            "it is longer than {HELD_BYTES_MAX} bytes, even without what is attached to it"
        );
        return refuse(reason);
    }
    let raw = raw::raw(&held);
    header::make_readable(&mut held);
    if let Err(reason) = shape::prepare(&mut held.bytes) {
        return refuse(reason);
    }
    let Some(message) = MessageParser::default()
        .parse(&held.bytes)
        .filter(header::is_of_mail)
    else {
        return refuse("it is no mail message: it has no header that a mail has".to_owned());
    };
    let result = fields(&message, &held, origin, identities).map(|mut fields| {
        fields.insert("raw".to_owned(), raw);
        fields
    });
    MappedMessage {
        key: message_id(&message).unwrap_or_default(),
        result,
    }
}

fn refuse(reason: String) -> MappedMessage {
    MappedMessage {
        key: String::new(),
        result: Err(reason),
    }
}

fn fields(
    message: &Message<'_>,
    held: &HeldMessage,
    origin: &MessageOrigin,
    identities: &mut Identities,
) -> Result<RecordFields, String> {
    let marks = origin.marks.clone().or(Marks::from_headers(message));
    if marks.is_deleted {
        return Err(
            "it has been deleted: its mail program keeps it only until it tidies up the mailbox"
                .to_owned(),
        );
    }
    let mut fields = RecordFields::new();
    let mut problems = Problems::default();
    add_text(&mut fields, message, held, &mut problems);
    if fields.is_empty() && message_id(message).is_none() {
        return Err("it is empty: it has neither subject, sender, text nor Message-ID".to_owned());
    }
    add_addresses(&mut fields, message, &mut problems);
    add_times(&mut fields, message, origin, &mut problems);
    add_attachments(&mut fields, message, held, &mut problems);
    add_headers(&mut fields, message, &mut problems);
    put(&mut fields, "size", Some(Value::from(held.size)));
    let mailbox = marks.mailbox.clone().or_else(|| origin.mailbox.clone());
    identify(
        &mut fields,
        message,
        mailbox.as_ref().map(|mailbox| mailbox.path.as_str()),
        identities,
        &mut problems,
    );
    let is_in_drafts = mailbox
        .as_ref()
        .is_some_and(|mailbox| mailbox.is_for("drafts"));
    add_marks(&mut fields, &marks, is_in_drafts, &mut problems);
    put(
        &mut fields,
        "mailbox",
        mailbox.map(|mailbox| mailbox.fields()),
    );
    put(&mut fields, PROBLEMS, problems.into_value());
    Ok(fields)
}

/// Subject, sender and text: what can be searched for.
fn add_text(
    fields: &mut RecordFields,
    message: &Message<'_>,
    held: &HeldMessage,
    problems: &mut Problems,
) {
    let subject = message.subject().map(|subject| {
        let words: Vec<_> = subject.split_whitespace().collect();
        problems.cut("Subject", &words.join(" "), SUBJECT_CHARACTERS_MAX)
    });
    let subject = subject.filter(|subject| !subject.is_empty());
    let mut from = people::first(message, HeaderName::From, problems).unwrap_or_default();
    put(fields, "subject", subject.map(Value::from));
    put(fields, "from_name", from.remove("name"));
    put(fields, "from_email", from.remove("email"));
    let searchable: usize = fields
        .values()
        .filter_map(Value::as_str)
        .map(|text| text.chars().count())
        .sum();
    let body = MessageBody::new(
        message,
        held,
        SEARCHABLE_CHARACTERS_MAX.saturating_sub(searchable),
    );
    put(fields, "preview", body.preview().map(Value::from));
    if body.is_truncated {
        put(fields, "body_truncated", Some(Value::from(true)));
        problems.report("its text is longer than can be stored and was cut".to_owned());
    }
    put(fields, "body_text", body.text.map(Value::from));
}

fn add_addresses(fields: &mut RecordFields, message: &Message<'_>, problems: &mut Problems) {
    let sender = people::first(message, HeaderName::Sender, problems);
    put(fields, "sender", sender.map(Value::Object));
    for (name, header) in [
        ("to", HeaderName::To),
        ("cc", HeaderName::Cc),
        ("bcc", HeaderName::Bcc),
        ("reply_to", HeaderName::ReplyTo),
    ] {
        put(fields, name, people::list(message, header, problems));
    }
}

fn add_times(
    fields: &mut RecordFields,
    message: &Message<'_>,
    origin: &MessageOrigin,
    problems: &mut Problems,
) {
    let sent_at = dates::sent_at(message);
    let received_at = dates::received_at(message, origin, sent_at.as_deref());
    put(fields, "received_at", received_at.map(Value::from));
    put(fields, "sent_at", sent_at.map(Value::from));
    if let Some(text) = dates::unreadable(message) {
        problems.report(format!(
            "Date {} is no time that can be stored",
            quoted(&text)
        ));
    }
}

fn add_attachments(
    fields: &mut RecordFields,
    message: &Message<'_>,
    held: &HeldMessage,
    problems: &mut Problems,
) {
    let attachments = Attachments::new(message, held, problems);
    put(
        fields,
        "has_attachment",
        Some(Value::from(attachments.has_any)),
    );
    if message.attachments.len() > ATTACHMENTS_MAX {
        put(
            fields,
            "attachments_in_all",
            Some(Value::from(message.attachments.len())),
        );
    }
    put(fields, "attachments", Some(Value::Array(attachments.list)));
}

fn add_marks(
    fields: &mut RecordFields,
    marks: &Marks,
    is_in_drafts: bool,
    problems: &mut Problems,
) {
    let is_draft = marks.is_draft.or(is_in_drafts.then_some(true));
    for (name, mark) in [
        ("is_read", marks.is_read),
        ("is_flagged", marks.is_flagged),
        ("is_answered", marks.is_answered),
        ("is_draft", is_draft),
    ] {
        put(fields, name, mark.map(Value::from));
    }
    problems.limit("categories", marks.categories.len(), CATEGORIES_MAX);
    let categories = marks.categories.iter().take(CATEGORIES_MAX).cloned();
    let categories = Some(categories.collect::<Vec<_>>()).filter(|all| !all.is_empty());
    put(fields, "categories", categories.map(Value::from));
}
