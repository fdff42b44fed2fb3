//! Text that other people wrote, made safe for an agent to read: it is data, never an instruction.
//!
//! Control, bidirectional and zero-width characters are removed; long texts are clipped and put between fences with a
//! nonce that their author cannot have known.

use std::borrow::Cow;
use std::cell::LazyCell;

use sextant_actors::random::Unavailable;

/// The end of a clipped text.
pub(crate) const CLIPPED: &str = "…[clipped]";
/// Untrusted texts longer than this are put between fences.
const UNFENCED_CHARS_MAX: usize = 400;

/// `text` without characters that are invisible or change how others are displayed. Line breaks and tabs stay.
pub fn clean(text: &str) -> Cow<'_, str> {
    // Most texts are plain ASCII, and bytes are tested faster than characters.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let visible = text.chars().filter(|letter| is_visible(*letter));
    Cow::Owned(visible.collect())
}

fn is_visible(letter: char) -> bool {
    match letter {
        '\n' | '\t' => true,
        // Zero-width joiners shape some scripts and emoji, but also hide words; text stays readable without them.
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => false,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}'
        | '\u{17b5}' => false,
        '\u{180b}'..='\u{180f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' => false,
        '\u{e0000}'..='\u{e0fff}' => false,
        other => !other.is_control(),
    }
}

/// The first `chars_max` characters followed by [`CLIPPED`], or the whole text if it has no more.
pub(crate) fn clip(text: &str, chars_max: usize) -> Cow<'_, str> {
    match end_of(text, chars_max).and_then(|end| text.get(..end)) {
        Some(begun) => format!("{begun}{CLIPPED}").into(),
        None => Cow::Borrowed(text),
    }
}

/// The byte at which the first `chars_max` characters end, if there are more. A text has no more characters than bytes.
fn end_of(text: &str, chars_max: usize) -> Option<usize> {
    if text.len() <= chars_max {
        return None;
    }
    text.char_indices().nth(chars_max).map(|(end, _)| end)
}

/// The nonce of an answer's fences, drawn when the first text needs it.
pub(crate) struct Nonce(LazyCell<Result<String, Unavailable>>);

impl Nonce {
    /// A nonce that `draw` gives.
    pub(crate) fn of(draw: fn() -> Result<String, Unavailable>) -> Self {
        Self(LazyCell::new(draw))
    }

    /// The nonce, the same each time.
    ///
    /// # Errors
    /// When there is no randomness for it.
    pub(crate) fn get(&self) -> Result<&str, Unavailable> {
        match &*self.0 {
            Ok(nonce) => Ok(nonce),
            Err(_) => Err(Unavailable),
        }
    }
}

/// Whether an untrusted text is so long that it is put between fences.
pub(crate) fn needs_fence(text: &str) -> bool {
    end_of(text, UNFENCED_CHARS_MAX).is_some()
}

/// Puts a text that [`needs_fence`] between fences that contain `nonce`.
pub(crate) fn fence<'a>(text: Cow<'a, str>, nonce: &str) -> Cow<'a, str> {
    if !needs_fence(&text) {
        return text;
    }
    format!("<<<data {nonce}\n{text}\n{nonce} data>>>").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_removed_and_what_shows_stays() {
        assert_eq!(clean("a\u{202e}b\u{200b}c\u{0007}d\u{e0041}"), "abcd");
        assert_eq!(clean("Zoë\tÅ\n日本語 🎉"), "Zoë\tÅ\n日本語 🎉");
    }

    #[test]
    fn clipping_counts_characters_and_leaves_a_mark() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüß", 3), format!("äöü{CLIPPED}"));
    }

    #[test]
    fn only_long_texts_are_fenced() {
        assert_eq!(fence("short".into(), "n"), "short");
        let fenced = fence("x".repeat(UNFENCED_CHARS_MAX + 1).into(), "n0nce");
        assert!(fenced.starts_with("<<<data n0nce\n") && fenced.ends_with("\nn0nce data>>>"));
    }
}
