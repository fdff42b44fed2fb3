//! Physical lines of a file, numbered from 1, each within a limit.
//!
//! A line over the limit is skipped to its end without being held, and says so: the rest of the file goes on.
//! Knows nothing of what the lines mean.

use std::io::{self, BufRead};

/// One line without its line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// Counted from 1.
    pub number: u64,
    /// At most the limit; cut there if `is_cut`.
    pub bytes: Vec<u8>,
    pub is_cut: bool,
}

/// Iterates over the lines of a reader. `\n` and `\r\n` end a line, and a lone `\r` in files that begin with such
/// lines, as old programs write them; a byte order mark before the first line is dropped.
pub(crate) struct TextLines<R> {
    reader: R,
    line_bytes_max: usize,
    /// The byte that ends a line, known from the first buffer.
    line_end: Option<u8>,
    number: u64,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl<R: BufRead> TextLines<R> {
    pub(crate) fn new(reader: R, line_bytes_max: usize) -> Self {
        Self {
            reader,
            line_bytes_max,
            line_end: None,
            number: 0,
        }
    }

    fn read_line(&mut self) -> io::Result<Option<TextLine>> {
        let mut bytes = Vec::new();
        let mut read_bytes = 0_usize;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let terminator = *self.line_end.get_or_insert_with(|| line_end_of(buffer));
            let line_end = buffer.iter().position(|byte| *byte == terminator);
            let content_bytes = line_end.unwrap_or(buffer.len());
            let room = self
                .line_bytes_max
                .saturating_add(1)
                .saturating_sub(bytes.len());
            bytes.extend(buffer.iter().take(content_bytes.min(room)));
            let used = content_bytes + usize::from(line_end.is_some());
            self.reader.consume(used);
            read_bytes = read_bytes.saturating_add(used);
            if line_end.is_some() {
                break;
            }
        }
        Ok((read_bytes > 0).then(|| self.finish(bytes)))
    }

    fn finish(&mut self, mut bytes: Vec<u8>) -> TextLine {
        self.number += 1;
        while bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let is_cut = bytes.len() > self.line_bytes_max;
        bytes.truncate(self.line_bytes_max);
        TextLine {
            number: self.number,
            bytes,
            is_cut,
        }
    }
}

/// A `\r` at the end of the buffer is undecided: a `\n` may follow.
fn line_end_of(beginning: &[u8]) -> u8 {
    let within = beginning.strip_suffix(b"\r").unwrap_or(beginning);
    match within.contains(&b'\r') && !beginning.contains(&b'\n') {
        true => b'\r',
        false => b'\n',
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = io::Result<TextLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_line().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    fn lines_of(bytes: &[u8], buffer_bytes: usize, limit: usize) -> Vec<(u64, String, bool)> {
        TextLines::new(BufReader::with_capacity(buffer_bytes, bytes), limit)
            .map(|line| line.unwrap())
            .map(|line| {
                let text = String::from_utf8_lossy(&line.bytes).into_owned();
                (line.number, text, line.is_cut)
            })
            .collect()
    }

    #[test]
    fn a_line_over_the_limit_is_cut_and_the_next_one_is_whole() {
        let lines = lines_of(b"ab\r\nabcdefgh\nlast", 3, 4);
        let expected = [(1, "ab", false), (2, "abcd", true), (3, "last", false)];
        assert_eq!(
            lines,
            expected.map(|(number, text, cut)| (number, text.to_owned(), cut))
        );
    }

    #[test]
    fn all_kinds_of_line_ends_are_read() {
        for text in ["a\nb\n", "a\r\nb\r\n", "a\rb\r", "a\r\r\nb"] {
            let lines: Vec<_> = lines_of(text.as_bytes(), 64, 64)
                .into_iter()
                .map(|line| line.1)
                .collect();
            assert_eq!(lines, ["a", "b"], "{text:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_belongs_to_no_line() {
        assert_eq!(
            lines_of(b"\xEF\xBB\xBFa\n", 64, 64),
            [(1, "a".to_owned(), false)]
        );
    }

    proptest! {
        #[test]
        fn within_the_limit_lines_are_those_of_the_standard_library(text in "[a-c\n]{0,60}", buffer in 1_usize..9) {
            let ours: Vec<_> = lines_of(text.as_bytes(), buffer, 100).into_iter().map(|line| line.1).collect();
            let theirs: Vec<_> = text.lines().map(str::to_owned).collect();
            prop_assert_eq!(ours, theirs);
        }
    }
}
