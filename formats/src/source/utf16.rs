//! Files in UTF-16, as some address books and spreadsheets write them, read as UTF-8; all others as they are.
//!
//! Lines can be cut out of bytes only where ASCII stands for itself, so this comes before every other step.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE};

use crate::source::FileSource;

/// How much text is decoded at once.
const TEXT_BYTES: usize = 16 * 1024;

/// Opens a file whose bytes are ASCII where it matters, whatever it is in.
pub(crate) fn open(source: &FileSource) -> io::Result<Box<dyn BufRead + Send>> {
    let mut reader = source.open()?;
    Ok(match encoding_of(reader.fill_buf()?) {
        Some(encoding) => Box::new(Utf16::new(reader, encoding)),
        None => reader,
    })
}

/// UTF-16 is known by its byte order mark, or by the zeros between letters of plain English.
fn encoding_of(beginning: &[u8]) -> Option<&'static Encoding> {
    match beginning {
        [0xFF, 0xFE, ..] => Some(UTF_16LE),
        [0xFE, 0xFF, ..] => Some(UTF_16BE),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some(UTF_16LE),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => Some(UTF_16BE),
        _ => None,
    }
}

struct Utf16<R> {
    reader: R,
    decoder: Decoder,
    text: Vec<u8>,
    used: usize,
    is_ended: bool,
}

impl<R: BufRead> Utf16<R> {
    fn new(reader: R, encoding: &'static Encoding) -> Self {
        Self {
            reader,
            decoder: encoding.new_decoder_with_bom_removal(),
            text: Vec::new(),
            used: 0,
            is_ended: false,
        }
    }

    fn decode(&mut self) -> io::Result<()> {
        let bytes = self.reader.fill_buf()?;
        let is_last = bytes.is_empty();
        self.text.resize(TEXT_BYTES, 0);
        let (result, read, written, _) =
            self.decoder.decode_to_utf8(bytes, &mut self.text, is_last);
        self.reader.consume(read);
        self.text.truncate(written);
        self.used = 0;
        self.is_ended = is_last && result == encoding_rs::CoderResult::InputEmpty;
        Ok(())
    }
}

impl<R: BufRead> BufRead for Utf16<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.used >= self.text.len() && !self.is_ended {
            self.decode()?;
        }
        Ok(self.text.get(self.used..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.used = self.used.saturating_add(amount);
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>) -> String {
        let name = "a.vcf".to_owned();
        let bytes = bytes.into();
        let mut text = String::new();
        open(&FileSource::Bytes { name, bytes })
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    #[test]
    fn both_byte_orders_are_read_with_and_without_their_mark() {
        let text = "BEGIN:VCARD\nFN:Zoë 🎉\n".repeat(2_000);
        for mark in ["", "\u{FEFF}"] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            assert_eq!(
                read(units.iter().flat_map(|unit| unit.to_le_bytes()).collect()),
                text
            );
            assert_eq!(
                read(units.iter().flat_map(|unit| unit.to_be_bytes()).collect()),
                text
            );
        }
    }

    #[test]
    fn other_files_stay_as_they_are() {
        assert_eq!(read(b"a;b".to_vec()), "a;b");
        assert_eq!(read(Vec::new()), "");
    }
}
