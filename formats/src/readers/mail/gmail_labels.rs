//! `X-Gmail-Labels`, the header in which Gmail exports the state, the mailbox and the categories of a message.

use super::mailbox::{MessageMailbox, role_of};

/// Gmail's labels for a state, in the languages of accounts.
const UNREAD: [&str; 6] = [
    "unread",
    "ungelesen",
    "non lus",
    "no leído",
    "no leídos",
    "da leggere",
];
const OPENED: [&str; 6] = [
    "opened",
    "geöffnet",
    "ouvert",
    "ouverts",
    "abierto",
    "aperti",
];
const STARRED: [&str; 6] = [
    "starred",
    "markiert",
    "suivis",
    "destacados",
    "speciali",
    "met ster",
];
/// The mailbox of a message that has several of Gmail's own labels is the first of these roles.
const MAILBOX_ROLES: [&str; 6] = ["junk", "trash", "drafts", "inbox", "sent", "archive"];

/// The labels of a message by their meaning.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GmailLabels {
    pub is_read: Option<bool>,
    pub is_flagged: Option<bool>,
    pub mailbox: Option<MessageMailbox>,
    pub categories: Vec<String>,
}

impl GmailLabels {
    /// Parses the text of the header. The state is unknown if no label is in a known language.
    pub(super) fn parse(text: &str) -> Self {
        let mut labels = split_labels(text);
        let is_unread = has_any(&labels, &UNREAD);
        // In an unknown language the absence of UNREAD does not mean that the message has been read.
        let is_known_language = is_unread
            || has_any(&labels, &OPENED)
            || labels.iter().any(|label| role_of(label).is_some());
        let is_read = is_known_language.then_some(!is_unread);
        let is_flagged = is_known_language.then(|| has_any(&labels, &STARRED));
        labels.retain(|label| !is_any(label, &[UNREAD, OPENED, STARRED].concat()));
        let mailbox = MAILBOX_ROLES
            .iter()
            .find_map(|role| labels.iter().position(|label| role_of(label) == Some(role)));
        Self {
            is_read,
            is_flagged,
            mailbox: mailbox.map(|at| MessageMailbox::at(&labels.remove(at))),
            categories: labels,
        }
    }
}

/// Labels are separated by commas; one that contains a comma is in quotation marks.
fn split_labels(text: &str) -> Vec<String> {
    let mut labels = vec![String::new()];
    let mut is_quoted = false;
    for character in text.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => labels.push(String::new()),
            other => labels
                .last_mut()
                .into_iter()
                .for_each(|label| label.push(other)),
        }
    }
    let labels = labels.into_iter().map(|label| label.trim().to_owned());
    labels.filter(|label| !label.is_empty()).collect()
}

fn has_any(labels: &[String], known: &[&str]) -> bool {
    labels.iter().any(|label| is_any(label, known))
}

fn is_any(label: &str, known: &[&str]) -> bool {
    known.contains(&label.to_lowercase().as_str())
}
