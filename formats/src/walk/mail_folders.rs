//! Folders of mail within archives: their messages are found one by one, and read together as one folder.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::vec;

use super::kinds::is_shadow;
use super::tarball::{TarEntry, Tarball};
use crate::readers::mail::maildir;
use crate::source::{FileSource, Member};

/// Messages that are read together, of a .tar; what follows them is read as a folder of its own.
const MESSAGES_MAX: usize = 100_000;

/// What a zip holds, without what macOS adds: a folder of mail stands where the first of its messages does.
pub(super) fn gather_mail_folders(mut members: Vec<Member>) -> vec::IntoIter<FileSource> {
    members.retain(|member| !is_shadow(member.name()));
    let mut messages: BTreeMap<String, Vec<FileSource>> = BTreeMap::new();
    for member in &members {
        if let Some(root) = maildir::root_in_archive(member.name()) {
            let message = FileSource::Member(member.clone());
            messages.entry(root.to_owned()).or_default().push(message);
        }
    }
    let sources = members.into_iter().filter_map(|member| {
        let root = maildir::root_in_archive(member.name()).map(str::to_owned);
        match root {
            Some(root) => messages
                .remove(&root)
                .map(|messages| folder(&root, messages)),
            None => Some(FileSource::Member(member)),
        }
    });
    sources.collect::<Vec<_>>().into_iter()
}

/// What a .tar holds, with the messages of a folder of mail gathered as long as nothing from outside it comes.
pub(super) struct GatheredMail {
    tarball: Tarball,
    /// The folder that is being gathered.
    open: Option<(String, Vec<FileSource>)>,
    /// The entry that ended the last folder; it is returned after that.
    next: Option<TarEntry>,
}

impl GatheredMail {
    pub(super) fn new(tarball: Tarball) -> Self {
        Self {
            tarball,
            open: None,
            next: None,
        }
    }

    /// The folder that is complete when `next` is not part of it.
    fn close_before(&mut self, next: Option<&TarEntry>) -> Option<TarEntry> {
        let is_done = self.open.as_ref().is_some_and(|(root, messages)| {
            let is_full = messages.len() >= MESSAGES_MAX;
            match next.map(|next| (next, root_of(next))) {
                Some((_, Some(other))) => other != root || is_full,
                Some((other, None)) => !other.is_within(root),
                None => true,
            }
        });
        let (root, messages) = self.open.take_if(|_| is_done)?;
        Some(TarEntry::Maildir(folder(&root, messages)))
    }
}

impl Iterator for GatheredMail {
    type Item = TarEntry;

    fn next(&mut self) -> Option<TarEntry> {
        loop {
            let next = self.next.take().or_else(|| self.tarball.next());
            if let Some(done) = self.close_before(next.as_ref()) {
                self.next = next;
                return Some(done);
            }
            let root = next.as_ref().and_then(root_of).map(str::to_owned);
            let (Some(root), Some(TarEntry::File(message))) = (root, &next) else {
                return next;
            };
            let (_, messages) = self.open.get_or_insert_with(|| (root, Vec::new()));
            messages.push(FileSource::Spooled(message.clone()));
        }
    }
}

/// The folder of mail that something is a message of.
fn root_of(entry: &TarEntry) -> Option<&str> {
    match entry {
        TarEntry::File(file) => maildir::root_in_archive(file.name()),
        _ => None,
    }
}

fn folder(root: &str, messages: Vec<FileSource>) -> FileSource {
    FileSource::Maildir {
        name: root.into(),
        messages: Arc::from(messages),
    }
}
