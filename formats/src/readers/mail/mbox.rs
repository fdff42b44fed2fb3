//! `.mbox`: one file of many messages, each begun by a line `From sender date`.
//!
//! Four kinds are in use and none says which it is. mboxo and mboxrd write `>From ` for a line of a text that
//! begins with `From `, and mboxcl the length of the text besides; mboxcl2 has the length alone. A separator
//! here is a `From ` line after an empty one that has a date, or nothing, and is followed by a header; one that
//! nothing else can be needs no empty line, which some programs forget. The length is a hint: it is used where a
//! separator, or the end, stands just behind it.

#[cfg(test)]
mod tests;

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
    lines: MailLines<R>,
    buffer: Vec<u8>,
    /// The message whose separator has been read.
    next: Option<MboxMessage>,
}

impl<R: BufRead> MboxMessages<R> {
    /// `None` if what comes first is no separator.
    pub(super) fn begin(lines: MailLines<R>) -> io::Result<Option<Self>> {
        let mut messages = Self {
            lines,
            buffer: Vec::new(),
            next: None,
        };
        while let Some(read) = messages.lines.read(&mut messages.buffer)? {
            if !is_blank(&messages.buffer) {
                let from = FromLine::parse_first(&messages.buffer);
                messages.next = from.map(|from| MboxMessage::begun_by(read.line, from));
                break;
            }
        }
        Ok(messages.next.is_some().then_some(messages))
    }

    fn read_message(&mut self) -> io::Result<Option<MboxMessage>> {
        let Some(mut message) = self.next.take() else {
            return Ok(None);
        };
        let mut reading = OpenMessage::default();
        while let Some(read) = self.lines.read(&mut self.buffer)? {
            let line = &self.buffer;
            if read.begins_line && line.starts_with(FROM) {
                let look = self.lines.peek(LOOK_BYTES)?;
                let from = match reading.is_after_blank {
                    true => FromLine::parse_separator(line, look),
                    false => FromLine::parse_strict(line, look),
                };
                if let Some(from) = from {
                    self.next = Some(MboxMessage::begun_by(read.line, from));
                    return Ok(Some(message));
                }
            }
            reading.push_line(&mut message.held, line, read.begins_line);
            if reading.is_in_body
                && let Some(length) = reading.length.take()
            {
                self.read_by_length(&mut message.held, &mut reading, length)?;
            }
        }
        reading.push_blank(&mut message.held);
        Ok(Some(message))
    }

    /// Reads a text by its declared length, if the length is right.
    fn read_by_length(
        &mut self,
        held: &mut HeldMessage,
        reading: &mut OpenMessage,
        length: usize,
    ) -> io::Result<()> {
        let ahead = self.lines.peek(length + LOOK_BYTES)?;
        let Some((text, behind)) = ahead.split_at_checked(length) else {
            return Ok(());
        };
        if !ends_here(behind) {
            return Ok(());
        }
        // Where a bare `From ` stands in the text, the kind is the one that quotes nothing.
        let is_quoted = !has_separator(text);
        let text_lines = text.split_inclusive(|byte| *byte == b'\n').count();
        reading.push_blank(held);
        for _ in 0..text_lines {
            if self.lines.read(&mut self.buffer)?.is_none() {
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
    fn begun_by(line: u64, from: FromLine) -> Self {
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
    fn push_line(&mut self, held: &mut HeldMessage, line: &[u8], begins_line: bool) {
        self.is_after_blank = begins_line && is_blank(line);
        if !self.is_in_body {
            self.length = content_length(line).or(self.length);
            self.is_in_body = self.is_after_blank;
            held.push(line);
            return;
        }
        self.push_blank(held);
        if self.is_after_blank {
            self.blank.extend_from_slice(line);
        } else if begins_line {
            held.push(unquote(line));
        } else {
            held.push(line);
        }
    }

    /// The empty line was not the last of the message.
    fn push_blank(&mut self, held: &mut HeldMessage) {
        if !self.blank.is_empty() {
            held.push(&self.blank);
            self.blank.clear();
        }
    }
}

/// Without the `>` that was put before a `From ` at the beginning of a line.
fn unquote(line: &[u8]) -> &[u8] {
    let quotes = line.iter().take_while(|byte| **byte == b'>').count();
    let (_, bare) = line.split_at_checked(quotes).unwrap_or_default();
    match quotes > 0 && bare.starts_with(b"From ") {
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
        self.read_message().transpose()
    }
}
