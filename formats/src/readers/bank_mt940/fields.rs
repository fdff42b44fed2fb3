//! Lines to fields: `:` tag `:` and a text, which goes on over the lines that begin no other.

use std::io::{self, BufRead};

use crate::text::decode;
use crate::text::lines::{TextLine, TextLines};

/// The tag that begins a statement.
pub(super) const REFERENCE: &str = "20";
/// Whose account it is.
pub(super) const ACCOUNT: [&str; 2] = ["25", "25P"];
/// A booking.
pub(super) const BOOKING: &str = "61";
/// What is said of the booking before it.
pub(super) const DETAILS: &str = "86";
/// Far more than the 65 characters that a line may have; some programs write all of a field into one.
const LINE_BYTES_MAX: usize = 8 * 1024;
/// Details have six lines of 65 characters, and with some banks many more.
pub(super) const FIELD_BYTES_MAX: usize = 16 * 1024;

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mt940Field {
    /// Where it begins, counted from 1.
    pub line: u64,
    /// As `61`, `60F`.
    pub tag: String,
    /// Its lines, without what ends them.
    pub text: String,
    /// It was longer than a field may be.
    pub is_cut: bool,
}

/// The fields of a file in its order. What stands outside of fields (the blocks of an envelope) is passed over.
pub(super) struct Mt940Fields<R> {
    lines: TextLines<R>,
    /// The field whose lines are being read.
    open: Option<Mt940Field>,
}

impl<R: BufRead> Mt940Fields<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: TextLines::new(reader, LINE_BYTES_MAX),
            open: None,
        }
    }

    /// Takes in a line; the field before it, if it ends that.
    fn take(&mut self, line: &TextLine) -> Option<Mt940Field> {
        let text = decode(&line.bytes, None);
        // What some programs send before and after a message: the signs for its beginning and its end.
        let text = text.trim_matches(char::is_control).trim_end();
        // The text block of an envelope may begin on the same line.
        let begun = text.strip_prefix("{4:").unwrap_or(text);
        if let Some((tag, rest)) = begin_of_field(begun) {
            let next = Mt940Field {
                line: line.number,
                tag: tag.to_owned(),
                text: rest.to_owned(),
                is_cut: line.is_cut,
            };
            return self.open.replace(next);
        }
        if ends_message(text) {
            return self.open.take();
        }
        if let Some(open) = &mut self.open {
            let has_room = open.text.len() + text.len() < FIELD_BYTES_MAX;
            open.is_cut |= line.is_cut || !has_room;
            if has_room {
                open.text.push('\n');
                open.text.push_str(text);
            }
        }
        None
    }
}

impl<R: BufRead> Iterator for Mt940Fields<R> {
    type Item = io::Result<Mt940Field>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.lines.next() {
                None => return self.open.take().map(Ok),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) => {
                    if let Some(field) = self.take(&line) {
                        return Some(Ok(field));
                    }
                }
            }
        }
    }
}

/// The tag and what follows it, of a line that begins a field.
fn begin_of_field(line: &str) -> Option<(&str, &str)> {
    let (tag, rest) = line.strip_prefix(':')?.split_once(':')?;
    let mut bytes = tag.bytes();
    let is_number = bytes.by_ref().take(2).filter(u8::is_ascii_digit).count() == 2;
    let option = bytes.next();
    let is_tag = is_number
        && option.is_none_or(|option| option.is_ascii_uppercase())
        && bytes.next().is_none();
    is_tag.then_some((tag, rest))
}

/// `-` alone, `-}`, or the next block of an envelope.
fn ends_message(line: &str) -> bool {
    line == "-" || line.starts_with("-}") || line.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<(u64, String, String)> {
        let fields = Mt940Fields::new(text.as_bytes());
        fields
            .map(|field| field.unwrap())
            .map(|field| (field.line, field.tag, field.text))
            .collect()
    }

    #[test]
    fn a_field_goes_on_until_the_next_or_the_end_of_its_message() {
        let text = "\u{1}{1:F01X}{2:I940}{4:\r\n\u{1A}:20:STARTUMS\r\n:86:one\r\n: two:\r\nthree\r\n-}\r\nstray\r\n:62F:C1\r\n-\u{3}\r\n";
        assert_eq!(
            fields(text),
            [
                (2, "20".to_owned(), "STARTUMS".to_owned()),
                (3, "86".to_owned(), "one\n: two:\nthree".to_owned()),
                (8, "62F".to_owned(), "C1".to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_too_long_says_so_and_the_rest_goes_on() {
        let text = format!(":86:{}\n:61:x\n", "a".repeat(LINE_BYTES_MAX + 1));
        let fields: Vec<_> = Mt940Fields::new(text.as_bytes())
            .map(Result::unwrap)
            .collect();
        let cut: Vec<bool> = fields.iter().map(|field| field.is_cut).collect();
        assert_eq!(cut, [true, false]);
    }
}
