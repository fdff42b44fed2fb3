//! `.mbox`: one file of many messages, each begun by a line `From sender date`.
//!
//! Four kinds are in use and none says which it is. mboxo and mboxrd write `>From ` for a line of a text that
//! begins with `From `, and mboxcl the length of the text besides; mboxcl2 has the length alone. A separator
//! here is a `From ` line after an empty one that has a date, or nothing, and is followed by a header; one that
//! nothing else can be needs no empty line, which some programs forget. The length is a hint: it is believed where a separator, or the end, stands just behind it.

use std::io::{self, BufRead};

use super::from_line::{FROM, FromLine};
use super::held_message::HeldMessage;
use super::mail_lines::{MailLines, is_blank};

/// The longest text whose declared length is checked; a longer one is separated by its lines alone.
const LENGTH_CHECKED_MAX: usize = 1024 * 1024;
/// How much of what follows a separator is looked at.
const LOOK_BYTES: usize = 256;
const CONTENT_LENGTH: &[u8] = b"content-length:";

/// One message of a mailbox.
#[derive(Debug, Default)]
pub(super) struct MboxMessage {
    /// The line of its separator, counted from 1.
    pub line: u64,
    pub from: FromLine,
    pub held: HeldMessage,
}

/// Iterates over the messages of a mailbox.
pub(super) struct MboxMessages<R> {
    pieces: MailLines<R>,
    buffer: Vec<u8>,
    /// The message whose separator has been read.
    next: Option<MboxMessage>,
}

impl<R: BufRead> MboxMessages<R> {
    /// `None` if what comes first is no separator.
    pub(super) fn begin(pieces: MailLines<R>) -> io::Result<Option<Self>> {
        let mut messages = Self {
            pieces,
            buffer: Vec::new(),
            next: None,
        };
        while let Some(piece) = messages.pieces.read(&mut messages.buffer)? {
            if !is_blank(&messages.buffer) {
                let from = FromLine::first(&messages.buffer);
                messages.next = from.map(|from| MboxMessage::after(piece.line, from));
                break;
            }
        }
        Ok(messages.next.is_some().then_some(messages))
    }

    fn read_letter(&mut self) -> io::Result<Option<MboxMessage>> {
        let Some(mut letter) = self.next.take() else {
            return Ok(None);
        };
        let mut reading = OpenMessage::default();
        while let Some(piece) = self.pieces.read(&mut self.buffer)? {
            let line = &self.buffer;
            if piece.begins_line && line.starts_with(FROM) {
                let look = self.pieces.peek(LOOK_BYTES)?;
                let from = match reading.is_after_blank {
                    true => FromLine::parse_separator(line, look),
                    false => FromLine::parse_strict(line, look),
                };
                if let Some(from) = from {
                    self.next = Some(MboxMessage::after(piece.line, from));
                    return Ok(Some(letter));
                }
            }
            reading.take(&mut letter.held, line, piece.begins_line);
            if reading.is_in_body
                && let Some(length) = reading.length.take()
            {
                self.take_length(&mut letter.held, &mut reading, length)?;
            }
        }
        reading.release(&mut letter.held);
        Ok(Some(letter))
    }

    /// Takes a text by its declared length, if the length is right.
    fn take_length(
        &mut self,
        held: &mut HeldMessage,
        reading: &mut OpenMessage,
        length: usize,
    ) -> io::Result<()> {
        let ahead = self.pieces.peek(length + LOOK_BYTES)?;
        let Some((text, behind)) = ahead.split_at_checked(length) else {
            return Ok(());
        };
        if !ends_here(behind) {
            return Ok(());
        }
        // Where a bare `From ` stands in the text, the kind is the one that quotes nothing.
        let is_quoted = !has_separator(text);
        let text_lines = text.split_inclusive(|byte| *byte == b'\n').count();
        reading.release(held);
        for _ in 0..text_lines {
            if self.pieces.read(&mut self.buffer)?.is_none() {
                break;
            }
            match is_quoted {
                true => held.push(unquote(&self.buffer)),
                false => held.push(&self.buffer),
            }
        }
        reading.is_after_blank = true;
        Ok(())
    }
}

impl MboxMessage {
    fn after(line: u64, from: FromLine) -> Self {
        Self {
            line,
            from,
            held: HeldMessage::default(),
        }
    }
}

/// The state of the message that is being read.
#[derive(Default)]
struct OpenMessage {
    is_in_body: bool,
    is_after_blank: bool,
    /// An empty line that belongs to the message only if more of it follows.
    blank: Vec<u8>,
    /// `Content-Length`, once.
    length: Option<usize>,
}

impl OpenMessage {
    fn take(&mut self, held: &mut HeldMessage, line: &[u8], begins_line: bool) {
        self.is_after_blank = begins_line && is_blank(line);
        if !self.is_in_body {
            self.length = content_length(line).or(self.length);
            self.is_in_body = self.is_after_blank;
            held.push(line);
            return;
        }
        self.release(held);
        if self.is_after_blank {
            self.blank.extend_from_slice(line);
        } else if begins_line {
            held.push(unquote(line));
        } else {
            held.push(line);
        }
    }

    fn release(&mut self, held: &mut HeldMessage) {
        if !self.blank.is_empty() {
            held.push(&self.blank);
            self.blank.clear();
        }
    }
}

/// Without the `>` that was put before a `From ` at the beginning of a line.
fn unquote(line: &[u8]) -> &[u8] {
    let marks = line.iter().take_while(|byte| **byte == b'>').count();
    let (_, bare) = line.split_at_checked(marks).unwrap_or_default();
    match marks > 0 && bare.starts_with(b"From ") {
        true => line.get(1..).unwrap_or_default(),
        false => line,
    }
}

fn content_length(line: &[u8]) -> Option<usize> {
    let (name, value) = line.split_at_checked(CONTENT_LENGTH.len())?;
    let value = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
    (name.eq_ignore_ascii_case(CONTENT_LENGTH) && (1..=LENGTH_CHECKED_MAX).contains(&value))
        .then_some(value)
}

/// Whether a message can end before these bytes: they are none, or empty lines and then a separator.
fn ends_here(behind: &[u8]) -> bool {
    let mut rest = behind;
    for line in behind.split_inclusive(|byte| *byte == b'\n') {
        rest = rest.get(line.len()..).unwrap_or_default();
        if !is_blank(line) {
            return FromLine::parse_separator(line, rest).is_some();
        }
    }
    true
}

fn has_separator(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"From "))
}

impl<R: BufRead> Iterator for MboxMessages<R> {
    type Item = io::Result<MboxMessage>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_letter().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<(u64, String)> {
        let pieces = MailLines::new(text.as_bytes()).unwrap();
        let messages = MboxMessages::begin(pieces).unwrap().unwrap();
        messages
            .map(|letter| letter.unwrap())
            .map(|letter| (letter.line, String::from_utf8(letter.held.bytes).unwrap()))
            .collect()
    }

    const FROM: &str = "From ann@example.com Sat Nov 21 06:44:56 2026";

    #[test]
    fn messages_end_where_the_next_begins_and_the_last_needs_no_end() {
        for end in ["\n", "\r\n"] {
            let text = format!("{FROM}\nA: 1\n\nx\n\n{FROM}\nA: 2\n\ny").replace('\n', end);
            let expected = ["A: 1\n\nx\n", "A: 2\n\ny"].map(|text| text.replace('\n', end));
            let found = messages(&text);
            assert_eq!(found[0], (1, expected[0].clone()));
            assert_eq!(found[1], (6, expected[1].clone()));
        }
    }

    #[test]
    fn a_from_in_a_text_is_no_separator() {
        let texts = [
            "x\nFrom ann Sat Nov 21 06:44:56 2026\nA: 1\n",
            "\nFrom here it goes on: at 10:30 in 2026\nwe met\n",
            "\nFrom here on\nNote: all is well\n",
        ];
        for text in texts {
            let whole = format!("{FROM}\nA: 1\n\n{text}");
            assert_eq!(messages(&whole), [(1, format!("A: 1\n\n{text}"))]);
        }
    }

    #[test]
    fn a_separator_that_nothing_else_can_be_needs_no_empty_line() {
        let text = format!("{FROM}\nA: 1\n\nx\n{FROM}\nReturn-Path: <a@b>\n\ny\n");
        let whole: Vec<_> = messages(&text).into_iter().map(|(_, text)| text).collect();
        assert_eq!(whole, ["A: 1\n\nx\n", "Return-Path: <a@b>\n\ny\n"]);
        for near in [
            "From ann at noon\nDate: 1\n",
            ">From ann@b.c Sat Nov 21 06:44:56 2026\nDate: 1\n",
        ] {
            assert_eq!(messages(&format!("{FROM}\nA: 1\n\nx\n{near}")).len(), 1);
        }
    }

    #[test]
    fn quoted_lines_lose_one_mark() {
        let text = format!("{FROM}\nA: 1\n\n>From x\n>>From y\n> From z\n>Fromage\n");
        let expected = "A: 1\n\nFrom x\n>From y\n> From z\n>Fromage\n";
        assert_eq!(messages(&text)[0].1, expected);
    }

    #[test]
    fn a_separator_may_be_bare() {
        let text = "From \r\nA: 1\r\n\r\nx\r\n\r\nFrom \r\nA: 2\r\n\r\ny\r\n";
        assert_eq!(messages(text).len(), 2);
    }

    #[test]
    fn a_length_that_is_right_holds_separators_and_a_wrong_one_holds_nothing() {
        let inner = format!("x\n\n{FROM}\nB: 2\n\n>From y\n");
        for (length, count) in [(inner.len(), 2), (inner.len() + 2, 3), (3, 3), (9999, 3)] {
            let text = format!("{FROM}\nContent-Length: {length}\n\n{inner}\n{FROM}\nC: 3\n\nz\n");
            let found = messages(&text);
            assert_eq!(found.len(), count, "{length}: {found:?}");
            if count == 2 {
                assert!(found[0].1.ends_with(&inner), "{found:?}");
            }
        }
    }

    #[test]
    fn a_message_may_be_empty() {
        let text = format!("{FROM}\n\n{FROM}\nA: 1\n\n");
        assert_eq!(messages(&text).len(), 2);
    }
}
