use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::limits::ARGS_BYTES_MAX;

/// What stands in place of arguments and texts that are too long to be stored.
pub const TRUNCATED: &str = "[truncated]";
/// What stands in place of U+0000.
const REPLACEMENT: &str = "\u{fffd}";

/// A text as the audit log may hold it: without U+0000, which PostgreSQL stores nowhere, and at most 4096 bytes long (r027), else
/// `[truncated]`. Cheap to clone; a fixed text is not copied.
#[derive(Clone)]
pub struct CleanText(Repr);

#[derive(Clone)]
enum Repr {
    Fixed(&'static str),
    Shared(Arc<str>),
}

impl CleanText {
    /// The text, cleaned.
    pub fn of(text: &str) -> Self {
        match cleaned(text) {
            Cow::Owned(cleaned) => Self(Repr::Shared(cleaned.into())),
            Cow::Borrowed(TRUNCATED) => Self(Repr::Fixed(TRUNCATED)),
            Cow::Borrowed(clean) => Self(Repr::Shared(clean.into())),
        }
    }

    /// A text that holds no U+0000 and is short by its own rules.
    pub(super) const fn of_clean(text: Arc<str>) -> Self {
        Self(Repr::Shared(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Fixed(text) => text,
            Repr::Shared(text) => text,
        }
    }
}

/// A text with U+0000 replaced.
pub(crate) fn without_nul(text: &str) -> Cow<'_, str> {
    match text.contains('\0') {
        true => Cow::Owned(text.replace('\0', REPLACEMENT)),
        false => Cow::Borrowed(text),
    }
}

fn cleaned(text: &str) -> Cow<'_, str> {
    if text.len() > ARGS_BYTES_MAX {
        return Cow::Borrowed(TRUNCATED);
    }
    without_nul(text)
}

impl From<&'static str> for CleanText {
    fn from(text: &'static str) -> Self {
        match cleaned(text) {
            Cow::Borrowed(clean) => Self(Repr::Fixed(clean)),
            Cow::Owned(cleaned) => Self(Repr::Shared(cleaned.into())),
        }
    }
}

impl From<String> for CleanText {
    fn from(text: String) -> Self {
        Self::of(&text)
    }
}

impl Deref for CleanText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for CleanText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for CleanText {}

impl PartialEq<str> for CleanText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for CleanText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for CleanText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

impl fmt::Debug for CleanText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_holds_no_null_character_and_is_bounded_however_it_was_made() {
        let of_each = |text: &'static str| {
            [
                CleanText::of(text),
                CleanText::from(text),
                text.to_owned().into(),
            ]
        };
        assert_eq!(of_each("query"), [(); 3].map(|()| CleanText::of("query")));
        assert!(of_each("a\0b").iter().all(|text| text == "a\u{fffd}b"));
        let longest = "x".repeat(ARGS_BYTES_MAX);
        assert_eq!(CleanText::of(&longest), longest.as_str());
        assert_eq!(CleanText::of(&(longest + "x")), TRUNCATED);
    }
}
