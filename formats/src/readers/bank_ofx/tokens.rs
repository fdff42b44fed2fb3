//! Bytes to tags and texts, for both families of OFX.
//!
//! SGML leaves out closing tags and puts a bare `<` or `&` into names of shops; XML has declarations, comments
//! and CDATA. A `<` that begins no tag is text. Reads the encoding from either kind of header; does not know
//! what a tag means.

use std::io::{self, BufRead};

use encoding_rs::Encoding;

use super::entities::replace_entities;
use super::markup::{declared_encoding, is_whole, may_begin_markup, name_of};
use crate::text::decode;

/// The longest text of one element that is read; a longer one is cut and marked as cut.
pub(super) const TEXT_BYTES_MAX: usize = 64 * 1024;
/// The longest tag, attributes included.
const TAG_BYTES_MAX: usize = 1024;

/// A tag, or the text between two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `<NAME>`; names are in capitals, without a prefix.
    Open(String),
    /// `</NAME>`
    Close(String),
    Text {
        text: String,
        is_cut: bool,
    },
}

/// Iterates over the tokens of a reader, each with its line, counted from 1.
pub(super) struct Tokens<R> {
    reader: R,
    line: u64,
    encoding: Option<&'static Encoding>,
    /// The second half of `<NAME/>`.
    pending: Option<Token>,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            line: 1,
            encoding: None,
            pending: None,
        }
    }

    fn read_token(&mut self) -> io::Result<Option<(u64, Token)>> {
        let line = self.line;
        if let Some(token) = self.pending.take() {
            return Ok(Some((line, token)));
        }
        let token = match self.peek()? {
            None => return Ok(None),
            Some(b'<') => self.read_markup()?,
            Some(_) => self.read_text(Vec::new())?,
        };
        Ok(Some((line, token)))
    }

    /// The text up to the next `<`; `bytes` is its beginning, which has been read already.
    fn read_text(&mut self, mut bytes: Vec<u8>) -> io::Result<Token> {
        while let Some(byte) = self.peek()?.filter(|byte| *byte != b'<') {
            self.consume_byte(byte);
            if bytes.len() <= TEXT_BYTES_MAX {
                bytes.push(byte);
            }
        }
        Ok(self.text(&bytes))
    }

    fn text(&mut self, bytes: &[u8]) -> Token {
        let text = decode(bytes.get(..TEXT_BYTES_MAX).unwrap_or(bytes), self.encoding);
        self.read_encoding(&text);
        Token::Text {
            text: replace_entities(&text),
            is_cut: bytes.len() > TEXT_BYTES_MAX,
        }
    }

    fn read_markup(&mut self) -> io::Result<Token> {
        self.consume_byte(b'<');
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()? {
            let is_done = byte == b'>' && is_whole(&bytes);
            let is_text =
                (byte == b'<' && !bytes.starts_with(b"!")) || !may_begin_markup(&bytes, byte);
            if is_text || bytes.len() > markup_bytes_max(&bytes) {
                return self.read_text([b"<", bytes.as_slice()].concat());
            }
            self.consume_byte(byte);
            if is_done {
                return Ok(self.markup(&bytes));
            }
            bytes.push(byte);
        }
        self.read_text([b"<", bytes.as_slice()].concat())
    }

    /// The token for the content between `<` and `>`.
    fn markup(&mut self, bytes: &[u8]) -> Token {
        let content = decode(bytes, self.encoding);
        if let Some(text) = content.strip_prefix("![CDATA[") {
            let text = text.trim_end_matches("]]").to_owned();
            return Token::Text {
                text,
                is_cut: false,
            };
        }
        if content.starts_with(['?', '!']) {
            self.read_encoding(&content);
            return empty_text();
        }
        self.tag(&content).unwrap_or_else(|| Token::Text {
            text: format!("<{content}>"),
            is_cut: false,
        })
    }

    fn tag(&mut self, content: &str) -> Option<Token> {
        if let Some(name) = content.strip_prefix('/') {
            return name_of(name).map(Token::Close);
        }
        let (content, is_empty) = match content.strip_suffix('/') {
            Some(content) => (content, true),
            None => (content, false),
        };
        let name = name_of(content)?;
        self.pending = is_empty.then(|| Token::Close(name.clone()));
        Some(Token::Open(name))
    }

    /// Reads the encoding from `ENCODING:`/`CHARSET:` lines or from an XML declaration.
    fn read_encoding(&mut self, text: &str) {
        if self.encoding.is_none() {
            self.encoding = declared_encoding(text);
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    fn consume_byte(&mut self, byte: u8) {
        self.reader.consume(1);
        self.line += u64::from(byte == b'\n');
    }
}

impl<R: BufRead> Iterator for Tokens<R> {
    type Item = io::Result<(u64, Token)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_token().transpose()
    }
}

fn empty_text() -> Token {
    Token::Text {
        text: String::new(),
        is_cut: false,
    }
}

/// The most bytes of the markup that begins with these bytes.
fn markup_bytes_max(bytes: &[u8]) -> usize {
    match bytes.starts_with(b"!") {
        true => TEXT_BYTES_MAX,
        false => TAG_BYTES_MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(bytes: &[u8]) -> String {
        let mut shown = String::new();
        for token in Tokens::new(bytes) {
            match token.unwrap().1 {
                Token::Open(name) => shown += &format!("<{name}>"),
                Token::Close(name) => shown += &format!("</{name}>"),
                Token::Text { text, .. } => shown += &text,
            }
        }
        shown
    }

    #[test]
    fn both_families_give_the_same_tokens() {
        let table = [
            ("<NAME>A&amp;B<MEMO>x", "<NAME>A&B<MEMO>x"),
            ("<name>A & B</name>", "<NAME>A & B</NAME>"),
            ("<NAME>5 < 6<MEMO>a<b", "<NAME>5 < 6<MEMO>a<b"),
            ("<OFX xmlns=\"u\"><MEMO/></OFX>", "<OFX><MEMO></MEMO></OFX>"),
            (
                "<MEMO><![CDATA[a <b> & c]]></MEMO>",
                "<MEMO>a <b> & c</MEMO>",
            ),
            ("<!-- <STMTTRN> --><A>&#233;&#x20AC;&bad;", "<A>é€&bad;"),
            ("<A>Tom <the cat> X", "<A>Tom <the cat> X"),
        ];
        for (bytes, expected) in table {
            assert_eq!(tokens(bytes.as_bytes()), expected);
        }
    }

    #[test]
    fn the_header_names_the_encoding() {
        assert_eq!(
            tokens(b"CHARSET:1251\r\n\r\n<A>\xCC\xEE"),
            "CHARSET:1251\r\n\r\n<A>Мо"
        );
        let xml = b"<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><A>\xB1";
        assert_eq!(tokens(xml), "<A>ą");
        assert_eq!(tokens(b"CHARSET:1252\n<A>\xC3\xA9"), "CHARSET:1252\n<A>é");
    }

    #[test]
    fn an_endless_text_is_cut_and_the_rest_is_read() {
        let bytes = [
            b"<MEMO>".to_vec(),
            vec![b'x'; TEXT_BYTES_MAX * 2],
            b"<NAME>y".to_vec(),
        ]
        .concat();
        let read: Vec<_> = Tokens::new(bytes.as_slice())
            .map(|token| token.unwrap().1)
            .collect();
        assert!(
            matches!(&read[1], Token::Text { is_cut: true, text } if text.len() == TEXT_BYTES_MAX)
        );
        assert_eq!(read[2], Token::Open("NAME".to_owned()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            for token in Tokens::new(bytes.as_slice()) {
                prop_assert!(token.unwrap().0 <= lines);
            }
        }
    }
}
