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

pub(crate) fn emlx(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let mut pieces = MailLines::new(source.open()?)?;
    let mut line = Vec::new();
    pieces.read(&mut line)?;
    let length: u64 = std::str::from_utf8(&line)
        .ok()
        .and_then(|line| line.trim().parse().ok())
        .ok_or(NOT_EMLX)?;
    let rest = HeldMessage::read(&mut pieces)?;
    if rest.size < length {
        return Err(CUT_OFF);
    }
    let (held, flags) = split(rest, length);
    let envelope = MessageOrigin {
        marks: flags.map(Marks::of_emlx).unwrap_or_default(),
        ..MessageOrigin::default()
    };
    let place = |key: &str| EntryPlace::new(2, "message", key);
    let named = |identities: &mut _| entry(held, &envelope, identities, place);
    let entry = reader.singles.with_identities(named);
    Ok(Box::new(std::iter::once(Ok(entry))))
}

/// Takes the property list from the end of what was read.
fn split(mut held: HeldMessage, length: u64) -> (HeldMessage, Option<u64>) {
    let behind = held.size.saturating_sub(length);
    let behind = usize::try_from(behind).unwrap_or(usize::MAX);
    let end = held.bytes.len().saturating_sub(behind);
    let list = String::from_utf8_lossy(held.bytes.get(end..).unwrap_or_default()).into_owned();
    held.bytes.truncate(end);
    held.size = held.size.min(length);
    let flags = list.split_once(FLAGS).and_then(|(_, rest)| {
        let (_, rest) = rest.split_once("<integer>")?;
        rest.split_once("</integer>")?.0.trim().parse().ok()
    });
    (held, flags)
}
