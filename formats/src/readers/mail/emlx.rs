//! `.emlx`: Apple Mail's file of one message: its length in a line, the message, and a property list with what
//! was done to it.

use super::entry::entry;
use super::held_message::HeldMessage;
use super::mail_lines::MailLines;
use super::marks::Marks;
use super::origin::MessageOrigin;
use crate::entry::{Entries, EntryPlace};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::source::FileSource;

const FLAGS: &str = "<key>flags</key>";
const NOT_EMLX: FileError =
    FileError::NotThisFormat("this is no .emlx: it does not begin with the length of its message");
const CUT_OFF: FileError = FileError::NotThisFormat(
    "it was cut off: it is shorter than the length that it begins with; copy it again",
);

/// `.emlx`.
pub(crate) fn emlx(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let mut lines = MailLines::new(source.open()?)?;
    let mut line = Vec::new();
    lines.read(&mut line)?;
    let length_bytes: u64 = std::str::from_utf8(&line)
        .ok()
        .and_then(|line| line.trim().parse().ok())
        .ok_or(NOT_EMLX)?;
    let rest = HeldMessage::read(&mut lines)?;
    if rest.size < length_bytes {
        return Err(CUT_OFF);
    }
    let (held, flags) = split(rest, length_bytes);
    let origin = MessageOrigin {
        marks: flags.map(Marks::from_emlx_bits).unwrap_or_default(),
        ..MessageOrigin::default()
    };
    let place = |key: &str| EntryPlace::new(2, "message", key);
    let to_entry = |identities: &mut _| entry(held, &origin, identities, place);
    let entry = reader.singles.with_identities(to_entry);
    Ok(Box::new(std::iter::once(Ok(entry))))
}

/// Takes the property list from the end of what was read.
fn split(mut held: HeldMessage, length_bytes: u64) -> (HeldMessage, Option<u64>) {
    let behind_bytes = held.size.saturating_sub(length_bytes);
    let behind_bytes = usize::try_from(behind_bytes).unwrap_or(usize::MAX);
    let end = held.bytes.len().saturating_sub(behind_bytes);
    let list = String::from_utf8_lossy(held.bytes.get(end..).unwrap_or_default()).into_owned();
    held.bytes.truncate(end);
    held.size = held.size.min(length_bytes);
    let flags = list.split_once(FLAGS).and_then(|(_, rest)| {
        let (_, rest) = rest.split_once("<integer>")?;
        rest.split_once("</integer>")?.0.trim().parse().ok()
    });
    (held, flags)
}
