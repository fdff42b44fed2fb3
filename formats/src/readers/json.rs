//! `.json`: one array of records, each as a line of `.jsonl` is, so however long the array is only one record is held.
//!
//! Knows where a record ends, by its brackets and quotes; whether it is JSON, and what it says, is `jsonl`'s business.

use std::io::{self, BufRead};

use serde_json::Value;

use crate::entry::{Entries, RecordFields};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::readers::jsonl::{LINE_BYTES_MAX, Records};
use crate::source::FileSource;
use crate::text::lines::TextLine;

const MARK: [u8; 3] = *b"\xef\xbb\xbf";

pub(crate) fn entries(source: &FileSource, _: &FileReader) -> Result<Entries, FileError> {
    let mut elements = Elements::of(source.open()?);
    match elements.enter()? {
        true => Ok(Box::new(Records::of(elements, "record"))),
        false => Err(FileError::NotThisFormat(
            "it is no array of records: put them into [ and ], or one on each line of a .jsonl file",
        )),
    }
}

/// Whether it is another program's JSON, which nobody means to push by naming its folder: its first record names no table.
pub(crate) fn is_of_others(source: &FileSource) -> bool {
    source.extension().eq_ignore_ascii_case("json") && !first_names_table(source).unwrap_or(false)
}

fn first_names_table(source: &FileSource) -> io::Result<bool> {
    let mut elements = Elements::of(source.open()?);
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
    fn of(reader: R) -> Self {
        Self {
            reader,
            line: 1,
            is_over: false,
        }
    }

    /// Reads the bracket that opens the array; whether there is one.
    fn enter(&mut self) -> io::Result<bool> {
        for mark in MARK {
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

    fn element(&mut self) -> io::Result<Option<TextLine>> {
        self.skip_blanks()?;
        if self.peek()? == Some(b']') {
            self.reader.consume(1);
            return self.end().map(|()| None);
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
    fn end(&mut self) -> io::Result<()> {
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
        let element = self.element();
        self.is_over |= element.is_err();
        element.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::FileEntry;

    fn source(name: &str, text: &str) -> FileSource {
        FileSource::Bytes {
            name: name.to_owned(),
            bytes: text.as_bytes().into(),
        }
    }

    fn read(text: &str) -> Vec<Result<FileEntry, String>> {
        let entries = FileReader::default()
            .entries(&source("x.json", text))
            .unwrap();
        entries
            .map(|entry| entry.map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn an_array_is_read_as_its_lines_would_be() {
        let records = [
            r#"{"target":"a.b","id":"1","text":"],[ \"},{ \\","list":[[1],{"x":{}}]}"#,
            r#"{"id":"2"}"#,
            r#"{"amount":-1.10}"#,
        ];
        let lines = records.join("\n");
        let expected: Vec<_> = FileReader::default()
            .entries(&source("x.jsonl", &lines))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let array = format!("\u{feff}[{}\n]\n", records.join(",\n"));
        let read: Vec<_> = read(&array).into_iter().map(Result::unwrap).collect();
        assert_eq!(read, expected);
        assert_eq!(self::read(" [ ] "), []);
    }

    #[test]
    fn what_is_no_record_is_refused_where_it_begins_and_the_rest_goes_on() {
        let read = read("[\n{\"id\":\"1\"},\n7,\n{\"id\"\n:}, ,\n{\"id\":\"2\"}]");
        let lines: Vec<_> = read
            .iter()
            .map(|entry| match entry.as_ref().unwrap() {
                FileEntry::Record { place, .. } => (place.line, true),
                FileEntry::Refused { place, .. } => (place.line, false),
            })
            .collect();
        assert_eq!(lines[..3], [(2, true), (3, false), (4, false)]);
        assert_eq!(lines.last(), Some(&(6, true)));
    }

    #[test]
    fn a_cut_off_array_gives_what_came_before_and_says_so() {
        for (text, why) in [
            ("[{\"id\":\"1\"},{\"id\"", "cut off"),
            ("[{\"id\":\"1\"}] {}", "behind its array"),
        ] {
            let read = read(text);
            assert!(read[0].is_ok() && read.len() == 2, "{read:?}");
            assert!(
                read[1].as_ref().is_err_and(|error| error.contains(why)),
                "{read:?}"
            );
        }
        let object = FileReader::default().entries(&source("x.json", "{\"a\":1}"));
        assert!(matches!(object, Err(FileError::NotThisFormat(_))));
    }

    #[test]
    fn a_record_without_end_costs_no_memory() {
        let long = format!(
            "[{{\"a\":\"{}\"}},{{\"id\":\"2\"}}]",
            "x".repeat(LINE_BYTES_MAX)
        );
        let read = read(&long);
        assert!(
            matches!(&read[0], Ok(FileEntry::Refused { reason, .. }) if reason.contains("longer than"))
        );
        assert!(matches!(&read[1], Ok(FileEntry::Record { .. })));
    }

    #[test]
    fn in_a_folder_only_what_names_its_table_is_meant() {
        let is_of_others = |text: &str| super::is_of_others(&source("x.json", text));
        assert!(!is_of_others(
            "[{\"target\":\"mail.messages\",\"id\":\"1\"}]"
        ));
        for text in [
            "[{\"title\":\"x\"}]",
            "{\"a\":1}",
            "[]",
            "",
            "[1",
            "[{\"target\":3}]",
        ] {
            assert!(is_of_others(text), "{text}");
        }
        assert!(!super::is_of_others(&source("x.csv", "")));
    }
}
