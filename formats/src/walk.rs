//! What lies under the paths a person names: files, folders, patterns, folders of mail and archives.
//!
//! One thing after another, in an order that is the same each time, so that the reports of two runs can be
//! compared. A named path that cannot be read is returned with the reason; what a folder or an archive holds of
//! other kinds is passed over and counted. Nothing is opened twice, no link leads out of the folder that was named,
//! and of an archive no more than one file is unpacked at a time.
//!
//! ```text
//! folder.rs       what a folder holds, in order       tarball.rs      the files of a .tar or .tgz, one by one
//! pattern.rs      paths with * and ?                  kinds.rs        what a name says
//! mail_folders.rs folders of mail within an archive   passed_over.rs  what was not read, by its kind
//! found_file.rs   a file to read, or a failure
//! ```

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use self::folder::{FolderEntry, FolderListing};
pub use self::found_file::FoundFile;
use self::kinds::{ArchiveKind, is_doubtful, kind_of};
use self::mail_folders::GatheredMail;
pub use self::passed_over::PassedOver;
use self::pattern::{is_pattern, paths_matching};
use self::tarball::{TarEntry, Tarball};
use crate::readers::mail::maildir;
use crate::readers::{json, reader_by_name, reader_of};
use crate::source::{FileSource, Member, ZipDirectory};

mod folder;
mod found_file;
mod kinds;
mod mail_folders;
mod passed_over;
mod pattern;
mod tarball;

/// The most levels of nested folders.
const DEPTH_MAX: usize = 64;
const NESTED: &str =
    "it is an archive within an archive: unpack the outer one, then push what is in it";
const NOTHING_INSIDE: &str = "it holds no file of a kind that is read";

/// Finds the files under some paths, one at a time: an iterator over [`FoundFile`]s.
pub struct FileWalk {
    paths: VecDeque<PathBuf>,
    /// Folders and archives that have been entered, the innermost last.
    levels: Vec<Level>,
    /// The name of the path that is being walked, as long as nothing was found in it.
    empty_so_far: Option<String>,
    passed_over: PassedOver,
    /// Where files of archives are kept that can be read only once.
    spools: Option<PathBuf>,
}

enum Level {
    Folder(FolderListing),
    Zip(String, vec::IntoIter<FileSource>),
    Tar(String, Box<GatheredMail>),
}

impl FileWalk {
    /// Walks `paths` in the order given: files, folders, archives, or patterns (`*`, `?`, `[…]`) that no shell has replaced.
    pub fn new(paths: &[PathBuf]) -> Self {
        Self {
            paths: paths.to_vec().into(),
            levels: Vec::new(),
            empty_so_far: None,
            passed_over: PassedOver::default(),
            spools: None,
        }
    }

    /// Keeps files of archives that can be read only once in this folder, not in the system's for temporary files.
    pub fn spooling_in(self, folder: PathBuf) -> Self {
        let spools = Some(folder);
        Self { spools, ..self }
    }

    /// What has not been read so far.
    pub fn passed_over(&self) -> &PassedOver {
        &self.passed_over
    }

    fn visit_named_path(&mut self, path: &Path) -> Option<FoundFile> {
        let name = path.display().to_string();
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_pattern(&name) => {
                return self.expand(name);
            }
            Err(error) => {
                return Some(FoundFile::unreadable(
                    name,
                    format!("the file cannot be read: {error}"),
                ));
            }
        };
        if metadata.is_dir() && !maildir::is_maildir(path) {
            self.empty_so_far = Some(name);
            return self.enter_folder(path, None);
        }
        if metadata.is_file()
            && let Some(kind) = kind_of(&name)
        {
            self.empty_so_far = Some(name.clone());
            return self.enter_archive(path, name, kind);
        }
        match metadata.is_file() || metadata.is_dir() {
            true => {
                let source = FileSource::File(path.to_owned()).unpack_by_name();
                Some(FoundFile::readable(name, source, false))
            }
            false => Some(FoundFile::unreadable(
                name,
                "it is no ordinary file".to_owned(),
            )),
        }
    }

    /// A pattern that no shell has replaced names what it matches.
    fn expand(&mut self, pattern: String) -> Option<FoundFile> {
        match paths_matching(&pattern) {
            Ok(paths) => {
                let last_first = paths.into_iter().rev();
                last_first.for_each(|path| self.paths.push_front(path));
                None
            }
            Err(reason) => Some(FoundFile::unreadable(pattern, reason)),
        }
    }

    fn enter_folder(&mut self, path: &Path, outer: Option<&FolderListing>) -> Option<FoundFile> {
        if self.levels.len() >= DEPTH_MAX {
            let reason = format!("more than {DEPTH_MAX} folders lie within one another");
            return Some(self.report_failure(path.display().to_string(), reason));
        }
        match FolderListing::read(path, outer) {
            Ok(listing) => {
                self.levels.push(Level::Folder(listing));
                None
            }
            Err(error) => {
                let reason = format!("the folder cannot be read: {error}");
                Some(self.report_failure(path.display().to_string(), reason))
            }
        }
    }

    fn enter_archive(&mut self, path: &Path, name: String, kind: ArchiveKind) -> Option<FoundFile> {
        let opened = match kind {
            ArchiveKind::Zip => ZipDirectory::open(path).map(|archive| {
                Level::Zip(
                    name.clone(),
                    mail_folders::gather_mail_folders(archive.into_members()),
                )
            }),
            ArchiveKind::Tar { is_gzipped } => Tarball::open(path, is_gzipped, self.spools.clone())
                .map(|tarball| Level::Tar(name.clone(), Box::new(GatheredMail::new(tarball)))),
        };
        match opened {
            Ok(level) => {
                self.levels.push(level);
                None
            }
            Err(error) => Some(self.report_failure(name, error.to_string())),
        }
    }

    /// The next thing of the innermost level: `None` if there is nothing to report. The level is dropped after its last entry.
    fn advance(&mut self, mut level: Level) -> Option<FoundFile> {
        match &mut level {
            Level::Folder(listing) => {
                let inside = listing.next()?;
                let outer = listing.root_only();
                self.levels.push(level);
                self.visit_inside_folder(inside, &outer)
            }
            Level::Zip(archive, sources) => {
                let source = sources.next()?;
                let name = format!("{archive}: {}", source.path().display());
                self.levels.push(level);
                match source {
                    FileSource::Member(member) => self.visit_inside_zip(name, member),
                    folder => Some(self.visit_mail_folder(name, folder)),
                }
            }
            Level::Tar(archive, tarball) => {
                let entry = tarball.next()?;
                let archive = archive.clone();
                self.levels.push(level);
                self.visit_inside_tar(&archive, entry)
            }
        }
    }

    fn visit_inside_folder(
        &mut self,
        inside: FolderEntry,
        outer: &FolderListing,
    ) -> Option<FoundFile> {
        match inside {
            FolderEntry::Folder(path) if !maildir::is_maildir(&path) => {
                self.enter_folder(&path, Some(outer))
            }
            FolderEntry::Folder(path) => {
                self.empty_so_far = None;
                Some(FoundFile::readable(
                    path.display().to_string(),
                    FileSource::File(path),
                    false,
                ))
            }
            FolderEntry::File(path) => {
                let name = path.display().to_string();
                match kind_of(&name) {
                    Some(kind) => self.enter_archive(&path, name, kind),
                    None => self.visit_unnamed_file(name, FileSource::File(path)),
                }
            }
            FolderEntry::Special => {
                self.passed_over.add_link();
                None
            }
            FolderEntry::Unreadable(path, error) => {
                let reason = format!("it cannot be read: {error}");
                Some(self.report_failure(path.display().to_string(), reason))
            }
        }
    }

    fn visit_inside_zip(&mut self, name: String, member: Member) -> Option<FoundFile> {
        if kind_of(member.name()).is_some() {
            return Some(self.report_failure(name, NESTED.to_owned()));
        }
        let Some(fault) = member.fault() else {
            return self.visit_unnamed_file(name, FileSource::Member(member));
        };
        // What it holds cannot be looked at, so its name alone says whether it would have been read.
        match reader_by_name(&FileSource::Member(member)) {
            Some(_) => Some(self.report_failure(name, fault.to_string())),
            None => self.pass_over(&name),
        }
    }

    fn visit_inside_tar(&mut self, archive: &str, entry: TarEntry) -> Option<FoundFile> {
        match entry {
            TarEntry::File(source) => {
                let name = format!("{archive}: {}", source.name());
                self.visit_unnamed_file(name, FileSource::Spooled(source))
            }
            TarEntry::Maildir(folder) => {
                let name = format!("{archive}: {}", folder.path().display());
                Some(self.visit_mail_folder(name, folder))
            }
            TarEntry::Nested(name) => {
                Some(self.report_failure(format!("{archive}: {name}"), NESTED.into()))
            }
            TarEntry::Unread(name, reason) => {
                Some(self.report_failure(format!("{archive}: {name}"), reason))
            }
            TarEntry::Broken(reason) => Some(self.report_failure(archive.to_owned(), reason)),
            TarEntry::Other(name) => self.pass_over(&name),
            TarEntry::Link => {
                self.passed_over.add_link();
                None
            }
        }
    }

    /// A file that lies in a folder or an archive that was named: read if it is of a kind that is read.
    fn visit_unnamed_file(&mut self, name: String, source: FileSource) -> Option<FoundFile> {
        let source = source.unpack_by_name();
        match reader_of(&source) {
            Ok(Some(_)) if json::is_of_others(&source) => self.pass_over(&name),
            Ok(Some(_)) => {
                self.empty_so_far = None;
                let is_doubtful = is_doubtful(&source);
                Some(FoundFile::readable(name, source, is_doubtful))
            }
            Ok(None) => self.pass_over(&name),
            Err(error) => {
                Some(self.report_failure(name, format!("the file cannot be read: {error}")))
            }
        }
    }

    fn visit_mail_folder(&mut self, name: String, folder: FileSource) -> FoundFile {
        self.empty_so_far = None;
        FoundFile::readable(name, folder, false)
    }

    fn pass_over(&mut self, name: &str) -> Option<FoundFile> {
        self.passed_over.add(name);
        None
    }

    fn report_failure(&mut self, name: String, reason: String) -> FoundFile {
        self.empty_so_far = None;
        FoundFile::unreadable(name, reason)
    }
}

impl Iterator for FileWalk {
    type Item = FoundFile;

    fn next(&mut self) -> Option<FoundFile> {
        loop {
            let found = if let Some(level) = self.levels.pop() {
                self.advance(level)
            } else if let Some(name) = self.empty_so_far.take() {
                Some(FoundFile::unreadable(name, NOTHING_INSIDE.to_owned()))
            } else {
                let path = self.paths.pop_front()?;
                self.visit_named_path(&path)
            };
            if found.is_some() {
                return found;
            }
        }
    }
}
