//! The body's characters, before they are JSON: a byte order mark is left out, and half a surrogate pair in an escape
//! (`\ud83d`) becomes U+FFFD.
//!
//! Devices write such halves when they cut a text in the middle of an emoji. JSON allows them, no text can hold them, and
//! one of them must not cost a push of many records.

use std::io::{self, BufRead, Chain, Cursor, Read};
use std::ops::RangeInclusive;

use super::problem::Unreadable;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

const FIRST_HALVES: RangeInclusive<u16> = 0xd800..=0xdbff;
const SECOND_HALVES: RangeInclusive<u16> = 0xdc00..=0xdfff;
/// Bytes of an escape, and so of what takes its place.
const ESCAPE_BYTES: usize = 6;
const MENDED: &[u8; ESCAPE_BYTES] = b"\\ufffd";

/// A body with every escape fit to be read.
pub struct Text<R> {
    body: Chain<Cursor<Vec<u8>>, R>,
    /// What has been read and not decided on: the beginning of an escape.
    held: Vec<u8>,
    ready: Vec<u8>,
    given: usize,
}

/// Begins to read `body` as text.
///
/// # Errors
/// When it cannot be read, or says that it is UTF-16.
pub fn text<R: BufRead>(mut body: R) -> Result<Text<R>, Unreadable> {
    let mut start = Vec::with_capacity(UTF8_MARK.len());
    let read = body
        .by_ref()
        .take(UTF8_MARK.len() as u64)
        .read_to_end(&mut start);
    read.map_err(Unreadable::of_reading)?;
    if UTF16_MARKS.iter().any(|mark| start.starts_with(mark)) {
        return Err(Unreadable::Malformed("it is UTF-16; send UTF-8".to_owned()));
    }
    if start == UTF8_MARK {
        start.clear();
    }
    Ok(Text {
        body: Cursor::new(start).chain(body),
        held: Vec::new(),
        ready: Vec::new(),
        given: 0,
    })
}

impl<R: BufRead> Text<R> {
    /// Reads on until something is ready, or the body has ended.
    fn read_on(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        while self.ready.is_empty() {
            let chunk = self.body.fill_buf()?;
            if chunk.is_empty() {
                self.ready.append(&mut self.held);
                return Ok(());
            }
            let read = chunk.len();
            mend(chunk, &mut self.held, &mut self.ready);
            self.body.consume(read);
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Text<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.given >= self.ready.len() {
            self.read_on()?;
        }
        Ok(self.ready.get(self.given..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.given += amount;
    }
}

impl<R: BufRead> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let read = ready.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Moves what `chunk` adds from `held` to `ready`.
fn mend(mut chunk: &[u8], held: &mut Vec<u8>, ready: &mut Vec<u8>) {
    while let Some((first, rest)) = chunk.split_first() {
        if held.is_empty() && *first != b'\\' {
            let plain = chunk.iter().position(|byte| *byte == b'\\');
            let (plain, rest) = chunk.split_at(plain.unwrap_or(chunk.len()));
            ready.extend_from_slice(plain);
            chunk = rest;
            continue;
        }
        held.push(*first);
        chunk = rest;
        settle(held, ready);
    }
}

fn settle(held: &mut Vec<u8>, ready: &mut Vec<u8>) {
    loop {
        match verdict(held) {
            Verdict::Wait => return,
            Verdict::Keep(bytes) => ready.extend(held.drain(..bytes)),
            Verdict::Replace => {
                held.drain(..ESCAPE_BYTES);
                ready.extend_from_slice(MENDED);
            }
        }
    }
}

/// What becomes of the bytes held.
enum Verdict {
    /// It takes more of them to know.
    Wait,
    /// So many of them are fit.
    Keep(usize),
    /// The escape they begin with is half a pair.
    Replace,
}

fn verdict(held: &[u8]) -> Verdict {
    match held {
        [] | [b'\\'] => Verdict::Wait,
        [b'\\', b'u', digits @ ..] if digits.len() < 4 => Verdict::Wait,
        [b'\\', b'u', a, b, c, d, rest @ ..] => match unit([*a, *b, *c, *d]) {
            Some(unit) if SECOND_HALVES.contains(&unit) => Verdict::Replace,
            Some(unit) if FIRST_HALVES.contains(&unit) => verdict_on_pair(rest),
            _ => Verdict::Keep(ESCAPE_BYTES),
        },
        [b'\\', ..] => Verdict::Keep(2),
        _ => Verdict::Keep(1),
    }
}

/// The same, after a first half.
fn verdict_on_pair(rest: &[u8]) -> Verdict {
    match rest {
        [] | [b'\\'] => Verdict::Wait,
        [b'\\', b'u', digits @ ..] if digits.len() < 4 => Verdict::Wait,
        [b'\\', b'u', a, b, c, d, ..]
            if unit([*a, *b, *c, *d]).is_some_and(|unit| SECOND_HALVES.contains(&unit)) =>
        {
            Verdict::Keep(2 * ESCAPE_BYTES)
        }
        _ => Verdict::Replace,
    }
}

fn unit(digits: [u8; 4]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Read through a window of this many bytes, so that escapes are cut at each place.
    fn read(body: &[u8], window: usize) -> String {
        let mut read = String::new();
        let mut text = text(BufReader::with_capacity(window, body)).unwrap();
        text.read_to_string(&mut read).unwrap();
        read
    }

    #[test]
    fn halves_are_replaced_and_pairs_and_all_else_are_kept() {
        for (sent, expected) in [
            (r#"["\ud83d\ude00"]"#, r#"["\ud83d\ude00"]"#),
            (r#"["a\ud83d"]"#, r#"["a\ufffd"]"#),
            (r#"["\ude00\uD83D"]"#, r#"["\ufffd\ufffd"]"#),
            (r#"["\ud83d\ud83d\ude00"]"#, r#"["\ufffd\ud83d\ude00"]"#),
            (r#"["\ud83d\n\ud83dx"]"#, r#"["\ufffd\n\ufffdx"]"#),
            (r#"["\\ud83d"]"#, r#"["\\ud83d"]"#),
            (r#"["\\\ud83d"]"#, r#"["\\\ufffd"]"#),
            (r#"["\u00e9\u0000"]"#, r#"["\u00e9\u0000"]"#),
            (r#"["\ud83"#, r#"["\ud83"#),
            (r#"["\ud83d\"#, r#"["\ud83d\"#),
            (r#"["\u+d83"]"#, r#"["\u+d83"]"#),
            ("", ""),
        ] {
            for window in 1..=13 {
                assert_eq!(read(sent.as_bytes(), window), expected, "window {window}");
            }
        }
    }

    #[test]
    fn a_mark_is_left_out_at_the_beginning_only() {
        assert_eq!(read("\u{feff}[]".as_bytes(), 2), "[]");
        assert_eq!(read("[\"\u{feff}\"]".as_bytes(), 2), "[\"\u{feff}\"]");
        assert_eq!(read("[".as_bytes(), 2), "[");
        for utf16 in [b"\xff\xfe[\0]\0".as_slice(), b"\xfe\xff\0[\0]"] {
            assert!(matches!(text(utf16), Err(Unreadable::Malformed(_))));
        }
    }
}
