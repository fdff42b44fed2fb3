//! The bytes of a mail file as lines that keep their line ends, and a look ahead.
//!
//! A message is kept as it came, so its line ends are part of it; `lines.rs` drops them. A line without an end
//! comes in parts, so that no long line is held whole. What a line means is not known here.

use std::io::{self, BufRead};

/// The longest part of a line that is read at a time.
const PART_BYTES_MAX: usize = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads a mail file line by line.
pub(super) struct MailLines<R> {
    reader: R,
    /// Bytes that were read ahead.
    ahead: Vec<u8>,
    /// How much of `ahead` has been returned.
    used: usize,
    /// The line that the next part belongs to, counted from 1.
    line: u64,
    /// Whether the next part begins a line.
    begins_line: bool,
}

/// What was read into the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MailLine {
    pub line: u64,
    pub begins_line: bool,
}

impl<R: BufRead> MailLines<R> {
    /// A byte order mark at the beginning is skipped.
    pub(super) fn new(reader: R) -> io::Result<Self> {
        let mut lines = Self {
            reader,
            ahead: Vec::new(),
            used: 0,
            line: 1,
            begins_line: true,
        };
        if lines.peek(BYTE_ORDER_MARK.len())? == BYTE_ORDER_MARK {
            lines.consume(BYTE_ORDER_MARK.len());
        }
        Ok(lines)
    }

    /// Puts the next line, or a part of it, into `buffer`; `None` at the end.
    pub(super) fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<MailLine>> {
        buffer.clear();
        loop {
            let room = PART_BYTES_MAX - buffer.len();
            let next = self.fill()?;
            let mut within = next.get(..room.min(next.len())).unwrap_or_default();
            let taken = within.read_until(b'\n', buffer)?;
            let is_over = taken == 0 || taken == room || buffer.last() == Some(&b'\n');
            self.consume(taken);
            if is_over {
                return Ok((!buffer.is_empty()).then(|| self.count(buffer)));
            }
        }
    }

    /// The next bytes, at most `bytes` of them; fewer only at the end.
    pub(super) fn peek(&mut self, bytes: usize) -> io::Result<&[u8]> {
        self.ahead.drain(..self.used);
        self.used = 0;
        while self.ahead.len() < bytes {
            let more = self.reader.fill_buf()?;
            if more.is_empty() {
                break;
            }
            self.ahead.extend_from_slice(more);
            let read = more.len();
            self.reader.consume(read);
        }
        let there = bytes.min(self.ahead.len());
        Ok(self.ahead.get(..there).unwrap_or_default())
    }

    fn count(&mut self, line: &[u8]) -> MailLine {
        let here = MailLine {
            line: self.line,
            begins_line: self.begins_line,
        };
        self.begins_line = line.last() == Some(&b'\n');
        self.line += u64::from(self.begins_line);
        here
    }

    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.used == self.ahead.len() {
            self.reader.fill_buf()
        } else {
            Ok(self.ahead.get(self.used..).unwrap_or_default())
        }
    }

    fn consume(&mut self, bytes: usize) {
        if self.used == self.ahead.len() {
            self.reader.consume(bytes);
        } else {
            self.used += bytes;
        }
    }
}

/// Whether a line is nothing but its end.
pub(super) fn is_blank(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    #[test]
    fn lines_keep_their_ends_and_are_numbered() {
        let mut lines = MailLines::new(&b"\xEF\xBB\xBFa\r\n\nlast"[..]).unwrap();
        let mut buffer = Vec::new();
        for (line, text) in [(1, &b"a\r\n"[..]), (2, b"\n"), (3, b"last")] {
            let read = lines.read(&mut buffer).unwrap().unwrap();
            assert_eq!((read.line, buffer.as_slice()), (line, text));
        }
        assert_eq!(lines.read(&mut buffer).unwrap(), None);
    }

    #[test]
    fn a_line_without_end_comes_in_pieces() {
        let long = vec![b'x'; PART_BYTES_MAX * 2 + 1];
        let mut lines = MailLines::new(long.as_slice()).unwrap();
        let mut buffer = Vec::new();
        let mut seen = Vec::new();
        while let Some(read) = lines.read(&mut buffer).unwrap() {
            seen.push((read.line, read.begins_line, buffer.len()));
        }
        let max = PART_BYTES_MAX;
        assert_eq!(seen, [(1, true, max), (1, false, max), (1, false, 1)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_however_often_one_looks(text in "[a\n]{0,40}", buffer in 1_usize..5, looks in proptest::collection::vec(0_usize..9, 50)) {
            let mut lines = MailLines::new(BufReader::with_capacity(buffer, text.as_bytes())).unwrap();
            let (mut line, mut all) = (Vec::new(), Vec::new());
            for look in looks {
                let rest = text.as_bytes().get(all.len()..).unwrap();
                prop_assert_eq!(lines.peek(look).unwrap(), &rest[..look.min(rest.len())]);
                if lines.read(&mut line).unwrap().is_some() {
                    all.extend_from_slice(&line);
                }
            }
            prop_assert_eq!(all, text.into_bytes());
        }
    }
}
