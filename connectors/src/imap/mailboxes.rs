//! The mailboxes of an account, as records of `mail.mailboxes`.

use std::collections::HashSet;

use bytes::Bytes;
use serde_json::Value;
use sextant_formats::RecordFields;

use super::key::mailbox_key;
use super::mailbox_name::decode_name;
use super::requests::with_mailbox;
use super::session::{ImapSession, malformed};
use super::value::{ImapValue, parse_values};
use crate::digest_key::digest;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::MAILBOXES_MAX;
use crate::round::{SourceItem, SourceRecord};

/// What mailboxes of these attributes are for (RFC 6154, RFC 8457).
const ROLES: [(&str, &str); 8] = [
    ("\\SENT", "sent"),
    ("\\DRAFTS", "drafts"),
    ("\\TRASH", "trash"),
    ("\\JUNK", "junk"),
    ("\\ARCHIVE", "archive"),
    ("\\ALL", "archive"),
    ("\\IMPORTANT", "important"),
    ("\\INBOX", "inbox"),
];

/// A mailbox that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedMailbox {
    /// As the server writes it.
    pub(super) wire_name: Bytes,
    name: String,
    delimiter: Option<String>,
    role: Option<&'static str>,
}

/// What STATUS tells. What it left out is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MailboxCounts {
    pub(super) exists: Option<u64>,
    pub(super) uid_validity: Option<u64>,
    pub(super) uid_next: Option<u64>,
    pub(super) highest_modseq: Option<u64>,
    unread: Option<u64>,
}

/// Lists what can be opened, outer mailboxes first.
pub(super) async fn list_mailboxes(
    session: &mut ImapSession,
) -> Result<Vec<ListedMailbox>, SourceFailure> {
    let tells_roles = session.is_able("SPECIAL-USE") && session.is_able("LIST-EXTENDED");
    let with = if tells_roles {
        " RETURN (SPECIAL-USE)"
    } else {
        ""
    };
    let answer = session.ask(&format!("LIST \"\" \"*\"{with}")).await?;
    let mut listed = Vec::new();
    for data in answer.of_kind("LIST") {
        let values = parse_values(&data.rest).ok_or_else(malformed)?;
        listed.extend(listed_mailbox(&values).ok_or_else(malformed)?);
    }
    let mut keys = HashSet::new();
    listed.retain(|mailbox: &ListedMailbox| keys.insert(mailbox.key()));
    listed.sort_by(|one, other| one.name.cmp(&other.name));
    match listed.len() {
        // Every account has an INBOX: nothing is no list.
        0 => Err(malformed()),
        1..=MAILBOXES_MAX => Ok(listed),
        _ => Err(SourceFailure::new(
            FailureKind::TooLarge,
            "the account has too many mailboxes",
        )),
    }
}

/// Reads `(\HasNoChildren) "/" INBOX`; the outer `None` is no such answer, the inner one a mailbox that cannot be opened.
fn listed_mailbox(values: &[ImapValue]) -> Option<Option<ListedMailbox>> {
    let [attributes, delimiter, wire_name, ..] = values else {
        return None;
    };
    let attributes: Vec<String> = attributes
        .list()?
        .iter()
        .filter_map(|attribute| Some(attribute.string()?.to_ascii_uppercase()))
        .collect();
    let is_closed = |name: &String| name == "\\NOSELECT" || name == "\\NONEXISTENT";
    if attributes.iter().any(is_closed) {
        return Some(None);
    }
    let wire_name = match wire_name {
        ImapValue::Word(name) | ImapValue::Text(name) => name.clone(),
        ImapValue::List(_) => return None,
    };
    let is_inbox = wire_name.eq_ignore_ascii_case(b"INBOX");
    let name = match is_inbox {
        true => "INBOX".to_owned(),
        false => decode_name(&String::from_utf8_lossy(&wire_name)),
    };
    let mut roles = ROLES
        .iter()
        .filter(|(attribute, _)| attributes.iter().any(|own| own == attribute));
    let role = roles.next().map(|(_, role)| *role);
    Some(Some(ListedMailbox {
        wire_name,
        name,
        delimiter: delimiter.string().filter(|delimiter| !delimiter.is_empty()),
        role: role.or(is_inbox.then_some("inbox")),
    }))
}

/// Counts a mailbox without opening it. `None` if it is not there: it went since it was listed.
/// Nothing is known of one that the server refuses to count.
pub(super) async fn count_mailbox(
    session: &mut ImapSession,
    mailbox: &ListedMailbox,
) -> Result<Option<MailboxCounts>, SourceFailure> {
    let modseq = if session.is_able("CONDSTORE") {
        " HIGHESTMODSEQ"
    } else {
        ""
    };
    let what = format!(" (MESSAGES UNSEEN UIDNEXT UIDVALIDITY{modseq})");
    let pieces = with_mailbox("STATUS ", &mailbox.wire_name, &what);
    let answer = session.run_pieces(&pieces).await?;
    if answer.end.code_name() == "NONEXISTENT" {
        return Ok(None);
    }
    let mut counts = MailboxCounts::default();
    for data in answer.of_kind("STATUS") {
        let values = parse_values(&data.rest).ok_or_else(malformed)?;
        let told = values
            .last()
            .and_then(ImapValue::list)
            .ok_or_else(malformed)?;
        for pair in told.chunks_exact(2) {
            counts.take(pair);
        }
    }
    Ok(Some(counts))
}

impl MailboxCounts {
    fn take(&mut self, pair: &[ImapValue]) {
        let [name, value] = pair else { return };
        let field = match name
            .string()
            .unwrap_or_default()
            .to_ascii_uppercase()
            .as_str()
        {
            "MESSAGES" => &mut self.exists,
            "UNSEEN" => &mut self.unread,
            "UIDNEXT" => &mut self.uid_next,
            "UIDVALIDITY" => &mut self.uid_validity,
            "HIGHESTMODSEQ" => &mut self.highest_modseq,
            _ => return,
        };
        *field = value.number();
    }
}

impl ListedMailbox {
    /// Its key, its scope and the id of its row.
    pub(super) fn key(&self) -> String {
        mailbox_key(&self.name)
    }

    /// It as an item, `known_keys` being those of all mailboxes: one that cannot be opened is nobody's parent.
    pub(super) fn item(&self, counts: MailboxCounts, known_keys: &HashSet<String>) -> SourceItem {
        let key = self.key();
        let fields = self.fields(counts, known_keys);
        SourceItem {
            version: version(&fields),
            at: None,
            holds: Some(key.clone()),
            records: vec![SourceRecord {
                target: "mail.mailboxes",
                source_id: key.clone(),
                fields,
            }],
            key,
        }
    }

    fn fields(&self, counts: MailboxCounts, known_keys: &HashSet<String>) -> RecordFields {
        let outer = self
            .delimiter
            .as_deref()
            .and_then(|delimiter| self.name.rsplit_once(delimiter));
        let path = match self.delimiter.as_deref() {
            Some(delimiter) => self.name.replace(delimiter, "/"),
            None => self.name.clone(),
        };
        let parent = outer.map(|(outer, _)| mailbox_key(outer));
        let parent = parent.filter(|parent| known_keys.contains(parent));
        let name = outer.map_or(self.name.as_str(), |(_, name)| name);
        let fields = [
            ("name", Some(Value::from(name))),
            ("path", Some(Value::from(path))),
            ("role", self.role.map(Value::from)),
            ("parent_id", parent.map(Value::from)),
            ("total", counts.exists.map(Value::from)),
            ("unread", counts.unread.map(Value::from)),
            ("uid_validity", counts.uid_validity.map(Value::from)),
            ("uid_next", counts.uid_next.map(Value::from)),
            ("highest_modseq", counts.highest_modseq.map(Value::from)),
        ];
        let fields = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        fields.collect()
    }
}

fn version(fields: &RecordFields) -> String {
    digest(Value::Object(fields.clone()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(line: &'static str) -> Option<Option<ListedMailbox>> {
        listed_mailbox(&parse_values(&Bytes::from_static(line.as_bytes()))?)
    }

    #[test]
    fn mailboxes_are_read() {
        let sent = listed("(\\HasNoChildren \\Sent) \".\" Entw&APw-rfe.Sent")
            .flatten()
            .unwrap();
        let known = HashSet::from(["Entwürfe".to_owned()]);
        let item = sent.item(MailboxCounts::default(), &known);
        assert_eq!(item.key, "Entwürfe.Sent");
        let fields = serde_json::json!({
            "name": "Sent", "path": "Entwürfe/Sent", "role": "sent", "parent_id": "Entwürfe"
        });
        assert_eq!(Value::Object(item.records[0].fields.clone()), fields);
        let inbox = listed("() NIL {5}\r\ninbox").flatten().unwrap();
        assert_eq!((inbox.key().as_str(), inbox.role), ("INBOX", Some("inbox")));
        assert_eq!(listed("(\\Noselect) \"/\" x"), Some(None));
        assert_eq!(listed("x"), None);
        let nil = listed("() \"/\" NIL").flatten().unwrap();
        assert_eq!(nil.key(), "NIL");
    }
}
