//! Maildir: a folder with `cur` and `new` in it, where each file is a message and its name says what was done to
//! it. Folders beside them that begin with a dot are further mailboxes (Maildir++), as are such folders within.
//!
//! A whole tree counts as one file: its messages share their ids. Within an archive it is read alike, but known by the
//! names of its messages: an archive need not list its folders.

mod file_name;
mod mailbox_name;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::file_name::origin;
use self::mailbox_name::mailbox_named;
use super::entry::entry;
use super::held_message::HeldMessage;
use super::mail_lines::MailLines;
use super::mailbox::MessageMailbox;
use super::origin::MessageOrigin;
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry};
use crate::error::FileError;
use crate::source::FileSource;

const EMPTY: &str = "the file is empty";
const INBOX: &str = "INBOX";
/// Where messages lie; what is in `tmp` is not delivered yet.
const FOLDERS: [&str; 2] = ["cur", "new"];
/// How far mailboxes may lie within one another.
const DEPTH_MAX: usize = 16;
/// Names that a folder of mail has for itself, not for its mailbox.
const HOMES: [&str; 4] = ["maildir", "mail", "mdbox", "imap"];

/// Whether a folder is one of mail.
pub fn is_maildir(path: &Path) -> bool {
    FOLDERS.iter().all(|folder| path.join(folder).is_dir())
}

/// Whether a file is a message in such a folder.
pub(crate) fn holds(file: &Path) -> bool {
    let folder = file
        .parent()
        .filter(|folder| FOLDERS.iter().any(|own| folder.ends_with(own)));
    folder.and_then(Path::parent).is_some_and(is_maildir)
}

/// The tree of mail that a file in an archive is a message of, by its path there; empty for the archive's own root.
pub(crate) fn root_in_archive(file: &str) -> Option<&str> {
    let (folder, name) = file.rsplit_once('/')?;
    let (outer, own) = folder.rsplit_once('/').unwrap_or(("", folder));
    let rest = name.trim_start_matches(|character: char| character.is_ascii_digit());
    let is_message = rest.len() < name.len() && rest.starts_with(['.', '_']);
    let mut root = outer;
    while let Some((before, last)) = root.rsplit_once('/').or(Some(("", root)))
        && last.starts_with('.')
    {
        root = before;
    }
    (FOLDERS.contains(&own) && is_message).then_some(root)
}

/// All messages of a folder and of the mailboxes in it, in the order of their names.
pub(crate) fn entries(path: &Path) -> Result<Entries, FileError> {
    let mut mailboxes = Vec::new();
    find(path, 0, &mut mailboxes)?;
    let files = mailboxes
        .into_iter()
        .flat_map(|folder| match files_of(&folder) {
            Ok(files) => files
                .into_iter()
                .map(|file| Ok(FileSource::File(file)))
                .collect(),
            Err(error) => vec![Err(error)],
        });
    let root = MaildirRoot {
        path: path.to_owned(),
        has_mailboxes: has_mailboxes(path),
    };
    Ok(root.entries(files))
}

/// The same of a folder within an archive.
pub(crate) fn entries_in_archive(root: &Path, messages: &Arc<[FileSource]>) -> Entries {
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|at| {
        let path = messages.get(*at).map(FileSource::path);
        (path.and_then(folder_of), path)
    });
    let is_in_a_further_mailbox = |message: &FileSource| folder_of(message.path()) != Some(root);
    let root = MaildirRoot {
        path: root.to_owned(),
        has_mailboxes: messages.iter().any(is_in_a_further_mailbox),
    };
    let messages = Arc::clone(messages);
    root.entries(
        order
            .into_iter()
            .filter_map(move |at| messages.get(at).cloned().map(Ok)),
    )
}

/// Where a tree of mail begins.
struct MaildirRoot {
    path: PathBuf,
    /// Whether further mailboxes lie in it, so that it is the inbox.
    has_mailboxes: bool,
}

/// What a message's place says of it, if it lies in a folder of mail.
pub(super) fn origin_of(file: &Path) -> MessageOrigin {
    match folder_of(file) {
        Some(folder) if holds(file) => {
            let root = MaildirRoot {
                path: folder.to_owned(),
                has_mailboxes: has_mailboxes(folder),
            };
            origin(file, root.mailbox(folder))
        }
        _ => MessageOrigin::default(),
    }
}

/// The folders of mail at `path` and within.
fn find(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if is_maildir(path) {
        found.push(path.to_owned());
    }
    let listed = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let mut folders: Vec<_> = listed
        .into_iter()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| {
            !["cur", "new", "tmp"]
                .iter()
                .any(|own| entry.file_name() == *own)
        })
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders
        .iter()
        .filter(|_| depth < DEPTH_MAX)
        .try_for_each(|folder| find(folder, depth + 1, found))
}

fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for part in FOLDERS {
        for entry in fs::read_dir(folder.join(part))? {
            let entry = entry?;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if !is_hidden && entry.file_type()?.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

impl MaildirRoot {
    fn entries(
        self,
        files: impl Iterator<Item = io::Result<FileSource>> + Send + 'static,
    ) -> Entries {
        let mut identities = Identities::default();
        Box::new(files.map(move |file| {
            let file = file.map_err(FileError::Unreadable)?;
            Ok(self.read(&file, &mut identities))
        }))
    }

    fn read(&self, file: &FileSource, identities: &mut Identities) -> FileEntry {
        let path = file.path();
        let shown = path
            .strip_prefix(&self.path)
            .unwrap_or(path)
            .to_string_lossy();
        let place = |key: &str| EntryPlace::new(1, &shown, key);
        let origin = origin(path, self.mailbox(folder_of(path).unwrap_or(&self.path)));
        let held = file
            .open()
            .and_then(MailLines::new)
            .and_then(|mut lines| HeldMessage::read(&mut lines));
        let refuse = |reason| FileEntry::Refused {
            place: place(""),
            reason,
        };
        match held {
            Ok(held) if held.size == 0 => refuse(EMPTY.to_owned()),
            Ok(held) => entry(held, &origin, identities, place),
            Err(error) => refuse(format!("the file cannot be read: {error}")),
        }
    }

    /// The mailbox that a folder of the tree is.
    fn mailbox(&self, folder: &Path) -> MessageMailbox {
        let inner = folder.strip_prefix(&self.path).unwrap_or(folder);
        let own = self.path.file_name().unwrap_or_default().to_string_lossy();
        let is_home = own.is_empty() || HOMES.contains(&own.to_lowercase().as_str());
        match inner.to_string_lossy() {
            inner if !inner.is_empty() => mailbox_named(&inner),
            _ if is_home || self.has_mailboxes => mailbox_named(INBOX),
            _ => mailbox_named(&own),
        }
    }
}

/// The folder of mail that a message lies in.
fn folder_of(file: &Path) -> Option<&Path> {
    file.parent().and_then(Path::parent)
}

/// Whether further mailboxes lie beside, so that the folder itself is the inbox.
fn has_mailboxes(root: &Path) -> bool {
    let listed = fs::read_dir(root).into_iter().flatten().flatten();
    listed
        .filter(|entry| entry.file_name().to_string_lossy().starts_with('.'))
        .any(|entry| is_maildir(&entry.path()))
}
