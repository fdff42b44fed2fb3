//! Content lines: physical lines joined as iCalendar (RFC 5545 §3.1) and the versions of vCard (RFC 6350 §3.2) fold them.

use std::io::{self, BufRead};
use std::iter::Peekable;

use crate::text::decode;
use crate::text::lines::{TextLine, TextLines};

/// The longest line that is read, unfolded; a longer one is cut and says so.
pub(in crate::readers) const LINE_BYTES_MAX: usize = 1024 * 1024;

/// How a line goes on in the lines after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::readers) enum Folding {
    /// After a leading blank, which is dropped.
    Calendar,
    /// After a leading blank, after the `=` at the end of quoted-printable, and in bare lines of base64, which are dropped.
    Card {
        /// Version 2.1 folds between words: the blank is part of the value.
        keeps_blank: bool,
    },
}

/// The content lines of a reader; each is numbered as its first physical line.
pub(super) struct ContentLines<R: BufRead> {
    lines: Peekable<TextLines<R>>,
}

impl<R: BufRead> ContentLines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: TextLines::new(reader, LINE_BYTES_MAX).peekable(),
        }
    }

    /// The next line with all that belongs to it; `None` at the end.
    pub(super) fn read_line(&mut self, folding: Folding) -> Option<io::Result<TextLine>> {
        let mut line = match self.lines.next()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        match folding {
            Folding::Calendar => self.join_folds(&mut line, false),
            Folding::Card { keeps_blank } => {
                let encoding = ValueEncoding::of_property(&line.bytes);
                if encoding.is_quoted_printable {
                    self.join_soft_breaks(&mut line);
                }
                self.join_folds(&mut line, keeps_blank);
                if encoding.is_base64 {
                    while self.lines.next_if(is_base64).is_some() {}
                }
            }
        }
        Some(Ok(line))
    }

    fn join_folds(&mut self, line: &mut TextLine, keeps_blank: bool) {
        while let Some(Ok(next)) = self.lines.next_if(is_continuation) {
            let kept = next.bytes.get(usize::from(!keeps_blank)..);
            append(line, kept.unwrap_or_default(), next.is_cut);
        }
    }

    /// A line that ends with `=` goes on in the next one, unless that ends the card.
    fn join_soft_breaks(&mut self, line: &mut TextLine) {
        let is_joined = |next: &io::Result<TextLine>| {
            next.as_ref().is_ok_and(|next| !is_end_of_card(&next.bytes))
        };
        while line.bytes.trim_ascii_end().ends_with(b"=") {
            let Some(Ok(next)) = self.lines.next_if(is_joined) else {
                return;
            };
            let length = line.bytes.trim_ascii_end().len();
            line.bytes.truncate(length.saturating_sub(1));
            append(line, &next.bytes, next.is_cut);
        }
    }
}

/// How the parameters of a vCard property say that its value is encoded.
struct ValueEncoding {
    is_quoted_printable: bool,
    is_base64: bool,
}

impl ValueEncoding {
    fn of_property(line: &[u8]) -> Self {
        let head = colon_of(line).and_then(|colon| line.get(..colon));
        let head = String::from_utf8_lossy(head.unwrap_or_default()).to_ascii_uppercase();
        let mut parameters = head.split(';').skip(1).map(str::trim);
        Self {
            is_quoted_printable: head.contains("QUOTED-PRINTABLE"),
            is_base64: parameters
                .any(|one| matches!(one, "BASE64" | "ENCODING=BASE64" | "ENCODING=B")),
        }
    }
}

/// The colon that ends the head of a line; within quotes it does not, unless the quotes do not end.
pub(in crate::readers) fn colon_of(line: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    let unquoted = line.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        *byte == b':' && !is_quoted
    });
    unquoted.or_else(|| line.iter().position(|byte| *byte == b':'))
}

/// What stands before and after the first colon in the first `bytes_max` bytes, both trimmed and in capitals; `None` without one.
pub(in crate::readers) fn name_and_value(
    line: &TextLine,
    bytes_max: usize,
) -> Option<(String, String)> {
    let start = line.bytes.get(..line.bytes.len().min(bytes_max))?;
    let colon = start.iter().position(|byte| *byte == b':')?;
    let capitals = |bytes| decode(bytes, None).trim().to_ascii_uppercase();
    let (name, value) = (start.get(..colon)?, start.get(colon + 1..)?);
    Some((capitals(name), capitals(value)))
}

fn append(line: &mut TextLine, bytes: &[u8], is_cut: bool) {
    let room = LINE_BYTES_MAX.saturating_sub(line.bytes.len());
    line.is_cut |= is_cut || bytes.len() > room;
    line.bytes.extend(bytes.iter().take(room));
}

fn is_continuation(line: &io::Result<TextLine>) -> bool {
    line.as_ref()
        .is_ok_and(|line| matches!(line.bytes.first(), Some(b' ' | b'\t')))
}

/// A line of a base64 block as old phones write it, without the leading blank.
fn is_base64(line: &io::Result<TextLine>) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/= \t".contains(byte);
    line.as_ref()
        .is_ok_and(|line| !line.bytes.is_empty() && line.bytes.iter().all(is_digit))
}

fn is_end_of_card(line: &[u8]) -> bool {
    line.trim_ascii().eq_ignore_ascii_case(b"END:VCARD")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, folding: Folding) -> Vec<(u64, String)> {
        let mut lines = ContentLines::new(text.as_bytes());
        std::iter::from_fn(|| lines.read_line(folding))
            .map(Result::unwrap)
            .map(|line| (line.number, String::from_utf8(line.bytes).unwrap()))
            .collect()
    }

    #[test]
    fn lines_are_joined_as_their_format_folds_them() {
        let version_2 = Folding::Card { keeps_blank: true };
        let version_3 = Folding::Card { keeps_blank: false };
        let quoted = "A;QUOTED-PRINTABLE:1=\n2=\nEND:VCARD";
        let picture = "PHOTO;ENCODING=B:AAAA\nBBBB\n\nFN:x";
        let table = [
            (
                "A:1\n 2\n\t3\nB:4",
                Folding::Calendar,
                vec![(1, "A:123"), (4, "B:4")],
            ),
            ("A:1\n 2", version_3, vec![(1, "A:12")]),
            ("A:1\n 2", version_2, vec![(1, "A:1 2")]),
            (
                quoted,
                version_2,
                vec![(1, "A;QUOTED-PRINTABLE:12="), (3, "END:VCARD")],
            ),
            (
                quoted,
                Folding::Calendar,
                vec![(1, "A;QUOTED-PRINTABLE:1="), (2, "2="), (3, "END:VCARD")],
            ),
            (
                picture,
                version_2,
                vec![(1, "PHOTO;ENCODING=B:AAAA"), (3, ""), (4, "FN:x")],
            ),
        ];
        for (text, folding, expected) in table {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(number, line)| (number, line.to_owned()))
                .collect();
            assert_eq!(lines(text, folding), expected, "{text:?} {folding:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_only_with_its_continuations_is_cut() {
        let text = format!("A:{}\n bc\nB:1", "x".repeat(LINE_BYTES_MAX - 3));
        let mut lines = ContentLines::new(text.as_bytes());
        let cut = lines.read_line(Folding::Calendar).unwrap().unwrap();
        assert_eq!((cut.bytes.len(), cut.is_cut), (LINE_BYTES_MAX, true));
        assert!(cut.bytes.ends_with(b"xb"));
        let next = lines.read_line(Folding::Calendar).unwrap().unwrap();
        assert_eq!((next.number, next.is_cut), (3, false));
    }
}
