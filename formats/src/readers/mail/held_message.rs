//! What of one message is held in memory while it is read.
//!
//! Messages are small but for what is attached to them, and of attachments only names and sizes are stored. So
//! past the first part of a message, long runs of base64 are counted instead of held, and a message with a
//! gigabyte attached costs no more than one without.

use std::io::{self, BufRead};

use super::mail_lines::{MailLines, is_blank};

/// The first bytes of a message, held as they are: what is kept of it for an export.
pub(super) const WHOLE_BYTES_MAX: usize = 1024 * 1024;
/// Held of each run of base64 behind that: more than the longest text that is stored.
const RUN_BYTES_MAX: usize = 384 * 1024;
/// The same where much is held already: more attachments than anybody sends.
const LATE_RUN_BYTES_MAX: usize = 4 * 1024;
/// The most that is held of a message.
pub(super) const HELD_BYTES_MAX: usize = 16 * 1024 * 1024;
/// A shorter line may be a word of a text.
const BASE64_LINE_BYTES_MIN: usize = 40;

/// The bytes of a message, without the middles of its large attachments.
#[derive(Debug, Default)]
pub(super) struct HeldMessage {
    pub bytes: Vec<u8>,
    /// The whole message's size, what is not held included.
    pub size: u64,
    /// More than `HELD_BYTES_MAX` would have to be held; the rest is missing.
    pub is_cut: bool,
    gaps: Vec<Gap>,
    /// Bytes of base64 since the last other line.
    run_bytes: usize,
}

/// Where bytes of base64 were left out.
#[derive(Debug)]
struct Gap {
    at: usize,
    bytes: u64,
}

impl HeldMessage {
    /// Reads a message to the end of its file, without what stands before its header.
    pub(super) fn read<R: BufRead>(lines: &mut MailLines<R>) -> io::Result<Self> {
        let mut held = Self::default();
        let mut buffer = Vec::new();
        while lines.read(&mut buffer)?.is_some() {
            let is_before = held.size == 0 && (is_blank(&buffer) || buffer.starts_with(b">From "));
            if !is_before {
                held.push(&buffer);
            }
        }
        Ok(held)
    }

    /// Adds the next line, or the next part of one.
    pub(super) fn push(&mut self, line: &[u8]) {
        self.size += line.len() as u64;
        let is_run = self.bytes.len() >= WHOLE_BYTES_MAX && is_base64(line);
        self.run_bytes = match is_run {
            true => self.run_bytes.saturating_add(line.len()),
            false => 0,
        };
        let run_bytes_max = match self.bytes.len() < HELD_BYTES_MAX / 2 {
            true => RUN_BYTES_MAX,
            false => LATE_RUN_BYTES_MAX,
        };
        if is_run && self.run_bytes > run_bytes_max {
            self.leave_out(line);
        } else if self.is_cut || self.bytes.len() + line.len() > HELD_BYTES_MAX {
            self.is_cut = true;
        } else {
            self.bytes.extend_from_slice(line);
        }
    }

    /// Puts another beginning, the header in another charset, in place of the first `length` bytes.
    pub(super) fn replace_beginning(&mut self, length: usize, with: &[u8]) {
        self.bytes.splice(..length, with.iter().copied());
        for gap in self.gaps.iter_mut().filter(|gap| gap.at >= length) {
            gap.at = gap.at - length + with.len();
        }
    }

    /// How many bytes of content the base64 stands for that was left out between two places.
    pub(super) fn missing_between(&self, from: usize, to: usize) -> u64 {
        let gaps = self.gaps.iter().filter(|gap| (from..=to).contains(&gap.at));
        gaps.map(|gap| gap.bytes / 4 * 3).sum()
    }

    fn leave_out(&mut self, line: &[u8]) {
        // A part ends before the end of its last line, which may be the last that is held.
        let at = self.bytes.trim_ascii_end().len();
        let bytes = line.trim_ascii_end().len() as u64;
        match self.gaps.last_mut().filter(|gap| gap.at == at) {
            Some(gap) => gap.bytes += bytes,
            None => self.gaps.push(Gap { at, bytes }),
        }
    }
}

/// Whether a line is one from the middle of base64: groups of four, without padding.
fn is_base64(line: &[u8]) -> bool {
    let text = line.trim_ascii_end();
    text.len() >= BASE64_LINE_BYTES_MIN
        && text.len().is_multiple_of(4)
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] =
        b"QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD\r\n";

    fn held(lines: usize) -> HeldMessage {
        let mut held = HeldMessage::default();
        for _ in 0..lines {
            held.push(LINE);
        }
        held
    }

    #[test]
    fn a_large_attachment_is_counted_and_not_held() {
        let lines = 100 * WHOLE_BYTES_MAX / LINE.len();
        let held = held(lines);
        assert!(held.bytes.len() <= WHOLE_BYTES_MAX + RUN_BYTES_MAX + LINE.len() && !held.is_cut);
        assert_eq!(held.size, (lines * LINE.len()) as u64);
        let kept = held.bytes.len() / LINE.len() * 57;
        let missing = held.missing_between(0, held.bytes.len());
        assert_eq!(kept as u64 + missing, lines as u64 * 57);
    }

    #[test]
    fn what_is_left_out_belongs_to_the_part_whose_last_line_is_as_long_as_the_others() {
        let lines = 3 * WHOLE_BYTES_MAX / LINE.len();
        let mut held = held(lines);
        let end_of_part = held.bytes.len() - b"\r\n".len();
        held.push(b"--m--\r\n");
        let kept = (end_of_part + 2) / LINE.len() * 57;
        let missing = held.missing_between(0, end_of_part);
        assert_eq!(kept as u64 + missing, lines as u64 * 57);
    }

    #[test]
    fn a_message_of_usual_size_is_held_as_it_is() {
        let mut held = held(WHOLE_BYTES_MAX / LINE.len());
        held.push(b"--end--\r\n");
        assert_eq!(held.size, held.bytes.len() as u64);
        assert_eq!(held.missing_between(0, usize::MAX), 0);
    }

    #[test]
    fn text_without_end_is_cut() {
        let mut held = HeldMessage::default();
        for _ in 0..=HELD_BYTES_MAX / 1024 {
            held.push(&[b' '; 1024]);
        }
        assert!(held.is_cut && held.bytes.len() == HELD_BYTES_MAX);
    }
}
