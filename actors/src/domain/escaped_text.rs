//! Text in the form that it has inside of a JSON string.

use std::fmt;
use std::io;
use std::str;

use serde::Serialize;

/// A text, escaped as the content of a JSON string: between quotation marks it is that string as it stands.
///
/// An answer is JSON and travels as a string of the JSON frame around it. What is written into this is escaped once for the frame,
/// while it is written; how long the text itself is, is counted.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct EscapedText {
    escaped: String,
    text_bytes: usize,
}

/// A position in an [`EscapedText`], to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    escaped_bytes: usize,
    text_bytes: usize,
}

impl EscapedText {
    /// An empty text with room for `bytes`, escapes included.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            escaped: String::with_capacity(bytes),
            text_bytes: 0,
        }
    }

    /// `text`, escaped.
    pub fn of(text: &str) -> Self {
        let mut escaped = Self::default();
        escaped.push(text);
        escaped
    }

    /// The content of the JSON string, without its quotation marks.
    pub fn as_escaped(&self) -> &str {
        &self.escaped
    }

    /// What was appended after `position`, as [`Self::as_escaped`].
    pub fn as_escaped_from(&self, position: TextPosition) -> &str {
        let appended = self.escaped.get(position.escaped_bytes..);
        // There is nothing behind the end of a text that was truncated before `position`.
        appended.unwrap_or_default()
    }

    /// The bytes of the text itself, without escapes.
    pub const fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// Appends `text`.
    pub fn push(&mut self, text: &str) {
        self.text_bytes += text.len();
        each_run(text, |run, escape| {
            self.escaped.push_str(run);
            self.escaped.push_str(escape);
        });
    }

    /// Appends `text` as a JSON string with its quotation marks.
    pub fn push_json_string(&mut self, text: &str) {
        self.push_quote();
        each_run(text, |run, escape| {
            // A run needs no escape, inside of one string or of two.
            self.escaped.push_str(run);
            self.text_bytes += run.len();
            if !escape.is_empty() {
                self.push(escape);
            }
        });
        self.push_quote();
    }

    fn push_quote(&mut self) {
        self.escaped.push_str("\\\"");
        self.text_bytes += 1;
    }

    /// Appends `value` as compact JSON.
    ///
    /// # Errors
    /// When `value` has no form in JSON.
    pub fn push_json(&mut self, value: &impl Serialize) -> serde_json::Result<()> {
        serde_json::to_writer(JsonPieces(self), value)
    }

    /// The present end.
    pub const fn position(&self) -> TextPosition {
        TextPosition {
            escaped_bytes: self.escaped.len(),
            text_bytes: self.text_bytes,
        }
    }

    /// Removes what was appended after `position`.
    pub fn truncate(&mut self, position: TextPosition) {
        self.escaped.truncate(position.escaped_bytes);
        self.text_bytes = position.text_bytes;
    }
}

/// The text itself.
impl fmt::Display for EscapedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.escaped.as_str();
        while let Some((run, escape)) = rest.split_once('\\') {
            formatter.write_str(run)?;
            let (letter, after) = unescape(escape).ok_or(fmt::Error)?;
            fmt::Write::write_char(formatter, letter)?;
            rest = after;
        }
        formatter.write_str(rest)
    }
}

/// Shows the length only: an answer is personal.
impl fmt::Debug for EscapedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "EscapedText({} bytes)", self.text_bytes)
    }
}

/// Appends what is formatted.
impl fmt::Write for EscapedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

/// Takes the pieces of a JSON text from its serialiser, each of which is whole UTF-8.
struct JsonPieces<'a>(&'a mut EscapedText);

impl io::Write for JsonPieces<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(piece).map_err(io::Error::other)?;
        self.0.push(text);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const fn needs_escape(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Splits `text` into runs that need no escape, each with the escape of the byte behind it, if there is one.
fn each_run(text: &str, mut found: impl FnMut(&str, &str)) {
    // Most texts need none. Without an early end the compiler tests many bytes at once.
    let any = |found: bool, byte: u8| found | needs_escape(byte);
    if !text.bytes().fold(false, any) {
        found(text, "");
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.bytes().position(needs_escape) {
        let Some((run, (escaped, after))) = rest.split_at_checked(at).and_then(|(run, behind)| {
            let byte = behind.bytes().next()?;
            Some((run, (escape(byte), behind.get(1..)?)))
        }) else {
            break;
        };
        found(run, escaped);
        rest = after;
    }
    found(rest, "");
}

/// The escape of a byte that needs one, as `serde_json` writes it.
const fn escape(byte: u8) -> &'static str {
    const CONTROLS: [&str; 32] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b", "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011",
        "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019",
        "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
    ];
    match byte {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        _ => match CONTROLS.split_at_checked(byte as usize) {
            Some((_, [escape, ..])) => escape,
            _ => "",
        },
    }
}

/// The character of an escape behind its backslash, and what follows.
fn unescape(escape: &str) -> Option<(char, &str)> {
    let mut letters = escape.chars();
    let letter = match letters.next()? {
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'f' => '\u{c}',
        'r' => '\r',
        'u' => {
            let (code, rest) = letters.as_str().split_at_checked(4)?;
            let letter = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            return Some((letter, rest));
        }
        other => other,
    };
    Some((letter, letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texts in which what must be escaped is frequent.
    const TEXTS: &str = "([\\x00-\\x1f\"\\\\/\\x7f]|\\PC|[a-z ]{0,20}){0,30}";

    fn quoted(text: &EscapedText) -> String {
        format!("\"{}\"", text.as_escaped())
    }

    proptest! {
        #[test]
        fn a_text_is_escaped_as_serde_json_does_and_comes_back(text in TEXTS) {
            let escaped = EscapedText::of(&text);
            prop_assert_eq!(quoted(&escaped), serde_json::to_string(&text).unwrap());
            prop_assert_eq!(escaped.text_bytes(), text.len());
            prop_assert_eq!(escaped.to_string(), text);
        }

        #[test]
        fn a_string_inside_of_json_is_escaped_twice(text in TEXTS) {
            let json = serde_json::to_string(&text).unwrap();
            let (mut direct, mut serialised) = (EscapedText::default(), EscapedText::default());
            direct.push_json_string(&text);
            serialised.push_json(&text).unwrap();
            prop_assert_eq!(&direct, &serialised);
            prop_assert_eq!(quoted(&direct), serde_json::to_string(&json).unwrap());
            prop_assert_eq!(direct.text_bytes(), json.len());
            prop_assert_eq!(direct.to_string(), json);
        }

        #[test]
        fn what_is_removed_leaves_no_trace(before in TEXTS, after in TEXTS) {
            let kept = EscapedText::of(&before);
            let mut text = kept.clone();
            let position = text.position();
            text.push_json_string(&after);
            text.truncate(position);
            prop_assert_eq!(text, kept);
        }
    }

    #[test]
    fn nothing_of_an_answer_is_in_its_debug() {
        let debug = format!("{:?}", EscapedText::of("private \"words\""));
        assert_eq!(debug, "EscapedText(15 bytes)");
    }
}
