//! Bytes to tags, one at a time, each within a limit, however malformed the file is.
//!
//! What programs write is XML, but not always well-formed. In exports of Apple Health the document type was malformed for a year,
//! control characters stand in names of apps, attributes are broken by hand and by tools. A reader that holds
//! a tag until its end could be made to hold the whole file. So tags are cut out here, by their brackets and quotes; what
//! is in them, each reader reads. Comments, declarations and the whole document type are skipped,
//! entities with it: none is ever expanded. A text that is marked as such (CDATA) is told as others are, escaped.

use std::io::{self, BufRead};

use quick_xml::escape::escape;

use crate::text::decode;

/// The longest tag that is read; real ones have some hundred bytes.
pub(super) const TAG_BYTES_MAX: usize = 64 * 1024;
/// How much of a text between tags is kept.
pub(super) const TEXT_BYTES_MAX: usize = 16 * 1024;

/// What stands in a file, and the line on which it begins, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Markup {
    pub line: u64,
    pub content: MarkupContent,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum MarkupContent {
    /// What stands between the brackets of a tag that begins an element, perhaps with a `/` at its end.
    Start(String),
    /// The name of the element that ends.
    End(String),
    /// What there is of a tag, and why it is none.
    Broken(String, MarkupFault),
    /// The beginning of a text that is more than white space.
    Text(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkupFault {
    CutOff,
    Interrupted,
    TooLong,
}

impl MarkupFault {
    pub(super) fn reason(self) -> String {
        match self {
            Self::CutOff => "the file ends within it".to_owned(),
            Self::Interrupted => {
                "another tag begins within it: a quotation mark or a bracket is missing".to_owned()
            }
            Self::TooLong => format!("it is longer than {TAG_BYTES_MAX} bytes"),
        }
    }
}

/// Iterates over the markup of a reader.
pub(super) struct Scanner<R> {
    reader: R,
    line: u64,
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, line: 1 }
    }

    fn read(&mut self) -> io::Result<Option<Markup>> {
        loop {
            let text = self.read_text()?;
            if text.is_some() {
                return Ok(text);
            }
            if !self.consume_if(b'<')? {
                return Ok(None);
            }
            let line = self.line;
            match self.peek()? {
                Some(b'!') => {
                    if let Some(text) = self.read_declaration()? {
                        let content = MarkupContent::Text(text);
                        return Ok(Some(Markup { line, content }));
                    }
                }
                Some(b'?') => self.skip_to(b"?>")?,
                _ => {
                    let content = self.read_tag()?;
                    return Ok(Some(Markup { line, content }));
                }
            }
        }
    }

    /// Up to the next tag; some if that is more than white space.
    fn read_text(&mut self) -> io::Result<Option<Markup>> {
        let mut kept: Option<(u64, Vec<u8>)> = None;
        self.advance(
            |byte| byte == b'<',
            |line, bytes| {
                if kept.is_none() && !is_blank(bytes) {
                    kept = Some((line, Vec::new()));
                }
                if let Some((_, kept)) = &mut kept {
                    append(kept, bytes, TEXT_BYTES_MAX);
                }
            },
        )?;
        Ok(kept.map(|(line, bytes)| Markup {
            line,
            content: MarkupContent::Text(decode(&bytes, None)),
        }))
    }

    /// A tag after its opening bracket. A `<` ends it whatever is open, since none may stand in a tag: so a
    /// quotation mark too many spoils its own tag alone.
    fn read_tag(&mut self) -> io::Result<MarkupContent> {
        let mut held = Vec::new();
        let mut quote = None;
        let fault = loop {
            let special = |byte| matches!(byte, b'<' | b'>' | b'"' | b'\'');
            let room = TAG_BYTES_MAX + 1;
            let end = self.advance(special, |_, bytes| append(&mut held, bytes, room))?;
            match end {
                None => break Some(MarkupFault::CutOff),
                Some(b'<') => break Some(MarkupFault::Interrupted),
                Some(b'>') if quote.is_none() => {
                    self.reader.consume(1);
                    break None;
                }
                Some(byte) => {
                    self.reader.consume(1);
                    append(&mut held, &[byte], room);
                    quote = match quote {
                        None if byte != b'>' => Some(byte),
                        Some(open) if open == byte => None,
                        other => other,
                    };
                }
            }
        };
        let fault = fault.or((held.len() > TAG_BYTES_MAX).then_some(MarkupFault::TooLong));
        Ok(content_of(&held, fault))
    }

    /// `<!…>`, of which a text that is marked as such is told. The parts of a document type are skipped one by one, so that one
    /// that is broken does not take the file with it.
    fn read_declaration(&mut self) -> io::Result<Option<String>> {
        self.reader.consume(1);
        let mut opening = Vec::new();
        while opening.len() < 2 {
            match self.peek()? {
                Some(byte @ (b'-' | b'[')) => opening.push(byte),
                _ => break,
            }
            self.reader.consume(1);
        }
        match opening.as_slice() {
            b"--" => self.skip_to(b"-->")?,
            [b'[', ..] => return self.read_section(),
            _ => self.skip_to(b">")?,
        }
        Ok(None)
    }

    /// `CDATA[…]]>`, escaped; another section is none.
    fn read_section(&mut self) -> io::Result<Option<String>> {
        let held = self.take_to(b"]]>", TEXT_BYTES_MAX)?;
        let text = held.strip_prefix(b"CDATA[");
        let text = text.map(|text| text.strip_suffix(b"]]>").unwrap_or(text));
        Ok(text.map(|text| escape(decode(text, None)).into_owned()))
    }

    fn skip_to(&mut self, pattern: &[u8]) -> io::Result<()> {
        self.take_to(pattern, 0).map(drop)
    }

    /// Up to the end of `pattern`, whose last byte is a `>`. As much of it as is to be kept.
    fn take_to(&mut self, pattern: &[u8], bytes_max: usize) -> io::Result<Vec<u8>> {
        let (mut held, mut tail) = (Vec::new(), Vec::new());
        loop {
            let end = self.advance(
                |byte| byte == b'>',
                |_, bytes| {
                    append(&mut held, bytes, bytes_max);
                    let kept = bytes.len().saturating_sub(pattern.len());
                    tail.extend_from_slice(bytes.get(kept..).unwrap_or_default());
                    let spare = tail.len().saturating_sub(pattern.len());
                    tail.drain(..spare);
                },
            )?;
            if end.is_none() {
                return Ok(held);
            }
            self.reader.consume(1);
            append(&mut held, b">", bytes_max);
            tail.push(b'>');
            if tail.ends_with(pattern) {
                return Ok(held);
            }
        }
    }

    /// Consumes the bytes before the first one that `is_end` accepts, and returns that one without consuming it.
    fn advance(
        &mut self,
        is_end: impl Fn(u8) -> bool,
        mut take: impl FnMut(u64, &[u8]),
    ) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let at = buffer.iter().position(|byte| is_end(*byte));
            let passed = buffer.get(..at.unwrap_or(buffer.len())).unwrap_or_default();
            let end = at.and_then(|at| buffer.get(at)).copied();
            let (used_bytes, is_over) = (passed.len(), buffer.is_empty());
            if !passed.is_empty() {
                take(self.line + newlines(leading_blank(passed)), passed);
                self.line += newlines(passed);
            }
            self.reader.consume(used_bytes);
            if end.is_some() || is_over {
                return Ok(end);
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    fn consume_if(&mut self, byte: u8) -> io::Result<bool> {
        let is_next = self.peek()? == Some(byte);
        if is_next {
            self.reader.consume(1);
        }
        Ok(is_next)
    }
}

impl<R: BufRead> Iterator for Scanner<R> {
    type Item = io::Result<Markup>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn content_of(held: &[u8], fault: Option<MarkupFault>) -> MarkupContent {
    let text = decode(held, None);
    match (fault, text.strip_prefix('/')) {
        (Some(fault), _) => MarkupContent::Broken(text, fault),
        (None, Some(name)) => MarkupContent::End(name.trim().to_owned()),
        (None, None) => MarkupContent::Start(text),
    }
}

fn append(held: &mut Vec<u8>, bytes: &[u8], bytes_max: usize) {
    let room = bytes_max.saturating_sub(held.len());
    held.extend_from_slice(bytes.get(..room.min(bytes.len())).unwrap_or_default());
}

/// White space, and the byte order mark that a file may begin with.
fn is_blank(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.iter().all(u8::is_ascii_whitespace)
}

fn leading_blank(bytes: &[u8]) -> &[u8] {
    let blank = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
    bytes.get(..blank.unwrap_or(0)).unwrap_or_default()
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
