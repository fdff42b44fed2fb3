//! Content encodings and media types of a push, and the bound on the size of a decoded body.

use std::io::{self, BufRead, BufReader, Read};
use std::str::FromStr;

use flate2::bufread::MultiGzDecoder;

use super::zstd_frames::ZstdFrames;

const BUFFER_BYTES: usize = 64 * 1024;

/// How the body is compressed, from `Content-Encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
    Zstd,
}

/// How records are written in a decoded body, from `Content-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFormat {
    /// `{"records":[…],"deleted":[…]}`, or a bare array of records.
    Json,
    /// One record a line.
    JsonLines,
}

/// A header names an encoding or a media type that is not supported.
#[derive(Debug, PartialEq, Eq)]
pub struct Unsupported;

impl FromStr for Encoding {
    type Err = Unsupported;

    fn from_str(header: &str) -> Result<Self, Self::Err> {
        match header.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Encoding::Identity),
            "gzip" | "x-gzip" => Ok(Encoding::Gzip),
            "zstd" => Ok(Encoding::Zstd),
            _ => Err(Unsupported),
        }
    }
}

impl FromStr for BodyFormat {
    type Err = Unsupported;

    fn from_str(header: &str) -> Result<Self, Self::Err> {
        let essence = header.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "application/json" => Ok(BodyFormat::Json),
            "application/x-ndjson" | "application/ndjson" | "application/jsonl" => {
                Ok(BodyFormat::JsonLines)
            }
            _ => Err(Unsupported),
        }
    }
}

/// A reader of the decoded body. It fails with an error of [`is_too_large`] as soon as there are more than `bytes_max`.
///
/// # Errors
/// When the decoder cannot be set up.
pub(crate) fn decoder<'a>(
    wire: impl Read + 'a,
    encoding: Encoding,
    bytes_max: u64,
) -> io::Result<Box<dyn BufRead + 'a>> {
    let wire = BufReader::with_capacity(BUFFER_BYTES, wire);
    let plain: Box<dyn Read + 'a> = match encoding {
        Encoding::Identity => Box::new(wire),
        Encoding::Gzip => Box::new(MultiGzDecoder::new(wire)),
        Encoding::Zstd => Box::new(ZstdFrames::new(wire)),
    };
    let bounded = BoundedReader {
        plain,
        remaining: bytes_max,
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, bounded)))
}

fn too_large() -> io::Error {
    io::Error::from(io::ErrorKind::FileTooLarge)
}

/// Whether a reader failed because the decoded body is larger than its bound.
pub(crate) fn is_too_large(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::FileTooLarge
}

struct BoundedReader<'a> {
    plain: Box<dyn Read + 'a>,
    remaining: u64,
}

impl Read for BoundedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.plain.read(buffer)?;
        self.remaining = self
            .remaining
            .checked_sub(read as u64)
            .ok_or_else(too_large)?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn read(wire: &[u8], encoding: Encoding, bytes_max: u64) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        decoder(wire, encoding, bytes_max)?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn a_body_is_the_same_in_each_encoding() {
        let plain = b"one\ntwo\n".repeat(1000);
        let zstd = zstd::encode_all(plain.as_slice(), 3).unwrap();
        for (wire, encoding) in [
            (plain.clone(), Encoding::Identity),
            (gzip(&plain), Encoding::Gzip),
            (zstd, Encoding::Zstd),
        ] {
            assert_eq!(read(&wire, encoding, 8000).unwrap(), plain, "{encoding:?}");
            assert!(
                is_too_large(&read(&wire, encoding, 7999).unwrap_err()),
                "{encoding:?}"
            );
        }
    }

    #[test]
    fn a_bomb_ends_at_the_bound_and_a_truncated_body_is_an_error() {
        let bomb = gzip(&vec![0; 50_000_000]);
        assert!(is_too_large(
            &read(&bomb, Encoding::Gzip, 1_000_000).unwrap_err()
        ));
        let whole = gzip(b"a line\n");
        assert!(read(&whole[..whole.len() - 4], Encoding::Gzip, 1_000_000).is_err());
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        assert_eq!(
            "application/json; charset=utf-8".parse(),
            Ok(BodyFormat::Json)
        );
        assert_eq!("Application/X-NDJSON".parse(), Ok(BodyFormat::JsonLines));
        assert_eq!("text/plain".parse::<BodyFormat>(), Err(Unsupported));
        assert_eq!(" GZIP".parse(), Ok(Encoding::Gzip));
        assert_eq!("br".parse::<Encoding>(), Err(Unsupported));
    }
}
