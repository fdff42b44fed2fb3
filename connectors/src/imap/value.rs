//! What answers are made of (RFC 3501 §9): words, texts (quoted or literal) and lists of them.

use bytes::Bytes;

use crate::limits::{MAIL_VALUE_DEPTH_MAX, MAIL_VALUES_MAX};

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ImapValue {
    /// A word, `NIL` among them.
    Word(Bytes),
    /// A text.
    Text(Bytes),
    /// A list.
    List(Vec<ImapValue>),
}

impl ImapValue {
    /// A word or a text; `None` for a list and for `NIL`.
    pub(super) fn text(&self) -> Option<&Bytes> {
        match self {
            Self::Word(word) if word.eq_ignore_ascii_case(b"NIL") => None,
            Self::Word(text) | Self::Text(text) => Some(text),
            Self::List(_) => None,
        }
    }

    /// The same as a string, whatever its charset.
    pub(super) fn string(&self) -> Option<String> {
        self.text()
            .map(|text| String::from_utf8_lossy(text).into_owned())
    }

    pub(super) fn number(&self) -> Option<u64> {
        std::str::from_utf8(self.text()?).ok()?.parse().ok()
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }
}

/// Reads all values of an answer; `None` if it is no such, or holds too much. Lists within lists are followed without
/// recursion: no answer can exhaust the stack.
pub(super) fn parse_values(text: &Bytes) -> Option<Vec<ImapValue>> {
    let mut parser = ValueParser { text, at: 0 };
    let (mut open, mut current, mut count) = (Vec::new(), Vec::new(), 0);
    while let Some(byte) = parser.peek() {
        count += 1;
        if count > MAIL_VALUES_MAX || open.len() > MAIL_VALUE_DEPTH_MAX {
            return None;
        }
        match byte {
            b' ' => {
                parser.at += 1;
                count -= 1;
            }
            b'(' => {
                parser.at += 1;
                open.push(std::mem::take(&mut current));
            }
            b')' => {
                parser.at += 1;
                let outer = open.pop()?;
                let list = std::mem::replace(&mut current, outer);
                current.push(ImapValue::List(list));
            }
            b'"' => current.push(ImapValue::Text(parser.quoted()?)),
            b'{' => current.push(ImapValue::Text(parser.literal()?)),
            _ => current.push(ImapValue::Word(parser.word()?)),
        }
    }
    open.is_empty().then_some(current)
}

struct ValueParser<'a> {
    text: &'a Bytes,
    at: usize,
}

impl ValueParser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, length: usize) -> Option<Bytes> {
        let end = self.at.checked_add(length)?;
        let taken = (end <= self.text.len()).then(|| self.text.slice(self.at..end));
        self.at = end;
        taken
    }

    fn quoted(&mut self) -> Option<Bytes> {
        self.at += 1;
        let rest = self.rest();
        let (mut length, mut is_escaped) = (0, false);
        loop {
            match *rest.get(length)? {
                b'\\' => {
                    is_escaped = true;
                    length += 2;
                }
                b'"' => break,
                _ => length += 1,
            }
        }
        let text = self.take(length)?;
        self.at += 1;
        Some(if is_escaped { unescape(&text) } else { text })
    }

    fn literal(&mut self) -> Option<Bytes> {
        let end = self.rest().iter().position(|byte| *byte == b'\n')?;
        let head = self.rest().get(1..end)?;
        let digits: String = head
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .map(|byte| char::from(*byte))
            .collect();
        self.at += end + 1;
        self.take(digits.parse().ok()?)
    }

    /// A word ends at a blank or a bracket, but a section's name (`BODY[HEADER.FIELDS (DATE)]`) holds both.
    fn word(&mut self) -> Option<Bytes> {
        let rest = self.rest();
        let is_end = |byte: &u8| matches!(byte, b' ' | b'(' | b')' | b'"');
        let plain = rest.iter().position(is_end).unwrap_or(rest.len());
        let is_section = rest
            .get(..5)
            .is_some_and(|begin| begin.eq_ignore_ascii_case(b"BODY["));
        if !is_section {
            return self.take(plain.max(1));
        }
        let bracket = rest.iter().position(|byte| *byte == b']')?;
        let behind = rest.get(bracket..).unwrap_or_default();
        let tail = behind.iter().position(is_end).unwrap_or(behind.len());
        self.take(bracket + tail)
    }
}

fn unescape(text: &[u8]) -> Bytes {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => *bytes.next().unwrap_or(byte),
            byte => *byte,
        });
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &[u8]) -> Option<Vec<ImapValue>> {
        parse_values(&Bytes::copy_from_slice(text))
    }

    #[test]
    fn words_texts_and_lists_are_read() {
        let word = |text: &'static str| ImapValue::Word(text.into());
        let text = |text: &'static str| ImapValue::Text(text.into());
        let got = parse(b"(UID 7 BODY[HEADER.FIELDS (DATE)]<0> {3}\r\n)( NIL \"a\\\"b\" () \"\")");
        let expected = vec![ImapValue::List(vec![
            word("UID"),
            word("7"),
            word("BODY[HEADER.FIELDS (DATE)]<0>"),
            text(")( "),
            word("NIL"),
            text("a\"b"),
            ImapValue::List(vec![]),
            text(""),
        ])];
        assert_eq!(got, Some(expected));
    }

    #[test]
    fn what_does_not_end_or_holds_too_much_is_none() {
        for bad in [
            "(a",
            "a)",
            "\"a",
            "\"a\\",
            "{5}\r\nab",
            "{}\r\n",
            "{5}",
            "BODY[x",
        ] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
        assert_eq!(parse(&b"(".repeat(100_000)), None);
        assert_eq!(parse(&b"()".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn nothing_panics(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn nothing_alike_panics(text in "[\\\\(){}\"BODY\\[\\] 0-9\r\n]{0,60}") {
            let _ = parse(text.as_bytes());
        }
    }
}
