//! The bytes of a `.tar`, `.tgz` or `.gz`, within bounds.
//!
//! A tar says what it holds only as it is read, so nothing can be known beforehand: what comes out is counted, against
//! a limit, against the packed bytes that it came from, and where names are read against what a name may need.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// Bytes that are read of the file at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// The bytes of all files together, unpacked.
const ARCHIVE_BYTES_MAX: u64 = 1024 * 1024 * 1024 * 1024;
/// How many times larger than its packed bytes an archive may be; a bomb is a thousand times.
const RATIO_MAX: u64 = 250;
/// Below this many bytes no ratio matters.
const SMALL_BYTES: u64 = 16 * 1024 * 1024;

/// The unpacked bytes of an archive, within the limits.
pub(crate) struct BoundedUnpack {
    bytes: Box<dyn Read + Send>,
    packed_bytes: Arc<AtomicU64>,
    allowance: Allowance,
    /// How many bytes have been read.
    pub read_bytes: u64,
    /// Whether there are no more.
    pub is_at_end: bool,
}

/// How many more bytes may be read. Shared, so that it can be set while another part holds the reader.
#[derive(Clone)]
pub(crate) struct Allowance(Arc<AtomicU64>);

impl Allowance {
    /// Allows so many bytes from now on.
    pub(crate) fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn use_up(&self, bytes: u64) -> bool {
        let left = self.0.load(Ordering::Relaxed).checked_sub(bytes);
        left.map(|left| self.set(left)).is_some()
    }
}

impl BoundedUnpack {
    /// Unpacks these bytes, or reads them as they are.
    pub(crate) fn new(packed: impl Read + Send + 'static, is_gzipped: bool) -> Self {
        let packed_bytes = Arc::new(AtomicU64::new(0));
        let counted = CountedBytes {
            packed,
            counter: Arc::clone(&packed_bytes),
        };
        let buffered = BufReader::with_capacity(BUFFER_BYTES, counted);
        let bytes: Box<dyn Read + Send> = match is_gzipped {
            true => Box::new(MultiGzDecoder::new(buffered)),
            false => Box::new(buffered),
        };
        Self {
            bytes,
            packed_bytes,
            allowance: Allowance(Arc::new(AtomicU64::new(u64::MAX))),
            read_bytes: 0,
            is_at_end: false,
        }
    }

    /// What may still be read.
    pub(crate) fn allowance(&self) -> Allowance {
        self.allowance.clone()
    }

    fn is_bomb(&self) -> bool {
        let packed_bytes = self.packed_bytes.load(Ordering::Relaxed);
        self.read_bytes > SMALL_BYTES && self.read_bytes / RATIO_MAX > packed_bytes
    }
}

impl Read for BoundedUnpack {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.read_bytes += read as u64;
        self.is_at_end = read == 0 && !buffer.is_empty();
        if self.read_bytes > ARCHIVE_BYTES_MAX || self.is_bomb() {
            return Err(io::Error::other(
                "it unpacks to far more than any honest archive: it is taken for a bomb",
            ));
        }
        if !self.allowance.use_up(read as u64) {
            return Err(io::Error::other("the name of a file in it has no end"));
        }
        Ok(read)
    }
}

struct CountedBytes<R> {
    packed: R,
    counter: Arc<AtomicU64>,
}

impl<R: Read> Read for CountedBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.packed.read(buffer)?;
        self.counter.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
