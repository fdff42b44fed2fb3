//! The id of a message, and the conversation that it belongs to.
//!
//! Its id is its Message-ID. A message that lies in two mailboxes of one file, or differs in its text, has an
//! ordinal besides; one without a Message-ID has a digest of its content. What a person did with it, and which
//! servers it went through, is no part of that: a mail read since the last push is the same mail.

use mail_parser::{HeaderForm, HeaderName, HeaderValue, Message};
use serde_json::Value;

use super::problems::Problems;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// The longest id that the store takes, less an ordinal.
const ID_BYTES_MAX: usize = 500;
/// The most ids of one header that are stored.
const IDS_MAX: usize = 100;
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

/// The id, the Message-IDs, and the conversation: as Gmail has it, else the first of References, else what it
/// answers, if that is one, else itself.
pub(super) fn identify(
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
            identities.id_from_key(key, &content)
        }
        None => {
            content.insert("message_id".to_owned(), Value::from(message_id.clone()));
            identities.id_from_content("", &content)
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

/// The Message-ID, without white space.
pub(super) fn message_id(message: &Message<'_>) -> Option<String> {
    let values = message.header_values(HeaderName::MessageId);
    values.flat_map(ids).next()
}

/// The ids in a header.
fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    let ids = value.as_text_list().unwrap_or_default();
    let ids = ids
        .iter()
        .map(|id| id.split_whitespace().collect::<String>());
    ids.filter(|id| !id.is_empty()).collect()
}
