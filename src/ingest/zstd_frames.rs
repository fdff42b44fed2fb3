//! The plain bytes of a body in zstd (RFC 8878): its frames one after another, each within a bound on its window.

use std::io::{self, BufRead, Read, copy, sink};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The window a frame may ask for: a decoder keeps that much of what it has decoded. RFC 8878 recommends 8 MiB.
const WINDOW_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Reads the frames of `wire` as one sequence of bytes, a block (at most 128 KiB) at a time. Skippable frames are skipped; a
/// checksum is checked where a frame has one; a body without any frame, or with an unfinished one, is an error.
pub(super) struct ZstdFrames<R> {
    wire: R,
    decoder: FrameDecoder,
    has_begun: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    pub(super) fn new(wire: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW_BYTES_MAX);
        Self {
            wire,
            decoder,
            has_begun: false,
        }
    }

    /// Reads the header of the next frame, or what is to be skipped.
    fn begin_frame(&mut self) -> io::Result<()> {
        self.has_begun = true;
        match self.decoder.init(&mut self.wire) {
            Ok(()) => Ok(()),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => self.skip(u64::from(length)),
            Err(error) => Err(broken(error)),
        }
    }

    fn skip(&mut self, length_bytes: u64) -> io::Result<()> {
        let skipped = copy(&mut self.wire.by_ref().take(length_bytes), &mut sink())?;
        if skipped < length_bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Whether the frame whose last byte was read is what was packed.
    fn check_frame(&self) -> io::Result<()> {
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            return Err(broken("a frame's checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.wire, one)
                    .map_err(broken)?;
                continue;
            }
            self.check_frame()?;
            if self.has_begun && self.wire.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.begin_frame()?;
        }
    }
}

fn broken(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, cause)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn unpack(wire: &[u8]) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        ZstdFrames::new(wire).read_to_end(&mut plain)?;
        Ok(plain)
    }

    /// What the reference implementation makes of `plain`, with a checksum.
    fn pack(plain: &[u8], level: i32, window_log: u32) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), level).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.window_log(window_log).unwrap();
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    /// Bytes that repeat, but never soon.
    fn text(bytes: usize) -> Vec<u8> {
        let lines =
            (0_u64..).map(|number| format!("{:x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        lines.flat_map(String::into_bytes).take(bytes).collect()
    }

    #[test]
    fn what_the_reference_packs_is_unpacked_at_every_level() {
        let plain = text(3_000_000);
        for level in [-5, 1, 3, 9, 19] {
            assert!(
                unpack(&pack(&plain, level, 20)).unwrap() == plain,
                "{level}"
            );
        }
        assert!(unpack(&pack(b"", 3, 20)).unwrap().is_empty());
        let bulk = zstd::bulk::compress(&plain, 3).unwrap();
        assert!(
            unpack(&bulk).unwrap() == plain,
            "a frame that names its size"
        );
    }

    #[test]
    fn a_window_over_the_bound_is_refused_before_anything_is_unpacked() {
        let plain = text(1_000_000);
        assert!(unpack(&pack(&plain, 3, 23)).unwrap() == plain);
        let mut first = [0];
        let refused = ZstdFrames::new(pack(&plain, 3, 24).as_slice()).read(&mut first);
        assert!(refused.unwrap_err().to_string().contains("window"));
        // One segment of 2^40 bytes, by its header.
        let segment = [
            b"\x28\xb5\x2f\xfd\xe0".as_slice(),
            &(1_u64 << 40).to_le_bytes(),
        ]
        .concat();
        assert!(unpack(&segment).unwrap_err().to_string().contains("window"));
    }

    #[test]
    fn frames_follow_each_other_and_some_are_skipped() {
        let (one, two) = (pack(b"one\n", 1, 20), pack(b"two\n", 1, 20));
        let skipped = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";
        let all = [skipped, one.as_slice(), skipped, two.as_slice(), skipped].concat();
        assert_eq!(unpack(&all).unwrap(), b"one\ntwo\n");
        assert!(
            unpack(&all[..all.len() - 1]).is_err(),
            "a skipped frame is whole, too"
        );
    }

    #[test]
    fn a_body_that_is_cut_changed_or_followed_by_something_else_is_an_error() {
        let whole = pack(&text(400_000), 3, 20);
        for less in [1, 4, 5, whole.len() / 2, whole.len() - 3, whole.len()] {
            assert!(unpack(&whole[..whole.len() - less]).is_err(), "{less}");
        }
        let mut changed = whole.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(
            unpack(&changed)
                .unwrap_err()
                .to_string()
                .contains("checksum")
        );
        for place in (0..whole.len()).step_by(997) {
            let mut changed = whole.clone();
            changed[place] ^= 0x10;
            assert!(unpack(&changed).is_err(), "{place}");
        }
        assert!(unpack(&[whole.as_slice(), b"garbage"].concat()).is_err());
    }
}
