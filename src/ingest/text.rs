//! The text of a body before it is parsed as JSON: a byte order mark is dropped, and an escaped lone surrogate (`\ud83d`)
//! becomes U+FFFD.
//!
//! Devices write lone surrogates when they cut a text in the middle of an emoji. JSON's grammar allows them (RFC 8259 §8.2), but
//! no Unicode text can hold them and the parser refuses them. One of them must not make a push of many records fail.

use std::io::{self, BufRead, Chain, Cursor, Read};
use std::ops::RangeInclusive;

use super::problem::Unreadable;

const UTF8_BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF16_BYTE_ORDER_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

const HIGH_SURROGATES: RangeInclusive<u16> = 0xd800..=0xdbff;
const LOW_SURROGATES: RangeInclusive<u16> = 0xdc00..=0xdfff;
/// Bytes of an escape, and of its replacement.
const ESCAPE_BYTES: usize = 6;
const REPLACEMENT: &[u8; ESCAPE_BYTES] = b"\\ufffd";

/// A body with each escaped lone surrogate replaced.
pub(super) struct TextReader<R> {
    body: Chain<Cursor<Vec<u8>>, R>,
    /// The beginning of an escape that more bytes decide on.
    undecided: Vec<u8>,
    ready: Vec<u8>,
    /// How many bytes of `ready` have been consumed.
    consumed: usize,
}

impl<R: BufRead> TextReader<R> {
    /// Reads the first bytes of `body` and drops a byte order mark.
    ///
    /// # Errors
    /// When the body cannot be read, or begins with the byte order mark of UTF-16.
    pub(super) fn new(mut body: R) -> Result<Self, Unreadable> {
        let mut start = Vec::with_capacity(UTF8_BYTE_ORDER_MARK.len());
        let read = body
            .by_ref()
            .take(UTF8_BYTE_ORDER_MARK.len() as u64)
            .read_to_end(&mut start);
        read.map_err(Unreadable::from_read)?;
        let mut utf16 = UTF16_BYTE_ORDER_MARKS.iter();
        if utf16.any(|mark| start.starts_with(mark)) {
            return Err(Unreadable::Malformed("it is UTF-16; send UTF-8".to_owned()));
        }
        if start == UTF8_BYTE_ORDER_MARK {
            start.clear();
        }
        Ok(Self {
            body: Cursor::new(start).chain(body),
            undecided: Vec::new(),
            ready: Vec::new(),
            consumed: 0,
        })
    }

    /// Reads until bytes are ready, or the body has ended.
    fn read_more(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.consumed = 0;
        while self.ready.is_empty() {
            let chunk = self.body.fill_buf()?;
            if chunk.is_empty() {
                self.ready.append(&mut self.undecided);
                return Ok(());
            }
            let read = chunk.len();
            replace_lone_surrogates(chunk, &mut self.undecided, &mut self.ready);
            self.body.consume(read);
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for TextReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.consumed >= self.ready.len() {
            self.read_more()?;
        }
        // `consumed` is within `ready` here; an empty slice means the end of the body.
        Ok(self.ready.get(self.consumed..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.consumed += amount;
    }
}

impl<R: BufRead> Read for TextReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let read = ready.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Appends `chunk` to `ready`, except an escape at its end that is not complete: that stays in `undecided`.
fn replace_lone_surrogates(mut chunk: &[u8], undecided: &mut Vec<u8>, ready: &mut Vec<u8>) {
    while let Some((first, rest)) = chunk.split_first() {
        if undecided.is_empty() && *first != b'\\' {
            let plain = chunk.iter().position(|byte| *byte == b'\\');
            let (plain, rest) = chunk.split_at(plain.unwrap_or(chunk.len()));
            ready.extend_from_slice(plain);
            chunk = rest;
            continue;
        }
        undecided.push(*first);
        chunk = rest;
        move_decided(undecided, ready);
    }
}

fn move_decided(undecided: &mut Vec<u8>, ready: &mut Vec<u8>) {
    loop {
        match decide(undecided) {
            Decision::Wait => return,
            Decision::Keep(bytes) => ready.extend(undecided.drain(..bytes)),
            Decision::Replace => {
                undecided.drain(..ESCAPE_BYTES);
                ready.extend_from_slice(REPLACEMENT);
            }
        }
    }
}

/// What to do with the undecided bytes.
enum Decision {
    /// More bytes are needed.
    Wait,
    /// Pass on this many bytes.
    Keep(usize),
    /// Replace the escape at the beginning: it is a lone surrogate.
    Replace,
}

fn decide(undecided: &[u8]) -> Decision {
    match undecided {
        [] | [b'\\'] => Decision::Wait,
        [b'\\', b'u', digits @ ..] if digits.len() < 4 => Decision::Wait,
        [b'\\', b'u', a, b, c, d, rest @ ..] => match code_unit([*a, *b, *c, *d]) {
            Some(unit) if LOW_SURROGATES.contains(&unit) => Decision::Replace,
            Some(unit) if HIGH_SURROGATES.contains(&unit) => decide_after_high(rest),
            _ => Decision::Keep(ESCAPE_BYTES),
        },
        [b'\\', ..] => Decision::Keep(2),
        _ => Decision::Keep(1),
    }
}

/// The decision on a high surrogate that `rest` follows.
fn decide_after_high(rest: &[u8]) -> Decision {
    match rest {
        [] | [b'\\'] => Decision::Wait,
        [b'\\', b'u', digits @ ..] if digits.len() < 4 => Decision::Wait,
        [b'\\', b'u', a, b, c, d, ..]
            if code_unit([*a, *b, *c, *d]).is_some_and(|unit| LOW_SURROGATES.contains(&unit)) =>
        {
            Decision::Keep(2 * ESCAPE_BYTES)
        }
        _ => Decision::Replace,
    }
}

/// The UTF-16 code unit of an escape, or `None` if these are not four hexadecimal digits.
fn code_unit(digits: [u8; 4]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Read through a window of this many bytes, so that escapes are cut at each place.
    fn read(body: &[u8], window: usize) -> String {
        let mut read = String::new();
        let mut text = TextReader::new(BufReader::with_capacity(window, body)).unwrap();
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
            assert!(matches!(
                TextReader::new(utf16),
                Err(Unreadable::Malformed(_))
            ));
        }
    }
}
