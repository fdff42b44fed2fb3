//! One message as a record of `mail.messages`, with its mailbox and what is attached to it.
//!
//! Its id is its Message-ID. A message that lies in two mailboxes of one file, or differs in its text, has an
//! ordinal besides; one without a Message-ID is called by a digest of its content. What a person did with it,
//! and which servers it went through, is no part of that: a mail read since the last push is the same mail.

use mail_parser::{HeaderForm, HeaderName, HeaderValue, Message, MessageParser};
use serde_json::Value;

use super::attachments::{ATTACHMENTS_MAX, Attachments};
use super::body::{MessageBody, SEARCHABLE_CHARACTERS_MAX};
use super::header::{self, add_headers};
use super::held_message::{HELD_BYTES_MAX, HeldMessage};
use super::marks::{CATEGORIES_MAX, Marks};
use super::origin::MessageOrigin;
use super::problems::Problems;
use super::{dates, people, raw, shape};
use crate::entry::identity::Identities;
use crate::entry::{PROBLEMS, RecordFields, put, quoted};

/// The longest id that the store takes, less an ordinal.
const ID_BYTES_MAX: usize = 500;
/// The most ids of one header that are stored.
const IDS_MAX: usize = 100;
/// The longest subject that is stored.
const SUBJECT_CHARACTERS_MAX: usize = 2_000;
/// The fields that make two messages with one Message-ID different ones, each with its name in digests. That name stays
/// whatever the field is called: of a message without a Message-ID the digest is the id.
const CONTENT: [(&str, &str); 7] = [
    ("subject", "subject"),
    ("from_email", "from_email"),
    ("from_name", "from_name"),
    ("to", "to_"),
    ("sent_at", "sent_at"),
    ("body_text", "body_text"),
    ("attachments", "attachments"),
];

/// A message's own name, and the record or why there is none.
pub(super) struct MappedMessage {
    /// Its Message-ID, for showing; empty if it has none.
    pub key: String,
    pub result: Result<RecordFields, String>,
}

pub(super) fn map(
    mut held: HeldMessage,
    envelope: &MessageOrigin,
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
    let result = fields(&message, &held, envelope, identities).map(|mut fields| {
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
    envelope: &MessageOrigin,
    identities: &mut Identities,
) -> Result<RecordFields, String> {
    let marks = envelope.marks.clone().or(Marks::of_headers(message));
    if marks.is_deleted {
        return Err(
            "it has been deleted: its mail program keeps it only until it tidies up the mailbox"
                .to_owned(),
        );
    }
    let mut fields = RecordFields::new();
    let mut problems = Problems::default();
    add_words(&mut fields, message, held, &mut problems);
    if fields.is_empty() && message_id(message).is_none() {
        return Err("it is empty: it has neither subject, sender, text nor Message-ID".to_owned());
    }
    add_people(&mut fields, message, &mut problems);
    add_times(&mut fields, message, envelope, &mut problems);
    add_attachments(&mut fields, message, held, &mut problems);
    add_headers(&mut fields, message, &mut problems);
    put(&mut fields, "size", Some(Value::from(held.size)));
    let mailbox = marks.mailbox.clone().or_else(|| envelope.mailbox.clone());
    identify(
        &mut fields,
        message,
        mailbox.as_ref().map(|mailbox| mailbox.path.as_str()),
        identities,
        &mut problems,
    );
    let lies_in_drafts = mailbox
        .as_ref()
        .is_some_and(|mailbox| mailbox.is_for("drafts"));
    add_marks(&mut fields, &marks, lies_in_drafts, &mut problems);
    put(
        &mut fields,
        "mailbox",
        mailbox.map(|mailbox| mailbox.fields()),
    );
    put(&mut fields, PROBLEMS, problems.into_value());
    Ok(fields)
}

/// Subject, sender and text: what can be searched for.
fn add_words(
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
    let body = MessageBody::of(
        message,
        held,
        SEARCHABLE_CHARACTERS_MAX.saturating_sub(searchable),
    );
    put(fields, "preview", body.preview().map(Value::from));
    if body.is_truncated {
        put(fields, "body_truncated", Some(Value::from(true)));
        problems.tell("its text is longer than can be stored and was cut".to_owned());
    }
    put(fields, "body_text", body.text.map(Value::from));
}

fn add_people(fields: &mut RecordFields, message: &Message<'_>, problems: &mut Problems) {
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
    envelope: &MessageOrigin,
    problems: &mut Problems,
) {
    let sent_at = dates::sent_at(message);
    let received_at = dates::received_at(message, envelope, sent_at.as_deref());
    put(fields, "received_at", received_at.map(Value::from));
    put(fields, "sent_at", sent_at.map(Value::from));
    if let Some(text) = dates::unreadable(message) {
        problems.tell(format!(
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
    let attachments = Attachments::of(message, held, problems);
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
    lies_in_drafts: bool,
    problems: &mut Problems,
) {
    let is_draft = marks.is_draft.or(lies_in_drafts.then_some(true));
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

/// The id, the Message-IDs, and the conversation: as Gmail has it, else the first of References, else what it
/// answers, if that is one, else itself.
fn identify(
    fields: &mut RecordFields,
    message: &Message<'_>,
    mailbox: Option<&str>,
    identities: &mut Identities,
    problems: &mut Problems,
) {
    let mut content: RecordFields = CONTENT
        .iter()
        .filter_map(|(field, name)| Some(((*name).to_owned(), fields.get(*field)?.clone())))
        .collect();
    let message_id = message_id(message);
    let id = match message_id.as_deref().filter(|id| id.len() <= ID_BYTES_MAX) {
        Some(key) => {
            content.insert("mailbox".to_owned(), Value::from(mailbox));
            identities.of_key(key, &content)
        }
        None => {
            content.insert("message_id".to_owned(), Value::from(message_id.clone()));
            identities.of_content("", &content)
        }
    };
    let mut answers = ids(message.in_reply_to());
    problems.limit("ids in In-Reply-To", answers.len(), IDS_MAX);
    answers.truncate(IDS_MAX);
    let thread = message.header_as("X-GM-THRID", HeaderForm::Text);
    let thread = thread
        .first()
        .and_then(HeaderValue::as_text)
        .map(str::to_owned);
    let root = ids(message.references()).into_iter().next();
    let root = root.or_else(|| match answers.as_slice() {
        [single] => Some(single.clone()),
        _ => None,
    });
    let thread = thread
        .or(root)
        .or_else(|| message_id.clone())
        .unwrap_or_else(|| id.clone());
    put(fields, "thread_id", Some(Value::from(thread)));
    put(
        fields,
        "in_reply_to",
        Some(answers).filter(|all| !all.is_empty()).map(Value::from),
    );
    put(fields, "message_id", message_id.map(Value::from));
    put(fields, "id", Some(Value::from(id)));
}

fn message_id(message: &Message<'_>) -> Option<String> {
    let values = message.header_values(HeaderName::MessageId);
    values.flat_map(ids).next()
}

fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    let ids = value.as_text_list().unwrap_or_default();
    let ids = ids
        .iter()
        .map(|id| id.split_whitespace().collect::<String>());
    ids.filter(|id| !id.is_empty()).collect()
}
