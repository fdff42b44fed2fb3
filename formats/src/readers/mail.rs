//! `.eml`, `.emlx`, `.mbox` and Maildir: mail (RFC 5322, MIME), as records of `mail.messages`.
//!
//! ```text
//! maildir.rs                   a folder, a file a message    mbox.rs, from_line.rs  one file, many messages
//! emlx.rs                      Apple Mail's file of one      singles.rs             ids of files of one message each
//! mail_lines.rs                lines that keep their ends    held_message.rs        what is held of a message
//! header.rs, shape.rs          what must hold of a message before it is parsed
//! entry.rs, message.rs         message -> entry, record      identity.rs            its id and its conversation
//! origin.rs                    what its file or folder says of it
//! body.rs, attachments.rs, people.rs, dates.rs               the fields of a record
//! marks.rs, gmail_labels.rs, mailbox.rs                      read, flagged, filed where
//! problems.rs                  what was cut or left out
//! raw.rs                       the message as it came
//! ```
//!
//! The entries of a file are its messages; messages within messages are attachments. A file is read once and a
//! message held at a time, without what is attached to it when that is large. MIME is parsed by mail-parser; what
//! a mail means is decided here. Whatever its charset, its dates or its structure, a mail is stored with what can
//! be read of it; refused is what is no mail, what its program has deleted, and what is too large to be read.
//!
//! A message is called by its Message-ID, so that it stays one row when its program reads, flags or files it anew. Different
//! messages under one Message-ID are told apart within a push; against what earlier pushes brought, the service tells them
//! apart (`ingest/namesakes.rs`).

mod attachments;
mod body;
mod dates;
mod emlx;
mod entry;
mod from_line;
mod gmail_labels;
mod header;
mod held_message;
mod identity;
mod mail_lines;
mod mailbox;
pub(crate) mod maildir;
mod marks;
mod mbox;
mod message;
mod origin;
mod people;
mod problems;
mod raw;
mod shape;
mod singles;

use std::io::{self, BufRead};
use std::iter;

pub(crate) use self::emlx::emlx;
pub(crate) use self::entry::attachments_in;
use self::entry::entry;
use self::held_message::HeldMessage;
use self::mail_lines::MailLines;
use self::mailbox::MessageMailbox;
use self::marks::Marks;
use self::mbox::{MboxMessage, MboxMessages};
use self::origin::MessageOrigin;
pub(crate) use self::singles::Singles;
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry};
use crate::error::FileError;
use crate::readers::{FileReader, Options};
use crate::source::FileSource;

/// What begins each message of a mailbox file.
const FROM: &[u8] = b"From ";

/// `.eml`, and any other file of one message.
pub(crate) fn eml(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let mut lines = MailLines::new(source.open()?)?;
    if lines.peek(FROM.len())? == FROM {
        return mbox(source, reader);
    }
    let origin = source.path_on_disk().map(maildir::origin_of);
    let origin = origin.unwrap_or_default();
    single(&mut lines, &origin, &reader.singles)
}

/// `.mbox`, and the mailboxes of Thunderbird, which have no extension.
pub(crate) fn mbox(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let mut lines = MailLines::new(source.open()?)?;
    if lines.peek(1)?.is_empty() {
        return Err(FileError::Empty);
    }
    let messages = MboxMessages::begin(lines)?.ok_or(FileError::NotThisFormat(
        "this is no mbox: it does not begin with a line `From …`",
    ))?;
    Ok(Box::new(MboxEntries {
        messages,
        mailbox: MessageMailbox::from_file(source.path()),
        options: reader.options.clone(),
        identities: Identities::default(),
        is_broken: false,
    }))
}

/// Whether a file is a mailbox by what it begins with.
pub(crate) fn is_mbox(source: &FileSource) -> io::Result<bool> {
    Ok(MailLines::new(source.open()?)?.peek(FROM.len())? == FROM)
}

/// The messages of a mailbox.
struct MboxEntries<R> {
    messages: MboxMessages<R>,
    mailbox: Option<MessageMailbox>,
    options: Options,
    identities: Identities,
    /// Reading failed; what would come next is not the next message.
    is_broken: bool,
}

impl<R: BufRead> Iterator for MboxEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        match self.messages.next()? {
            Ok(message) => Some(Ok(self.entry(message))),
            Err(error) => {
                self.is_broken = true;
                Some(Err(error.into()))
            }
        }
    }
}

impl<R> MboxEntries<R> {
    fn entry(&mut self, message: MboxMessage) -> FileEntry {
        let origin = MessageOrigin {
            stored_at: message.from.instant(&self.options),
            is_delivery: message.from.has_sender,
            mailbox: self.mailbox.clone(),
            marks: Marks::default(),
        };
        let place = |key: &str| EntryPlace::new(message.line, "message", key);
        entry(message.held, &origin, &mut self.identities, place)
    }
}

/// The message that is all of a file.
fn single<R: BufRead>(
    lines: &mut MailLines<R>,
    origin: &MessageOrigin,
    singles: &Singles,
) -> Result<Entries, FileError> {
    let held = HeldMessage::read(lines)?;
    if held.size == 0 {
        return Err(FileError::Empty);
    }
    let place = |key: &str| EntryPlace::new(1, "message", key);
    let entry = singles.with_identities(|identities| entry(held, origin, identities, place));
    Ok(Box::new(iter::once(Ok(entry))))
}
