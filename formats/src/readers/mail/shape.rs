//! A message's outer shape, looked at and made harmless before it is parsed.
//!
//! The parser makes a value of every header and part, and calls itself for every message within a message, so a
//! message of a few megabytes could be made to fill the memory or the stack. Its parts are counted here, and
//! messages within it get a media type of the same length that nobody looks into: they are attachments, of which
//! names and sizes are stored.

use std::ops::Range;

/// The most lines of headers that a message may have, those of its parts included.
pub(super) const HEADER_LINES_MAX: usize = 100_000;
/// The most parts that a message may have.
pub(super) const PARTS_MAX: usize = 20_000;
/// The most parts that may hold others: to find that one has no end, the parser reads on to the end of the message.
pub(super) const MULTIPARTS_MAX: usize = 200;
/// The longest header that says what a part is; the cost of reading one grows with the square of its length.
pub(super) const PART_FIELD_BYTES_MAX: usize = 16 * 1024;

/// Words of media types that hold messages, and what stands in for them: neither says anything to the parser.
const STAND_INS: [(&str, &str); 3] = [
    ("rfc822", "rfc82x"),
    ("global", "globax"),
    ("digest", "digesx"),
];

/// Makes a message fit for the parser.
///
/// # Errors
/// What it has too much of.
pub(super) fn prepare(message: &mut [u8]) -> Result<(), String> {
    let mut shape = Shape::default();
    let mut at = 0;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        shape.read_line(line, at);
        at += line.len();
    }
    shape.end_field(at);
    let is_multipart = |field: &&Range<usize>| {
        let field = message.get(Range::clone(field)).unwrap_or_default();
        find(field, "multipart", 0).is_some()
    };
    let multiparts = shape.types.iter().filter(is_multipart).count();
    shape.check(multiparts)?;
    for field in shape.types {
        if let Some(field) = message.get_mut(field) {
            replace_message_type(field);
        }
    }
    Ok(())
}

/// A text from the parser as the message has it.
pub(super) fn restore(text: String) -> String {
    STAND_INS.iter().fold(text, |text, (word, stand_in)| {
        match text.contains(stand_in) {
            true => text.replace(stand_in, word),
            false => text,
        }
    })
}

/// What has been seen of a message.
struct Shape {
    is_in_header: bool,
    header_lines: usize,
    parts: usize,
    longest_field_bytes: usize,
    /// Where the header in hand begins, if it says what a part is.
    field: Option<(usize, bool)>,
    /// Headers that give a media type.
    types: Vec<Range<usize>>,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            is_in_header: true,
            header_lines: 0,
            parts: 0,
            longest_field_bytes: 0,
            field: None,
            types: Vec::new(),
        }
    }
}

impl Shape {
    fn read_line(&mut self, line: &[u8], at: usize) {
        if line.starts_with(b"--") {
            self.parts += 1;
            self.is_in_header = true;
        } else if line.trim_ascii_end().is_empty() {
            self.is_in_header = false;
        }
        self.header_lines += usize::from(self.is_in_header);
        let is_continued = matches!(line.first(), Some(b' ' | b'\t')) && self.field.is_some();
        if !is_continued {
            self.end_field(at);
            self.field = part_field(line).map(|is_type| (at, is_type));
        }
    }

    fn end_field(&mut self, end: usize) {
        if let Some((start, is_type)) = self.field.take() {
            self.longest_field_bytes = self.longest_field_bytes.max(end - start);
            if is_type {
                self.types.push(start..end);
            }
        }
    }

    fn check(&self, multiparts: usize) -> Result<(), String> {
        match () {
            () if self.header_lines > HEADER_LINES_MAX => Err(format!(
                "it has more than {HEADER_LINES_MAX} lines of headers"
            )),
            () if self.parts > PARTS_MAX => Err(format!("it has more than {PARTS_MAX} parts")),
            () if multiparts > MULTIPARTS_MAX => Err(format!(
                "it has more than {MULTIPARTS_MAX} parts that hold others"
            )),
            () if self.longest_field_bytes > PART_FIELD_BYTES_MAX => Err(format!(
                "a header of one of its parts is longer than {PART_FIELD_BYTES_MAX} bytes"
            )),
            () => Ok(()),
        }
    }
}

/// Whether a line begins a header that says what a part is, and if so whether it gives the media type. The parser
/// reads names without their blanks.
fn part_field(line: &[u8]) -> Option<bool> {
    const NAME_BYTES_MAX: usize = 128;
    if !matches!(line.trim_ascii_start().first(), Some(b'c' | b'C')) {
        return None;
    }
    let name = line.get(..NAME_BYTES_MAX).unwrap_or(line);
    let name = name.split(|byte| *byte == b':').next()?;
    let name: Vec<u8> = name
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(u8::to_ascii_lowercase)
        .collect();
    name.starts_with(b"content-")
        .then(|| name == b"content-type")
}

/// Messages within a message are named `message/…`; those of a digest bear no name at all.
fn replace_message_type(field: &mut [u8]) {
    let holds = |word: &str| find(field, word, 0).is_some();
    let is_message = holds("message");
    for (word, stand_in) in STAND_INS {
        let mut from = 0;
        while let Some(at) = find(field, word, from) {
            from = at + word.len();
            let is_subtype = field
                .get(..at)
                .is_some_and(|before| before.trim_ascii_end().ends_with(b"/"));
            if (is_message || is_subtype)
                && let Some(bytes) = field.get_mut(at..from)
            {
                bytes.copy_from_slice(stand_in.as_bytes());
            }
        }
    }
}

fn find(field: &[u8], word: &str, from: usize) -> Option<usize> {
    let rest = field.get(from..)?;
    let at = rest
        .windows(word.len())
        .position(|window| window.eq_ignore_ascii_case(word.as_bytes()))?;
    Some(from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str) -> Result<String, String> {
        let mut bytes = text.as_bytes().to_vec();
        prepare(&mut bytes)?;
        Ok(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn messages_within_a_message_are_not_looked_into() {
        let message = "A: 1\nContent-Type:\n Message/(x)RFC822; x=y\n\nmessage/rfc822\n";
        let expected = "A: 1\nContent-Type:\n Message/(x)rfc82x; x=y\n\nmessage/rfc822\n";
        assert_eq!(prepared(message).unwrap(), expected);
        let digest = "Conte nt-type :multipart/digest; boundary=digest\n\n";
        assert_eq!(
            prepared(digest).unwrap(),
            digest.replacen("digest", "digesx", 1)
        );
        assert_eq!(restore("message/rfc82x".to_owned()), "message/rfc822");
    }

    #[test]
    fn what_has_too_much_is_refused() {
        let headers = "a:b\n".repeat(HEADER_LINES_MAX + 1);
        let parts = "--a\n\n".repeat(PARTS_MAX + 1);
        let field = format!(
            "Content-Type: a/b{}\n\n",
            ";\n a*0=b".repeat(PART_FIELD_BYTES_MAX / 8)
        );
        let multiparts = "--a\nContent-Type: multipart/mixed\n\n".repeat(MULTIPARTS_MAX + 1);
        for (text, reason) in [
            (multiparts, "parts that hold others"),
            (headers, "lines of headers"),
            (parts, "parts"),
            (field, "of one of its parts"),
        ] {
            assert!(prepared(&text).unwrap_err().contains(reason), "{reason}");
        }
        let text = format!("a: b\n\n{}", "c: d\n".repeat(HEADER_LINES_MAX + 1));
        assert_eq!(prepared(&text).unwrap(), text);
    }
}
