//! Reads entries as batches of lines, in bounded memory; each entry's digest is checked when its last byte has been read.
//!
//! Reading blocks, so it has a thread of its own; the channel to the database bounds how far it reads ahead.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use super::bundle::{Bundle, Zip, damaged, is_read_failure};
use super::parts::ImportPart;
use super::shape;
use super::{ImportError, Unfit};

/// Lines that one statement stores.
const BATCH_LINES_MAX: usize = 500;
/// Bytes that one statement stores, but for a single line that is longer.
const BATCH_BYTES_MAX: usize = 1024 * 1024;
/// The longest line in bytes: PostgreSQL stores no longer jsonb.
const LINE_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// ImportBatches that are read ahead of the database.
const BATCHES_AHEAD_MAX: usize = 1;
/// Bytes that are read of an entry at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Lines of one part.
#[derive(Debug)]
pub(super) struct ImportBatch {
    /// The index of its part in the list of parts.
    pub part: usize,
    /// The number of its first line, from 1.
    pub first: u64,
    /// Whole lines, without their line ends.
    pub lines: Vec<String>,
}

/// The batches in the order of the parts; an error is the last item.
pub(super) type ImportBatches = mpsc::Receiver<Result<ImportBatch, ImportError>>;

/// Reads the parts in their order, and then every other entry of the manifest, to check its digest. The channel closes after the
/// last batch; the task says whether the reader panicked.
pub(super) fn read(
    bundle: &Bundle,
    parts: &Arc<Vec<ImportPart>>,
) -> (ImportBatches, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(BATCHES_AHEAD_MAX);
    let (bundle, parts, runtime) = (bundle.clone(), Arc::clone(parts), Handle::current());
    let reader = spawn_blocking(move || {
        let out = BatchSender { sender, runtime };
        if let Err(cause) = read_all(&bundle, &parts, &out) {
            let _nobody_waits_any_more = out.send(Err(cause));
        }
    });
    (receiver, reader)
}

struct BatchSender {
    sender: mpsc::Sender<Result<ImportBatch, ImportError>>,
    runtime: Handle,
}

impl BatchSender {
    /// Sends and waits for room; false when the receiver is gone.
    fn send(&self, batch: Result<ImportBatch, ImportError>) -> bool {
        let Ok(room) = self.runtime.block_on(self.sender.reserve()) else {
            return false;
        };
        room.send(batch);
        true
    }
}

fn read_all(bundle: &Bundle, parts: &[ImportPart], out: &BatchSender) -> Result<(), ImportError> {
    let mut zip = bundle.zip()?;
    for (number, part) in parts.iter().enumerate() {
        let name = part.entry();
        let mut entry = EntryReader::open(&mut zip, bundle, &name)?;
        if !read_part(&mut entry, (number, part), out)? {
            return Ok(());
        }
        let rows = bundle.manifest().tables.get(&part.table);
        if rows.is_none_or(|told| told.rows != entry.lines) {
            return Err(
                Unfit::entry(&name, "it has not as many lines as the manifest says").into(),
            );
        }
        entry.end()?;
    }
    let names = bundle.manifest().entries().map(|(name, _, _)| name);
    let read: Vec<String> = parts.iter().map(ImportPart::entry).collect();
    for name in names.filter(|name| !read.contains(name)) {
        EntryReader::open(&mut zip, bundle, &name)?.skip()?;
    }
    Ok(())
}

/// Sends the lines of one part; false when the receiver is gone.
fn read_part(
    entry: &mut EntryReader<'_>,
    (number, part): (usize, &ImportPart),
    out: &BatchSender,
) -> Result<bool, ImportError> {
    loop {
        let mut batch = ImportBatch {
            part: number,
            first: entry.lines + 1,
            lines: Vec::new(),
        };
        let mut bytes = 0;
        while batch.lines.len() < BATCH_LINES_MAX
            && bytes < BATCH_BYTES_MAX
            && let Some(line) = entry.next_line()?
        {
            let at_fault = |fault| Unfit::line(&entry.name, entry.lines, fault);
            shape::check(part, &line).map_err(at_fault)?;
            bytes += line.len();
            batch.lines.push(line);
        }
        if batch.lines.is_empty() {
            return Ok(true);
        }
        if !out.send(Ok(batch)) {
            return Ok(false);
        }
    }
}

/// Reads one entry line by line.
struct EntryReader<'a> {
    name: String,
    reader: BufReader<Digesting<'a>>,
    /// What the manifest says of it.
    sha256: &'a str,
    lines: u64,
}

impl<'a> EntryReader<'a> {
    fn open(zip: &'a mut Zip<'_>, bundle: &'a Bundle, name: &str) -> Result<Self, ImportError> {
        let told = bundle
            .manifest()
            .entries()
            .find(|(told, _, _)| told == name);
        let (_, bytes, sha256) = told.ok_or_else(|| Unfit::entry(name, "it is missing"))?;
        let unpacked = zip.by_name(name).map_err(|cause| damaged(cause.into()))?;
        let digesting = Digesting {
            // One byte more than the manifest says is enough to change the digest.
            unpacked: Box::new(unpacked.take(bytes.saturating_add(1))),
            digest: Sha256::new(),
        };
        Ok(Self {
            name: name.to_owned(),
            reader: BufReader::with_capacity(PIECE_BYTES, digesting),
            sha256,
            lines: 0,
        })
    }

    fn next_line(&mut self) -> Result<Option<String>, ImportError> {
        let mut line = Vec::new();
        let read = (&mut self.reader)
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line)
            .map_err(|cause| self.unreadable(cause))?;
        if read == 0 {
            return Ok(None);
        }
        self.lines += 1;
        let fault = |fault: &'static str| Unfit::line(&self.name, self.lines, fault);
        if line.pop() != Some(b'\n') {
            return Err(fault("it has no end, or is longer than any row").into());
        }
        let line = String::from_utf8(line).map_err(|_| fault("it is no UTF-8"))?;
        Ok(Some(line))
    }

    /// Reads the rest and checks the digest.
    fn skip(mut self) -> Result<(), ImportError> {
        io::copy(&mut self.reader, &mut io::sink()).map_err(|cause| self.unreadable(cause))?;
        self.end()
    }

    /// Checks the digest after the last byte. It covers the length too: a byte more or less gives another digest.
    fn end(self) -> Result<(), ImportError> {
        let digest = self.reader.into_inner().digest.finalize();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        if hex == self.sha256 {
            return Ok(());
        }
        Err(Unfit::entry(&self.name, "it is not what was written: it was damaged").into())
    }

    fn unreadable(&self, cause: io::Error) -> ImportError {
        if is_read_failure(&cause) {
            return ImportError::File(cause);
        }
        Unfit::entry(&self.name, "it is not what was written: it was damaged").into()
    }
}

/// Digests every byte that is read through it.
struct Digesting<'a> {
    unpacked: Box<dyn Read + 'a>,
    digest: Sha256,
}

impl Read for Digesting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.unpacked.read(buffer)?;
        // `Read::read` returns at most the buffer's length, so the slice is never missing.
        self.digest.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}
