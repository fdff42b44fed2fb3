//! What of a person has a type: as lines of a vCard, with a type that everybody knows or a label of the person's own.

use super::content_text::ContentText;

/// Types of Google's that are written otherwise in a vCard.
const TYPES: [(&str, &str); 8] = [
    ("mobile", "CELL"),
    ("homeFax", "HOME,FAX"),
    ("workFax", "WORK,FAX"),
    ("otherFax", "OTHER,FAX"),
    ("workMobile", "WORK,CELL"),
    ("workPager", "WORK,PAGER"),
    ("googleVoice", "GOOGLEVOICE"),
    ("homePage", "HOMEPAGE"),
];
/// Types that are the same.
const SAME: [&str; 8] = [
    "home", "work", "other", "pager", "main", "blog", "profile", "school",
];

/// The lines of a card, of which those that belong together have a group.
pub(super) struct CardLines {
    text: ContentText,
    groups: usize,
}

impl CardLines {
    pub(super) fn begin() -> Self {
        let mut text = ContentText::begin("VCARD");
        text.line("VERSION", "4.0");
        Self { text, groups: 0 }
    }

    /// A line of text, for anybody or everything.
    pub(super) fn text(&mut self, name: &str, value: Option<&str>) {
        self.text.text(name, value);
    }

    /// A line whose value is escaped already.
    pub(super) fn line(&mut self, name: &str, value: &str) {
        self.text.line(name, value);
    }

    /// A line with a type, and others of its group; `value` is escaped already, the others are not.
    pub(super) fn typed(
        &mut self,
        name: &str,
        kind: Option<&str>,
        value: &str,
        more: &[(&str, &str)],
    ) {
        let kind = kind.map(str::trim).filter(|kind| !kind.is_empty());
        let known = kind.and_then(type_of);
        self.groups += 1;
        let group = format!("item{}", self.groups);
        let types = known.map(|known| format!(";TYPE=\"{known}\""));
        let head = format!("{group}.{name}{}", types.unwrap_or_default());
        self.text.line(&head, value);
        if let (Some(own), None) = (kind, known) {
            self.text.text(&format!("{group}.X-ABLABEL"), Some(own));
        }
        for (name, value) in more {
            self.text.text(&format!("{group}.{name}"), Some(value));
        }
    }

    pub(super) fn end(self) -> ContentText {
        self.text.end("VCARD")
    }
}

fn type_of(kind: &str) -> Option<&'static str> {
    let written = TYPES.iter().find(|(own, _)| *own == kind);
    let written = written.map(|(_, written)| *written);
    written.or_else(|| SAME.iter().find(|own| **own == kind).copied())
}
