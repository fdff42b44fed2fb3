//! `.json`: one array of records, each as a line of `.jsonl` is, so however long the array is only one record is held.
//!
//! Knows where a record ends, by its brackets and quotes; whether it is JSON, and what it says, `jsonl` decides.

#[cfg(test)]
mod tests;

use std::io::{self, BufRead};

use serde_json::Value;

use crate::entry::{Entries, RecordFields};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::readers::jsonl::{LINE_BYTES_MAX, Records};
use crate::source::FileSource;
use crate::text::lines::TextLine;

const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// The entries of a file.
pub(crate) fn entries(source: &FileSource, _: &FileReader) -> Result<Entries, FileError> {
    let mut elements = Elements::new(source.open()?);
    match elements.enter()? {
        true => Ok(Box::new(Records::new(elements, "record"))),
        false => Err(FileError::NotThisFormat(
            "it is no array of records: put them into [ and ], or one on each line of a .jsonl file",
        )),
    }
}

/// Whether it is another program's JSON, which nobody means to push by naming its folder: its first record names no table. So does
/// one that cannot be read: whoever means that file names it, and then gets the reason.
pub(crate) fn is_of_others(source: &FileSource) -> bool {
    source.extension().eq_ignore_ascii_case("json") && !first_names_table(source).unwrap_or(false)
}

fn first_names_table(source: &FileSource) -> io::Result<bool> {
    let mut elements = Elements::new(source.open()?);
    if !elements.enter()? {
        return Ok(false);
    }
    let first = elements.next().transpose()?;
    let fields = first.and_then(|first| serde_json::from_slice::<RecordFields>(&first.bytes).ok());
    Ok(fields.is_some_and(|fields| fields.get("target").is_some_and(Value::is_string)))
}

/// The elements of an array, each as it is written, with the line on which it begins.
struct Elements<R> {
    reader: R,
    /// Counted from 1.
    line: u64,
    is_over: bool,
}

impl<R: BufRead> Elements<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            line: 1,
            is_over: false,
        }
    }

    /// Reads the bracket that opens the array; whether there is one.
    fn enter(&mut self) -> io::Result<bool> {
        for mark in BYTE_ORDER_MARK {
            if self.peek()? == Some(mark) {
                self.reader.consume(1);
            }
        }
        self.skip_blanks()?;
        let is_array = self.peek()? == Some(b'[');
        if is_array {
            self.reader.consume(1);
        }
        Ok(is_array)
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    fn skip_blanks(&mut self) -> io::Result<()> {
        while let Some(byte) = self.peek()?.filter(u8::is_ascii_whitespace) {
            self.line += u64::from(byte == b'\n');
            self.reader.consume(1);
        }
        Ok(())
    }

    fn read_element(&mut self) -> io::Result<Option<TextLine>> {
        self.skip_blanks()?;
        if self.peek()? == Some(b']') {
            self.reader.consume(1);
            return self.check_end().map(|()| None);
        }
        let mut element = TextLine {
            number: self.line,
            bytes: Vec::new(),
            is_cut: false,
        };
        let mut depth = Depth::default();
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                let why = "it ends before its array does, so something was cut off";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
            }
            let end = buffer.iter().position(|byte| depth.ends_before(*byte));
            let taken = buffer
                .get(..end.unwrap_or(buffer.len()))
                .unwrap_or_default();
            let room = LINE_BYTES_MAX.saturating_sub(element.bytes.len());
            element.is_cut |= taken.len() > room;
            element.bytes.extend(taken.iter().take(room));
            self.line += taken.iter().filter(|byte| **byte == b'\n').count() as u64;
            let (length, closes) = (
                taken.len(),
                end.and_then(|end| buffer.get(end)) == Some(&b','),
            );
            self.reader.consume(length + usize::from(closes));
            if end.is_some() {
                return Ok(Some(element));
            }
        }
    }

    /// Checks that nothing follows the array.
    fn check_end(&mut self) -> io::Result<()> {
        self.is_over = true;
        self.skip_blanks()?;
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "something stands behind its array",
            )),
        }
    }
}

/// How deep within an element a byte stands.
#[derive(Default)]
struct Depth {
    brackets: u64,
    is_text: bool,
    is_escaped: bool,
}

impl Depth {
    /// Whether the element ends before this byte.
    fn ends_before(&mut self, byte: u8) -> bool {
        if self.is_text {
            let is_escaped = std::mem::take(&mut self.is_escaped);
            match byte {
                b'\\' if !is_escaped => self.is_escaped = true,
                b'"' if !is_escaped => self.is_text = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b',' | b']' | b'}' if self.brackets == 0 => return byte != b'}',
            b'"' => self.is_text = true,
            b'{' | b'[' => self.brackets += 1,
            b'}' | b']' => self.brackets -= 1,
            _ => {}
        }
        false
    }
}

impl<R: BufRead> Iterator for Elements<R> {
    type Item = io::Result<TextLine>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let element = self.read_element();
        self.is_over |= element.is_err();
        element.transpose()
    }
}
