//! What was done with a mail: the flags of RFC 3501 §2.3.2 of which a row tells.

use serde_json::Value;
use sextant_formats::RecordFields;

use super::value::ImapValue;

/// The flags of a mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MailFlags {
    is_read: bool,
    is_flagged: bool,
    is_answered: bool,
    is_draft: bool,
}

impl MailFlags {
    /// Those of a list; what others there are is nobody's question.
    pub(super) fn of_list(list: &[ImapValue]) -> Self {
        let mut flags = Self::default();
        for flag in list.iter().filter_map(ImapValue::text) {
            match flag.to_ascii_lowercase().as_slice() {
                b"\\seen" => flags.is_read = true,
                b"\\flagged" => flags.is_flagged = true,
                b"\\answered" => flags.is_answered = true,
                b"\\draft" => flags.is_draft = true,
                _ => {}
            }
        }
        flags
    }

    /// What differs whenever they do; the mail itself never changes.
    pub(super) fn version(self) -> String {
        let letters = self
            .named()
            .map(|(_, is_set, letter)| is_set.then_some(letter));
        format!(
            "flags:{}",
            letters.into_iter().flatten().collect::<String>()
        )
    }

    /// The columns that tell them.
    pub(super) fn fields(self) -> RecordFields {
        let fields = self
            .named()
            .map(|(name, is_set, _)| (name.to_owned(), Value::from(is_set)));
        fields.into_iter().collect()
    }

    const fn named(self) -> [(&'static str, bool, char); 4] {
        [
            ("is_read", self.is_read, 'S'),
            ("is_flagged", self.is_flagged, 'F'),
            ("is_answered", self.is_answered, 'A'),
            ("is_draft", self.is_draft, 'D'),
        ]
    }
}
