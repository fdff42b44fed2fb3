//! The state of a message (read, flagged, answered, draft) and how it is filed, in the notation of each program.
//!
//! Thunderbird writes bits in X-Mozilla-Status, mutt and Dovecot letters in Status and X-Status, Gmail labels
//! (`gmail_labels`), Maildir letters in the file's name, Apple Mail bits after the message. A state that nothing
//! gives is unknown and left out.

use mail_parser::{HeaderForm, HeaderName, HeaderValue, Message};

use super::gmail_labels::GmailLabels;
use super::mailbox::MessageMailbox;

/// The most categories of one message that are stored.
pub(super) const CATEGORIES_MAX: usize = 1_000;

/// The state of a message, as far as it is known.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Marks {
    pub is_read: Option<bool>,
    pub is_flagged: Option<bool>,
    pub is_answered: Option<bool>,
    pub is_draft: Option<bool>,
    /// The message is still in the file, but its program no longer shows it.
    pub is_deleted: bool,
    pub categories: Vec<String>,
    pub mailbox: Option<MessageMailbox>,
}

impl Marks {
    /// Letters of a Maildir file's name.
    pub(super) fn from_maildir_letters(letters: &str) -> Self {
        let has = |letter| Some(letters.contains(letter));
        Self {
            is_read: has('S'),
            is_flagged: has('F'),
            is_answered: has('R'),
            is_draft: has('D'),
            is_deleted: letters.contains('T'),
            ..Self::default()
        }
    }

    /// Bits behind a message of Apple Mail.
    pub(super) fn from_emlx_bits(bits: u64) -> Self {
        let has = |bit: u32| Some(bits & (1 << bit) != 0);
        Self {
            is_read: has(0),
            is_deleted: has(1) == Some(true),
            is_answered: has(2),
            is_flagged: has(4),
            is_draft: has(6),
            ..Self::default()
        }
    }

    /// The state that the headers of a message give.
    pub(super) fn from_headers(message: &Message<'_>) -> Self {
        let mut marks = Self::default();
        marks.read_mozilla_status(message);
        marks.read_status(message);
        marks.read_gmail_labels(message);
        marks.read_keywords(message);
        if text(message, "X-Unsent").as_deref() == Some("1") {
            marks.is_draft = Some(true);
        }
        marks
    }

    /// These marks, with the unknown ones taken from `other`.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            is_read: self.is_read.or(other.is_read),
            is_flagged: self.is_flagged.or(other.is_flagged),
            is_answered: self.is_answered.or(other.is_answered),
            is_draft: self.is_draft.or(other.is_draft),
            is_deleted: self.is_deleted || other.is_deleted,
            categories: [self.categories, other.categories].concat(),
            mailbox: self.mailbox.or(other.mailbox),
        }
    }

    fn read_mozilla_status(&mut self, message: &Message<'_>) {
        let bits = text(message, "X-Mozilla-Status");
        let bits = bits.and_then(|bits| u32::from_str_radix(&bits, 16).ok());
        if let Some(bits) = bits {
            self.is_read = Some(bits & 0x0001 != 0);
            self.is_answered = Some(bits & 0x0002 != 0);
            self.is_flagged = Some(bits & 0x0004 != 0);
            self.is_deleted |= bits & 0x0008 != 0;
        }
        self.add_categories(text(message, "X-Mozilla-Keys"));
    }

    fn read_status(&mut self, message: &Message<'_>) {
        let (status, more) = (text(message, "Status"), text(message, "X-Status"));
        let is_of =
            |text: &String, letters: &str| text.chars().all(|letter| letters.contains(letter));
        if let Some(letters) = status.filter(|text| is_of(text, "ROUND")) {
            self.is_read = Some(letters.contains('R'));
        }
        if let Some(letters) = more.filter(|text| is_of(text, "AFTD")) {
            self.is_answered = Some(letters.contains('A'));
            self.is_flagged = Some(letters.contains('F'));
            self.is_draft = Some(letters.contains('T'));
            self.is_deleted |= letters.contains('D');
        }
    }

    fn read_gmail_labels(&mut self, message: &Message<'_>) {
        let Some(labels) = text(message, "X-Gmail-Labels") else {
            return;
        };
        let labels = GmailLabels::parse(&labels);
        self.is_read = labels.is_read.or(self.is_read);
        self.is_flagged = labels.is_flagged.or(self.is_flagged);
        self.mailbox = labels.mailbox;
        self.categories.extend(labels.categories);
    }

    fn read_keywords(&mut self, message: &Message<'_>) {
        let keywords = message.header_values(HeaderName::Keywords);
        let keywords = keywords.flat_map(|value| value.as_text_list().unwrap_or_default());
        self.categories
            .extend(keywords.map(|word| word.trim().to_owned()));
        self.add_categories(text(message, "X-Keywords"));
        self.categories.extend(text(message, "X-Label"));
        let mut seen = std::collections::HashSet::new();
        self.categories
            .retain(|category| !category.is_empty() && seen.insert(category.clone()));
    }

    fn add_categories(&mut self, words: Option<String>) {
        let words = words.unwrap_or_default();
        self.categories
            .extend(words.split_whitespace().map(str::to_owned));
    }
}

/// A header's text, if it is not empty.
fn text(message: &Message<'_>, name: &'static str) -> Option<String> {
    let values = message.header_as(name, HeaderForm::Text);
    let text = values.last().and_then(HeaderValue::as_text)?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    fn marks(headers: &str) -> Marks {
        let text = format!("Subject: x\r\n{headers}\r\n\r\n");
        Marks::from_headers(&MessageParser::default().parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn nothing_said_is_nothing_known() {
        assert_eq!(marks("X-Other: 1"), Marks::default());
    }

    #[test]
    fn bits_and_letters() {
        let read = marks("X-Mozilla-Status: 0007\r\nX-Mozilla-Keys: work $label1    ");
        assert_eq!(
            (read.is_read, read.is_answered, read.is_flagged),
            (Some(true), Some(true), Some(true))
        );
        assert_eq!(read.categories, ["work", "$label1"]);
        assert!(marks("X-Mozilla-Status: 0009").is_deleted);
        let old = marks("Status: O\r\nX-Status: AF");
        assert_eq!(
            (old.is_read, old.is_answered, old.is_flagged),
            (Some(false), Some(true), Some(true))
        );
        let seen = Marks::from_maildir_letters("FS");
        assert_eq!(
            (seen.is_read, seen.is_flagged, seen.is_answered),
            (Some(true), Some(true), Some(false))
        );
        assert_eq!(Marks::from_emlx_bits(0b1_0001).is_flagged, Some(true));
    }

    #[test]
    fn labels_are_a_mailbox_a_state_and_categories() {
        let inbox =
            marks("X-Gmail-Labels: Category Updates,Unread,\"Home, sweet\",\r\n Inbox,Starred");
        assert_eq!((inbox.is_read, inbox.is_flagged), (Some(false), Some(true)));
        assert_eq!(inbox.categories, ["Category Updates", "Home, sweet"]);
        assert_eq!(inbox.mailbox, Some(MessageMailbox::at("Inbox")));
        let encoded = marks("X-Gmail-Labels: =?UTF-8?Q?Gesendet,Ge=C3=B6ffnet,Caf=C3=A9?=");
        assert_eq!(
            (encoded.is_read, encoded.categories.as_slice()),
            (Some(true), &["Café".to_owned()][..])
        );
        assert!(encoded.mailbox.unwrap().is_for("sent"));
        let unknown = marks("X-Gmail-Labels: Skrzynka");
        assert_eq!((unknown.is_read, unknown.mailbox), (None, None));
    }
}
